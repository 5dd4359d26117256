package ayatori.bench.files;

import ayatori.server.Endpoint;
import ayatori.server.PriorityProtocol;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** The three servers, in this process. */
final class LocalFileService implements FileService {
    private final BlockDevice device;
    private final Endpoint<BlockRequest, Block> disk;
    private final Endpoint<BlockRequest, Block> blocks;
    private final Endpoint<FileRequest, Block> files;

    /**
     * Starts them, on the CPUs of the calling thread.
     *
     * @param device theirs from now on
     * @param blockThreads of the block server; the file server has one, since it waits for nobody
     * @param diskThreads of the disk server
     * @param ioPriorities if the disk server's follow the requests
     */
    LocalFileService(
            PriorityProtocol protocol, BlockDevice device, int blockThreads, int diskThreads, boolean ioPriorities) {
        this.device = device;
        disk = endpoint("disk", protocol);
        blocks = endpoint("blocks", protocol);
        files = endpoint("files", protocol);
        disk.serve(diskThreads, new DiskServer(device, ioPriorities));
        blocks.serve(blockThreads, new BlockServer(disk));
        files.serve(1, new FileServer(blocks));
    }

    private static <Q> Endpoint<Q, Block> endpoint(String name, PriorityProtocol protocol) {
        return Endpoint.<Q, Block>builder().name(name).protocol(protocol).build();
    }

    private record Client(Endpoint<FileRequest, Block> files) implements FileClient {
        @Override
        public Block read(String name) throws InterruptedException, ExecutionException {
            return files.call(FileRequest.read(name));
        }

        @Override
        public void write(String name, Block content) throws InterruptedException, ExecutionException {
            files.call(FileRequest.write(name, content));
        }

        @Override
        public void forget() throws InterruptedException, ExecutionException {
            files.call(FileRequest.forget());
        }

        @Override
        public void close() {}
    }

    @Override
    public FileClient client() {
        return new Client(files);
    }

    @Override
    public void close() throws IOException {
        files.close();
        blocks.close();
        disk.close();
        device.close();
    }
}
