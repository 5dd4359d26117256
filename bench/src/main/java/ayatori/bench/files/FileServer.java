package ayatori.bench.files;

import ayatori.server.Endpoint;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import java.io.FileNotFoundException;

/** FS of the paper: has the {@link Inodes}, and has the {@link BlockServer} answer the client. */
final class FileServer implements RequestHandler<FileRequest, Block> {
    private final Endpoint<BlockRequest, Block> blocks;
    private final Inodes inodes = new Inodes();

    FileServer(Endpoint<BlockRequest, Block> blocks) {
        this.blocks = blocks;
    }

    @Override
    public void handle(Request<FileRequest, Block> request) throws FileNotFoundException {
        FileRequest asked = request.body();
        long block = inodes.block(asked.operation(), asked.name());
        request.forward(blocks, new BlockRequest(asked.operation(), block, asked.content()));
    }
}
