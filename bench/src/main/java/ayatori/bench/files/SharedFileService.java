package ayatori.bench.files;

import ayatori.server.Area;
import ayatori.server.PriorityProtocol;
import ayatori.server.SharedEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/** The three servers, in a {@link ServerProcess} each. */
final class SharedFileService implements FileService {
    private final SharedEndpoint files;

    /**
     * Connects.
     *
     * @param place of the servers
     */
    SharedFileService(Path place, PriorityProtocol protocol) throws IOException {
        files = SharedEndpoint.connect(ServerProcess.Role.FILES.door(place, protocol), AreaLayout.MEMORY);
    }

    /** Has one area, which goes to the servers and comes back. */
    private static final class Client implements FileClient {
        private final SharedEndpoint files;
        private Area area;
        /** What stands in it. */
        private Block content;

        Client(SharedEndpoint files) {
            this.files = files;
            area = files.allocate(AreaLayout.SIZE);
            content = new Block(AreaLayout.content(area.segment()));
        }

        private void call(Operation operation, String name) throws InterruptedException, ExecutionException {
            AreaLayout.ask(area.segment(), operation, name);
            area = files.call(area);
            content = new Block(AreaLayout.content(area.segment()));
        }

        @Override
        public Block read(String name) throws InterruptedException, ExecutionException {
            call(Operation.READ, name);
            return content;
        }

        @Override
        public void write(String name, Block newContent) throws InterruptedException, ExecutionException {
            if (!newContent.equals(content)) { // what has been read last is there already
                content.bytes().duplicate().put(newContent.bytes().duplicate());
            }
            call(Operation.WRITE, name);
        }

        @Override
        public void forget() throws InterruptedException, ExecutionException {
            call(Operation.FORGET, "");
        }

        @Override
        public void close() {
            area.close();
        }
    }

    @Override
    public FileClient client() {
        return new Client(files);
    }

    @Override
    public void close() {
        files.close();
    }
}
