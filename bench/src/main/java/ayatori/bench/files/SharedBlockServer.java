package ayatori.bench.files;

import ayatori.server.Area;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import ayatori.server.SharedEndpoint;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutionException;

/**
 * {@link BlockServer} in a process of its own, of one thread. Its cache consists of the areas into which the {@link
 * SharedDiskServer} has read; the only copy is from there into the client's area, or from that, if the client writes.
 */
final class SharedBlockServer implements RequestHandler<Area, Area> {
    private final BlockCache<Area> cache;

    SharedBlockServer(SharedEndpoint disk) {
        cache = new BlockCache<>(new CalledDisk(disk));
    }

    private record CalledDisk(SharedEndpoint server) implements BlockCache.Disk<Area> {
        @Override
        public Area read(long number) throws InterruptedException, ExecutionException {
            Area area = server.allocate(AreaLayout.SIZE);
            AreaLayout.ask(area.segment(), Operation.READ, number);
            return server.call(area);
        }

        @Override
        public Area write(long number, Block content) throws InterruptedException, ExecutionException {
            Area area = server.allocate(AreaLayout.SIZE);
            AreaLayout.content(area.segment()).put(content.bytes().duplicate());
            AreaLayout.ask(area.segment(), Operation.WRITE, number);
            return server.call(area);
        }

        @Override
        public void release(Area block) {
            block.close();
        }
    }

    @Override
    public void handle(Request<Area, Area> request) throws InterruptedException, ExecutionException {
        MemorySegment area = request.body().segment();
        long number = AreaLayout.number(area);
        switch (AreaLayout.operation(area)) {
            case READ ->
                AreaLayout.content(area)
                        .put(AreaLayout.content(cache.read(number).segment()));
            case WRITE -> cache.write(number, new Block(AreaLayout.content(area)));
            case FORGET -> cache.forget();
        }
        request.reply(request.body());
    }
}
