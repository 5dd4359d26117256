package ayatori.bench.load;

import ayatori.server.Area;
import ayatori.server.Endpoint;
import ayatori.server.PriorityProtocol;
import ayatori.server.PublishedEndpoint;
import ayatori.server.SharedEndpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * {@code ProcessInversion WAYS AGENT MIDDLE_NANOS REQUESTER BEFORE REQUEST_NANOS CLIENTS_CPU SERVERS_CPU} and then {@code server
 * PLACE} or {@code client PLACE WARM_UP CALLS}: {@link CallInversion} between two processes. A way is a protocol and who raises the server for a
 * client that waits, VPSET:kernel or VPSET:server. AGENT: if the agent tells the kernel of priorities; without it, the client's
 * process is real-time as a whole. BEFORE: a call at this priority comes before each one, after which the server sleeps; 0: none.
 * Ways, and middle thread and none, take turns. For each call it tells the way, for how long the middle thread was to compute, how
 * long the call took, and for how long the middle thread was kept from the CPU; in nanoseconds. Then, of as many calls again beside
 * the middle thread, {@code result,WAY,interrupts,N}: how many interrupts the servers' CPU had from others meanwhile.
 */
public final class ProcessInversion {
    private static final long MOVE = -1;
    private static final long AREA = 64;
    private static final long MEMORY = 1 << 16;
    private static final Interrupts.Count NO_INTERRUPTS = new Interrupts.Count(0, 0);

    private final Map<String, SharedEndpoint> endpoints = new LinkedHashMap<>();
    private final long middleNanos;
    private final int before;
    private final long requestNanos;
    private final Interrupts interrupts;

    private enum Rounds {
        WARM_UP,
        TIMED,
        COUNTED
    }

    private ProcessInversion(
            Path place, String[] ways, long middleNanos, int before, long requestNanos, int serversCpu)
            throws IOException {
        for (String way : ways) {
            endpoints.put(way, SharedEndpoint.connect(place.resolve(way), MEMORY));
        }
        this.middleNanos = middleNanos;
        this.before = before;
        this.requestNanos = requestNanos;
        interrupts = new Interrupts(serversCpu);
    }

    private static void serve(Path place, String[] ways, int cpu) throws IOException, InterruptedException {
        for (String way : ways) {
            String[] words = way.split(":", -1);
            Endpoint<Area, Area> served = Endpoint.<Area, Area>builder()
                    .name(way)
                    .protocol(PriorityProtocol.valueOf(words[0]))
                    .build();
            PublishedEndpoint.Builder door =
                    PublishedEndpoint.at(place.resolve(way)).mode("rw-rw-rw-");
            var _ = (words[1].equals("server") ? door.raisesItself() : door).publish(served);
            served.serve(1, request -> {
                MemorySegment segment = request.body().segment();
                long nanos = segment.get(ValueLayout.JAVA_LONG, 0);
                if (nanos == MOVE) {
                    PinnedWork.moveTo(cpu);
                } else {
                    PinnedWork.compute(nanos);
                }
                request.reply(request.body());
            });
        }
        System.out.println("result,ready,1");
        Thread.currentThread().join();
    }

    private static Area area(SharedEndpoint endpoint, long nanos) {
        Area area = endpoint.allocate(AREA);
        area.segment().set(ValueLayout.JAVA_LONG, 0, nanos);
        return area;
    }

    /** How long it took, nanoseconds. */
    private static long call(SharedEndpoint endpoint, long nanos) throws InterruptedException, ExecutionException {
        Area area = area(endpoint, nanos);
        long begin = System.nanoTime();
        Area answer = endpoint.call(area);
        long took = System.nanoTime() - begin;
        answer.close();
        return took;
    }

    @SuppressWarnings("ThreadPriorityCheck") // that they can be relied on is what is measured
    private void round(String way, SharedEndpoint endpoint, MiddleThread middle, boolean beside, Rounds kind)
            throws InterruptedException, ExecutionException {
        if (before > 0) {
            Thread thread = Thread.currentThread();
            int own = thread.getPriority();
            thread.setPriority(before);
            var _ = call(endpoint, requestNanos);
            thread.setPriority(own);
            Thread.sleep(1); // the server asleep
        }
        if (beside) {
            middle.begin();
        }
        Interrupts.Count begun = kind == Rounds.COUNTED ? interrupts.now() : NO_INTERRUPTS;
        long took = call(endpoint, requestNanos);
        Interrupts.Count ended = kind == Rounds.COUNTED ? interrupts.now() : NO_INTERRUPTS;
        long kept = beside ? middle.kept() : 0;
        switch (kind) {
            case WARM_UP -> {}
            case TIMED ->
                System.out.println("result," + way + "," + (beside ? middleNanos : 0) + "," + took + "," + kept);
            case COUNTED ->
                System.out.println(
                        "result," + way + ",interrupts," + ended.since(begun).all());
        }
    }

    private void run(int requester, boolean agent, int serversCpu, int warmUp, int rounds)
            throws InterruptedException, ExecutionException {
        for (SharedEndpoint endpoint : endpoints.values()) {
            var _ = call(endpoint, MOVE);
        }
        MiddleThread middle = new MiddleThread(serversCpu, middleNanos, agent);
        FutureTask<Boolean> client = new FutureTask<>(() -> {
            List<Map.Entry<String, SharedEndpoint>> turn = new ArrayList<>(endpoints.entrySet());
            Random random = new Random(1);
            for (int i = -warmUp; i < rounds; i++) {
                Rounds kind = i < 0 ? Rounds.WARM_UP : Rounds.TIMED;
                for (Map.Entry<String, SharedEndpoint> way : turn) {
                    if (middleNanos > 0) {
                        round(way.getKey(), way.getValue(), middle, true, kind);
                    }
                    round(way.getKey(), way.getValue(), middle, false, kind);
                }
                Collections.shuffle(turn, random); // each after each, not always after the same
            }
            for (int i = 0; middleNanos > 0 && i < rounds; i++) {
                for (Map.Entry<String, SharedEndpoint> way : turn) {
                    round(way.getKey(), way.getValue(), middle, true, Rounds.COUNTED);
                }
            }
            return true;
        });
        Thread.ofPlatform().priority(requester).start(client);
        client.get();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        String[] ways = arguments[0].split(",", -1);
        Path place = Path.of(arguments[9]);
        int serversCpu = Integer.parseInt(arguments[7]);
        PinnedWork.moveTo(Integer.parseInt(arguments[6])); // and what it starts
        if (arguments[8].equals("server")) {
            serve(place, ways, serversCpu);
            return;
        }
        new ProcessInversion(
                        place,
                        ways,
                        Long.parseLong(arguments[2]),
                        Integer.parseInt(arguments[4]),
                        Long.parseLong(arguments[5]),
                        serversCpu)
                .run(
                        Integer.parseInt(arguments[3]),
                        Boolean.parseBoolean(arguments[1]),
                        serversCpu,
                        Integer.parseInt(arguments[10]),
                        Integer.parseInt(arguments[11]));
    }
}
