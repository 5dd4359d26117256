package ayatori.bench.load;

import ayatori.server.Area;
import ayatori.server.Endpoint;
import ayatori.server.PublishedEndpoint;
import ayatori.server.SharedEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/**
 * {@code SharedCalls WAY server PLACE} and {@code SharedCalls WAY client PLACE WARM_UP CALLS}: empty calls between two processes
 * by a shared endpoint, as {@code bench/src/main/c/round_trip.h} says; the same area goes to and fro. WAY is blocking, polling, or
 * gigabyte: blocking, with an area of that size.
 */
public final class SharedCalls {
    private static final long AREA = 64;
    private static final long GIGABYTE = 1L << 30;
    private static final long MEMORY = 1 << 20;

    private Area area;
    private final SharedEndpoint endpoint;

    private SharedCalls(SharedEndpoint endpoint, long size) {
        this.endpoint = endpoint;
        area = endpoint.allocate(size);
    }

    private void call() throws InterruptedException, ExecutionException {
        area = endpoint.call(area);
    }

    private static void serve(Path path, boolean polling) throws IOException, InterruptedException {
        Endpoint<Area, Area> endpoint =
                Endpoint.<Area, Area>builder().name("round-trip").build();
        PublishedEndpoint.Builder door = PublishedEndpoint.at(path);
        try (PublishedEndpoint _ = (polling ? door.polls() : door).publish(endpoint)) {
            endpoint.serve(1, request -> request.reply(request.body()));
            System.out.println("result,ready,1");
            Thread.currentThread().join();
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        boolean polling = arguments[0].equals("polling");
        long size = arguments[0].equals("gigabyte") ? GIGABYTE : AREA;
        Path path = Path.of(arguments[2], "calls");
        if (arguments[1].equals("server")) {
            serve(path, polling);
            return;
        }
        try (SharedEndpoint endpoint = polling
                ? SharedEndpoint.connectPolling(path, MEMORY)
                : SharedEndpoint.connect(path, Math.max(size, MEMORY))) {
            SharedCalls client = new SharedCalls(endpoint, size);
            CallTimes.print(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]), client::call);
        }
    }
}
