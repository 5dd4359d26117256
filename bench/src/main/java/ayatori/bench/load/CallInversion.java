package ayatori.bench.load;

import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import ayatori.server.Endpoint;
import ayatori.server.PriorityProtocol;
import ayatori.server.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code CallInversion PROTOCOLS AGENT MIDDLE_NANOS REQUESTER BEFORE ROUNDS CLIENTS_CPU SERVERS_CPU}: a client of Java priority
 * REQUESTER calls servers on another CPU in turn, one of each protocol (VPGET,VPSET …), which compute 100 µs; by turns, if
 * MIDDLE_NANOS is not 0, while a middle thread (6) computes there for so long, and alone. AGENT: if the agent tells the kernel of
 * priorities; without it, the process is real-time as a whole, but for its servers. BEFORE: a call at this priority comes before
 * each one, after which the server sleeps there; 0: none. For each call it tells the protocol, for how long the middle thread was
 * to compute, how long the call took, and for how long the middle thread, ready to run, was kept from the CPU; in nanoseconds.
 */
public final class CallInversion {
    private static final long REQUEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** As many as rounds that are many; fewer ones have the same warm-up all, so that what they take can be told from it. */
    private static final int WARM_UP = 2000;

    private static final int WARM_UP_OF_FEW = 400;

    private final Map<PriorityProtocol, Endpoint<Long, Long>> endpoints = new EnumMap<>(PriorityProtocol.class);
    private final long middleNanos;
    private final boolean agent;
    private final int before;
    private @Nullable MiddleThread middle;

    private CallInversion(String protocols, boolean agent, long middleNanos, int before) {
        for (String word : protocols.split(",")) {
            PriorityProtocol protocol = PriorityProtocol.valueOf(word);
            endpoints.put(
                    protocol, Endpoint.<Long, Long>builder().protocol(protocol).build());
        }
        this.middleNanos = middleNanos;
        this.agent = agent;
        this.before = before;
    }

    private void serve(int cpu) throws InterruptedException, ExecutionException {
        for (Endpoint<Long, Long> endpoint : endpoints.values()) {
            endpoint.serve(1, request -> {
                if (request.body() < 0) {
                    PinnedWork.moveTo(cpu);
                    if (!agent) {
                        LinuxThread.current().set(SchedulingParameters.other(0));
                    }
                } else {
                    PinnedWork.compute(request.body());
                }
                request.reply(0L);
            });
            endpoint.call(-1L);
        }
        if (middleNanos > 0) {
            middle = new MiddleThread(cpu, middleNanos, agent);
        }
    }

    /** One call, by a thread that is at its priority already. */
    private void round(
            PriorityProtocol protocol, Endpoint<Long, Long> endpoint, @Nullable MiddleThread beside, boolean told)
            throws InterruptedException, ExecutionException {
        if (before > 0) {
            Reply<Long> earlier = endpoint.send(before, 0L);
            while (!earlier.isDone()) { // who waits in get lends its priority
                Thread.onSpinWait();
            }
            Thread.sleep(1); // the server asleep
        }
        if (beside != null) {
            beside.begin();
        }
        long begin = System.nanoTime();
        endpoint.call(REQUEST_NANOS);
        long took = System.nanoTime() - begin;
        long kept = beside == null ? 0 : beside.kept();
        if (told) {
            System.out.println(
                    "result," + protocol + "," + (beside == null ? 0 : middleNanos) + "," + took + "," + kept);
        }
    }

    private void run(int requester, int rounds) throws InterruptedException, ExecutionException {
        FutureTask<Boolean> client = new FutureTask<>(() -> {
            List<Map.Entry<PriorityProtocol, Endpoint<Long, Long>>> turn = new ArrayList<>(endpoints.entrySet());
            for (int i = rounds < WARM_UP ? -WARM_UP_OF_FEW : -WARM_UP; i < rounds; i++) {
                for (Map.Entry<PriorityProtocol, Endpoint<Long, Long>> entry : turn) {
                    if (middle != null) {
                        round(entry.getKey(), entry.getValue(), middle, i >= 0);
                    }
                    round(entry.getKey(), entry.getValue(), null, i >= 0);
                }
                Collections.rotate(turn, 1);
            }
            return true;
        });
        Thread.ofPlatform().priority(requester).start(client);
        client.get();
        endpoints.values().forEach(Endpoint::close);
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        var inversion = new CallInversion(
                arguments[0],
                Boolean.parseBoolean(arguments[1]),
                Long.parseLong(arguments[2]),
                Integer.parseInt(arguments[4]));
        PinnedWork.moveTo(Integer.parseInt(arguments[6])); // and what it starts
        inversion.serve(Integer.parseInt(arguments[7]));
        inversion.run(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[5]));
    }
}
