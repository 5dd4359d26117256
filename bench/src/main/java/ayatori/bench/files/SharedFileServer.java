package ayatori.bench.files;

import ayatori.server.Area;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import ayatori.server.SharedEndpoint;
import java.io.FileNotFoundException;
import java.lang.foreign.MemorySegment;

/**
 * {@link FileServer} in a process of its own: has the {@link SharedBlockServer} answer the client, whose area goes along as it is.
 */
final class SharedFileServer implements RequestHandler<Area, Area> {
    private final SharedEndpoint blocks;
    private final Inodes inodes = new Inodes();

    SharedFileServer(SharedEndpoint blocks) {
        this.blocks = blocks;
    }

    @Override
    public void handle(Request<Area, Area> request) throws FileNotFoundException, InterruptedException {
        MemorySegment area = request.body().segment();
        Operation operation = AreaLayout.operation(area);
        AreaLayout.ask(area, operation, inodes.block(operation, AreaLayout.name(area)));
        blocks.forward(request, request.body());
    }
}
