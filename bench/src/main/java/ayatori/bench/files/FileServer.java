package ayatori.bench.files;

import ayatori.server.Endpoint;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import java.io.FileNotFoundException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * FS of the paper: has the i-nodes, which say in which block a file is, and has the {@link BlockServer} answer the client.
 * A file that is written for the first time gets a block.
 */
final class FileServer implements RequestHandler<FileRequest, Block> {
    private final Endpoint<BlockRequest, Block> blocks;
    private final Map<String, Long> inodes = new ConcurrentHashMap<>();
    private final AtomicLong free = new AtomicLong();

    FileServer(Endpoint<BlockRequest, Block> blocks) {
        this.blocks = blocks;
    }

    @Override
    public void handle(Request<FileRequest, Block> request) throws FileNotFoundException {
        FileRequest asked = request.body();
        request.forward(blocks, new BlockRequest(asked.operation(), block(asked), asked.content()));
    }

    private long block(FileRequest asked) throws FileNotFoundException {
        return switch (asked.operation()) {
            case WRITE -> inodes.computeIfAbsent(asked.name(), name -> free.getAndIncrement());
            case FORGET -> 0;
            case READ -> {
                Long block = inodes.get(asked.name());
                if (block == null) {
                    throw new FileNotFoundException(asked.name());
                }
                yield block;
            }
        };
    }
}
