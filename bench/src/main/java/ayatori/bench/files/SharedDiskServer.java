package ayatori.bench.files;

import ayatori.server.Area;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** {@link DiskServer} in a process of its own: reads from the disk into the client's area, and writes from that. */
final class SharedDiskServer implements RequestHandler<Area, Area> {
    private final BlockDevice device;

    SharedDiskServer(BlockDevice device) {
        this.device = device;
    }

    @Override
    public void handle(Request<Area, Area> request) throws IOException {
        MemorySegment area = request.body().segment();
        switch (AreaLayout.operation(area)) {
            case READ -> device.read(AreaLayout.number(area), AreaLayout.content(area));
            case WRITE -> device.write(AreaLayout.number(area), AreaLayout.content(area));
            case FORGET -> {}
        }
        request.reply(request.body());
    }
}
