package ayatori.bench.load;

import ayatori.server.Area;
import ayatori.server.Endpoint;
import ayatori.server.PriorityProtocol;
import ayatori.server.PublishedEndpoint;
import ayatori.server.SharedEndpoint;
import ayatori.server.SharedEndpointStatistics;
import java.io.IOException;
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
 * PLACE} or {@code client PLACE WARM_UP CALLS}: {@link CallInversion} between two processes. A way is a protocol, who raises the
 * server for a client that waits, and how many threads serve: VPSET:kernel:1, VPSET:server:2. AGENT: if the agent tells the kernel
 * of priorities; without it, the client's process is real-time as a whole. BEFORE: a call at this priority comes before each one,
 * after which the server sleeps; 0: none. Ways, and middle thread and none, take turns. For each call it tells the way, for how
 * long the middle thread was to compute, how long the call took, and for how long the middle thread was kept from the CPU, in
 * nanoseconds; how often the client ordered the server's process to raise it, and how often it lent its priority. Then, of as many
 * calls again beside the middle thread, {@code result,WAY,interrupts,N}: how many interrupts the servers' CPU had from others
 * meanwhile.
 */
public final class ProcessInversion {
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

    private ProcessInversion(Path place, String[] ways, long middleNanos, int before, long requestNanos, int serversCpu)
            throws IOException {
        for (String way : ways) {
            endpoints.put(way, SharedEndpoint.connect(place.resolve(way), MEMORY));
        }
        this.middleNanos = middleNanos;
        this.before = before;
        this.requestNanos = requestNanos;
        interrupts = new Interrupts(serversCpu);
    }

    private static void serve(Path place, String[] ways, int clientsCpu, int serversCpu)
            throws IOException, InterruptedException {
        for (String way : ways) {
            String[] words = way.split(":", -1);
            Endpoint<Area, Area> served = Endpoint.<Area, Area>builder()
                    .name(way)
                    .protocol(PriorityProtocol.valueOf(words[0]))
                    .build();
            PublishedEndpoint.Builder door =
                    PublishedEndpoint.at(place.resolve(way)).mode("rw-rw-rw-");
            var _ = (words[1].equals("server") ? door.raisesItself() : door).publish(served);
            PinnedWork.moveTo(serversCpu); // the servers with it, and not the door's thread
            served.serve(Integer.parseInt(words[2]), request -> {
                PinnedWork.compute(request.body().segment().get(ValueLayout.JAVA_LONG, 0));
                request.reply(request.body());
            });
            PinnedWork.moveTo(clientsCpu);
        }
        System.out.println("result,ready,1");
        Thread.currentThread().join();
    }

    /** How long it took, nanoseconds. */
    private long call(SharedEndpoint endpoint) throws InterruptedException, ExecutionException {
        Area area = endpoint.allocate(AREA);
        area.segment().set(ValueLayout.JAVA_LONG, 0, requestNanos);
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
            var _ = call(endpoint);
            thread.setPriority(own);
            Thread.sleep(1); // the server asleep
        }
        if (beside) {
            middle.begin();
        }
        SharedEndpointStatistics first = endpoint.statistics();
        Interrupts.Count begun = kind == Rounds.COUNTED ? interrupts.now() : NO_INTERRUPTS;
        long took = call(endpoint);
        Interrupts.Count ended = kind == Rounds.COUNTED ? interrupts.now() : NO_INTERRUPTS;
        SharedEndpointStatistics then = endpoint.statistics();
        long kept = beside ? middle.kept() : 0;
        switch (kind) {
            case WARM_UP -> {}
            case TIMED ->
                System.out.println("result," + way + "," + (beside ? middleNanos : 0) + "," + took + "," + kept + ","
                        + (then.raises() - first.raises()) + "," + (then.lends() - first.lends()));
            case COUNTED ->
                System.out.println(
                        "result," + way + ",interrupts," + ended.since(begun).all());
        }
    }

    private void run(int requester, boolean agent, int serversCpu, int warmUp, int rounds)
            throws InterruptedException, ExecutionException {
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
        int clientsCpu = Integer.parseInt(arguments[6]);
        int serversCpu = Integer.parseInt(arguments[7]);
        PinnedWork.moveTo(clientsCpu); // and what it starts
        if (arguments[8].equals("server")) {
            serve(place, ways, clientsCpu, serversCpu);
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
