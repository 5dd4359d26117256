package ayatori.bench.load;

import ayatori.sched.PriorityLadder;
import ayatori.server.Area;
import ayatori.server.Endpoint;
import ayatori.server.EndpointBuilder;
import ayatori.server.PublishedEndpoint;
import ayatori.server.Request;
import ayatori.server.SharedEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * {@code SharedStormServer files|blocks PLACE THREADS POLICY}: a server of a {@link SharedStorm}. The file server does what the
 * request's first byte says: answers, fails, takes long, answers later from another thread, forwards to an endpoint of its own
 * process or calls that, calls the block server, or has that answer the client. When a line comes on standard input, all clients are
 * to be gone; it says whether anything of them is left.
 */
public final class SharedStormServer {
    static final String FILES = "files";
    static final String BLOCKS = "blocks";
    /** What a request that is told to fail fails with. */
    static final String WANTED = "as the request wanted";
    /** What a request fails with while there is no block server. */
    static final String AWAY = "the block server is away";

    private static final String DOOR = ".door";
    private static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(20);
    /** A wait that the kernel does not end is looked at again after 100 ms. */
    private static final long LOOKED_AROUND_MS = 250;

    private final Path place;
    private final ThreadLevels servers;
    private final Endpoint<Area, Area> files;
    private final Endpoint<Area, Area> local;
    private final BlockingQueue<Later> later = new LinkedBlockingQueue<>();
    /** All that there have been. */
    private final List<SharedEndpoint> blocks = new ArrayList<>();

    private final LongAdder handedOn = new LongAdder();

    private SharedStormServer(Path place, PriorityLadder ladder) {
        this.place = place;
        servers = new ThreadLevels(ladder);
        files = endpoint(FILES, ladder);
        local = endpoint("local", ladder);
    }

    private static Endpoint<Area, Area> endpoint(String name, PriorityLadder ladder) {
        EndpointBuilder<Area, Area> builder = Endpoint.builder();
        return builder.name(name).ladder(ladder).build();
    }

    /** Where a server can be reached. */
    static Path door(Path place, String server) {
        return place.resolve(server + DOOR);
    }

    /** A request that is answered by another thread than that which took it. */
    private record Later(Request<Area, Area> request, Area area) {}

    /** That the file server was told to fail. */
    private static final class WantedException extends Exception {
        private static final long serialVersionUID = 1;

        WantedException() {
            super(WANTED, null, false, false);
        }
    }

    private void serveFile(Request<Area, Area> request) throws Exception {
        servers.add();
        Area area = request.body();
        switch (StormAreas.wish(area)) {
            case 0 -> throw new WantedException();
            case 1, 2 -> later.add(new Later(request, area.transfer()));
            case 3, 4 -> request.forward(local, area.transfer());
            case 5, 6 -> request.reply(local.call(area.transfer()));
            case 7, 8 -> request.reply(askBlocks(area));
            case 9 -> handOn(request);
            case 10 -> {
                spin();
                serve(request);
            }
            default -> serve(request);
        }
    }

    private static void serve(Request<Area, Area> request) {
        Area area = request.body();
        StormAreas.answer(area);
        request.reply(area.transfer()); // to whichever thread has called, if one of this process has
    }

    private void serveLocal(Request<Area, Area> request) {
        servers.add();
        serve(request);
    }

    private void serveBlock(Request<Area, Area> request) {
        servers.add();
        if (StormAreas.wish(request.body()) == 7) {
            spin();
        }
        serve(request);
    }

    private static void spin() {
        long end = System.nanoTime() + LONG_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Has the block server answer, in an area of its own, which is copied. */
    private Area askBlocks(Area area) throws IOException, InterruptedException {
        SharedEndpoint asked = blocks();
        try (Area question = asked.allocate(area.size())) {
            question.segment().copyFrom(area.segment());
            try (Area answer = asked.call(question)) {
                MemorySegment.copy(answer.segment(), 0, area.segment(), 0, area.size());
                area.length(answer.length());
                return area;
            }
        } catch (ExecutionException | RejectedExecutionException e) {
            throw away(asked, e);
        }
    }

    /** Has the block server answer the client, in the client's own area. */
    private void handOn(Request<Area, Area> request) throws IOException, InterruptedException {
        SharedEndpoint asked = blocks();
        try {
            asked.forward(request, request.body());
            handedOn.increment();
        } catch (RejectedExecutionException e) {
            throw away(asked, e);
        }
    }

    private static IOException away(SharedEndpoint asked, Exception why) {
        if (!asked.isClosed()) {
            throw new IllegalStateException("of a block server that is there: " + why, why);
        }
        return new IOException(AWAY, why);
    }

    private SharedEndpoint blocks() throws IOException {
        synchronized (blocks) {
            if (blocks.isEmpty() || blocks.getLast().isClosed()) {
                try {
                    SharedEndpoint next = SharedEndpoint.connect(door(place, BLOCKS));
                    if (!blocks.isEmpty()) {
                        blocks.getLast().close();
                    }
                    blocks.add(next);
                } catch (IOException e) {
                    throw new IOException(AWAY, e);
                }
            }
            return blocks.getLast();
        }
    }

    private void answerLater() {
        try {
            while (true) {
                Later next = later.take();
                if (StormAreas.wish(next.area) == 1) {
                    StormAreas.answer(next.area);
                    next.request.reply(next.area);
                } else {
                    next.request.forward(local, next.area.transfer());
                }
            }
        } catch (InterruptedException e) {
            // nobody does
        }
    }

    private static boolean await(BooleanSupplier settled) throws InterruptedException {
        long end = System.nanoTime() + SETTLED_NANOS;
        while (!settled.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }

    /** What must not be left when all clients are gone. */
    private void check(String role, PublishedEndpoint door) throws IOException, InterruptedException {
        boolean gone = await(() -> door.clients() == 0);
        boolean idle = await(
                () -> files.statistics().waiting() == 0 && local.statistics().waiting() == 0);
        boolean back = await(() -> blocks.stream()
                .map(SharedEndpoint::statistics)
                .allMatch(now -> now.areaBytes() == 0 && now.abandoned() == 0));
        Thread.sleep(LOOKED_AROUND_MS);
        StormResult.count("taken by the last servers", files.statistics().taken());
        StormResult.count("handed on by the last servers", handedOn.sum());
        StormResult.count("raises of the last servers", files.statistics().raises());
        StormResult.flaw("clients not gone", gone ? 0 : door.clients());
        StormResult.flaw("requests still waiting", idle ? 0 : files.statistics().waiting());
        StormResult.flaw("areas of a server not back", back ? 0 : 1);
        StormResult.flaw("threads at a wrong level", servers.wrong());
        blocks.forEach(SharedEndpoint::close);
        boolean givenBack = await(() -> kilobytesOfClients(role) == 0);
        StormResult.flaw("kB of dead clients", givenBack ? 0 : kilobytesOfClients(role));
    }

    /** What clients have left here, by the kernel's account. */
    private static long kilobytesOfClients(String role) {
        long kilobytes = 0;
        boolean counts = false;
        for (String line : mappings()) {
            String[] words = line.split("\\s+");
            if (words[0].contains("-")) {
                counts = line.contains("/memfd:ayatori-" + role + DOOR);
            } else if (counts && words[0].equals("Rss:")) {
                kilobytes += Long.parseLong(words[1]);
            }
        }
        return kilobytes;
    }

    private static List<String> mappings() {
        try {
            return Files.readAllLines(Path.of("/proc/self/smaps"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(String role, int threads) throws IOException, InterruptedException {
        if (role.equals(FILES)) {
            local.serve(1, this::serveLocal);
            for (int i = 0; i < 2; i++) {
                Thread.ofPlatform().daemon().start(this::answerLater);
            }
        }
        files.serve(threads, role.equals(FILES) ? this::serveFile : this::serveBlock);
        PublishedEndpoint door = PublishedEndpoint.at(door(place, role)).publish(files);
        if (System.in.read() >= 0) {
            check(role, door);
        }
        Runtime.getRuntime().halt(0);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PriorityLadder ladder = PriorityLadder.of(PriorityLadder.Policy.valueOf(arguments[3]));
        new SharedStormServer(Path.of(arguments[1]), ladder).run(arguments[0], Integer.parseInt(arguments[2]));
    }
}
