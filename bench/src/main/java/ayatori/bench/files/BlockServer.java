package ayatori.bench.files;

import ayatori.server.Endpoint;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** BLK of the paper: has the cache of blocks, and calls the {@link DiskServer} for what is not there. Writes go through. */
final class BlockServer implements RequestHandler<BlockRequest, Block> {
    private final Endpoint<BlockRequest, Block> disk;
    private final Map<Long, Block> cache = new ConcurrentHashMap<>();

    BlockServer(Endpoint<BlockRequest, Block> disk) {
        this.disk = disk;
    }

    @Override
    public void handle(Request<BlockRequest, Block> request) throws InterruptedException, ExecutionException {
        BlockRequest asked = request.body();
        switch (asked.operation()) {
            case READ -> {
                Block block = cache.get(asked.number());
                if (block == null) {
                    block = disk.call(asked);
                    cache.put(asked.number(), block);
                }
                request.reply(block);
            }
            case WRITE -> {
                cache.put(asked.number(), asked.content());
                request.reply(disk.call(asked));
            }
            case FORGET -> {
                cache.clear();
                request.reply(Block.NONE);
            }
        }
    }
}
