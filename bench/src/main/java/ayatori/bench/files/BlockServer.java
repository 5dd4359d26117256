package ayatori.bench.files;

import ayatori.server.Endpoint;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import java.util.concurrent.ExecutionException;

/** BLK of the paper: has the {@link BlockCache}, and calls the {@link DiskServer} for what is not there. */
final class BlockServer implements RequestHandler<BlockRequest, Block> {
    private final BlockCache<Block> cache;

    BlockServer(Endpoint<BlockRequest, Block> disk) {
        cache = new BlockCache<>(new CalledDisk(disk));
    }

    /** Blocks are the collector's to release. */
    private record CalledDisk(Endpoint<BlockRequest, Block> server) implements BlockCache.Disk<Block> {
        @Override
        public Block read(long number) throws InterruptedException, ExecutionException {
            return server.call(new BlockRequest(Operation.READ, number, Block.NONE));
        }

        @Override
        public Block write(long number, Block content) throws InterruptedException, ExecutionException {
            server.call(new BlockRequest(Operation.WRITE, number, content));
            return content;
        }

        @Override
        public void release(Block block) {}
    }

    @Override
    public void handle(Request<BlockRequest, Block> request) throws InterruptedException, ExecutionException {
        BlockRequest asked = request.body();
        switch (asked.operation()) {
            case READ -> request.reply(cache.read(asked.number()));
            case WRITE -> {
                cache.write(asked.number(), asked.content());
                request.reply(Block.NONE);
            }
            case FORGET -> {
                cache.forget();
                request.reply(Block.NONE);
            }
        }
    }
}
