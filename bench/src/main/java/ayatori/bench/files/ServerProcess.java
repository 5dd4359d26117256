package ayatori.bench.files;

import ayatori.bench.load.PinnedWork;
import ayatori.server.Area;
import ayatori.server.Endpoint;
import ayatori.server.PriorityProtocol;
import ayatori.server.PublishedEndpoint;
import ayatori.server.RequestHandler;
import ayatori.server.SharedEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * {@code ServerProcess ROLE PLACE CPU FOLDER PROTOCOL…}: one of the three servers in a process of its own, {@code disk}, {@code
 * blocks} or {@code files}, to be started in this order; for each protocol an endpoint that is published in PLACE, with one
 * thread. FOLDER gets the disk server's disks. It prints {@code result,ready,1} when it serves, and ends with its standard input: if
 * who has started it is gone, so is it.
 */
public final class ServerProcess {
    /** Which server. */
    enum Role {
        DISK,
        BLOCKS,
        FILES;

        /** Where its endpoint is published. */
        Path door(Path place, PriorityProtocol protocol) {
            return place.resolve(
                    name().toLowerCase(Locale.ROOT) + "-" + protocol.name().toLowerCase(Locale.ROOT));
        }
    }

    private final Path place;
    private final Path folder;

    private ServerProcess(Path place, Path folder) {
        this.place = place;
        this.folder = folder;
    }

    private RequestHandler<Area, Area> handler(Role role, PriorityProtocol protocol) throws IOException {
        return switch (role) {
            case DISK -> new SharedDiskServer(BlockDevice.create(folder.resolve(protocol + "-processes")));
            case BLOCKS -> new SharedBlockServer(SharedEndpoint.connect(Role.DISK.door(place, protocol)));
            case FILES ->
                new SharedFileServer(SharedEndpoint.connect(Role.BLOCKS.door(place, protocol), AreaLayout.MEMORY));
        };
    }

    private void serve(Role role, PriorityProtocol protocol) throws IOException {
        Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder()
                .name(role.name().toLowerCase(Locale.ROOT))
                .protocol(protocol)
                .build();
        RequestHandler<Area, Area> handler = handler(role, protocol);
        endpoint.serve(1, handler);
        var _ = PublishedEndpoint.at(role.door(place, protocol)).publish(endpoint);
    }

    public static void main(String[] arguments) throws IOException {
        PinnedWork.moveTo(Integer.parseInt(arguments[2])); // and what it starts
        ServerProcess process = new ServerProcess(Path.of(arguments[1]), Path.of(arguments[3]));
        Role role = Role.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        for (int i = 4; i < arguments.length; i++) {
            process.serve(role, PriorityProtocol.valueOf(arguments[i]));
        }
        System.out.println("result,ready,1");
        int end = System.in.read();
        System.exit(end < 0 ? 0 : 2); // whoever still serves
    }
}
