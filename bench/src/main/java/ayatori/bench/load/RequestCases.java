package ayatori.bench.load;

import ayatori.server.Endpoint;
import ayatori.server.EndpointStatistics;
import ayatori.server.PriorityProtocol;
import ayatori.server.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * {@code RequestCases ROUNDS MIDDLE_NANOS,… CLIENTS_CPU SERVERS_CPU}: the six cases of the paper's table 1. A client (AP_r) asks
 * a server (OS) on another CPU, which is asleep or busy and computes 100 µs, while a third thread (AP_o) has computing of so
 * many nanoseconds to do there; 0: there is none. Protocols, cases and amounts take turns.
 *
 * <p>Prints {@code result,CASE,PROTOCOL,MIDDLE_NANOS,RESPONSE,OWN,INVERSION,WAKES,RAISES} for each request: the time until the
 * client has its answer; the CPU time that the server computed; the CPU time that AP_o used from when the request had been
 * registered until the server took it; how often the request woke and raised the server. Nanoseconds.
 *
 * <p>A busy server is at a request of no work, which it ends when it has seen that the next one has been registered and, where
 * that raises it, that it has been raised: so the whole operation is in the response time.
 */
public final class RequestCases {
    private static final List<Row> TABLE = List.of(
            new Row(1, false, 6, 4, 2),
            new Row(2, false, 4, 8, 2),
            new Row(3, false, 4, 8, 6),
            new Row(4, true, 6, 4, 2),
            new Row(5, true, 4, 8, 2),
            new Row(6, true, 4, 8, 6));
    private static final List<PriorityProtocol> PROTOCOLS =
            List.of(PriorityProtocol.NONE, PriorityProtocol.VPGET, PriorityProtocol.VPSET);
    private static final long REQUEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** After that a thread that waits for a sign and has its CPU to itself gives up. */
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(2);

    private static final int MOST_WARM_UP = 200;

    private final Map<PriorityProtocol, Os> servers = new EnumMap<>(PriorityProtocol.class);
    private final Middle low;
    private final Middle high;

    /**
     * A line of the table, with Java priorities.
     *
     * @param wakes the server is asleep; else it is busy
     */
    private record Row(int number, boolean wakes, int server, int requester, int other) {
        boolean raises(PriorityProtocol protocol) {
            return protocol == PriorityProtocol.VPSET && requester > server;
        }
    }

    /** AP_o. */
    private static final class Middle {
        private final SynchronousQueue<Long> amounts = new SynchronousQueue<>();
        private volatile long used;
        private volatile boolean busy;

        Middle(int priority, int cpu) {
            Thread.ofPlatform().daemon().priority(priority).start(() -> {
                PinnedWork.moveTo(cpu);
                try {
                    while (true) {
                        compute(amounts.take());
                    }
                } catch (InterruptedException e) {
                    // the end
                }
            });
        }

        /** Tells all the time how far it is. */
        private void compute(long nanos) {
            long begin = PinnedWork.used();
            while (used < nanos) {
                used = PinnedWork.used() - begin;
            }
            busy = false;
        }

        void give(long nanos) throws InterruptedException {
            used = 0;
            busy = true;
            amounts.put(nanos);
        }
    }

    /** A server of one thread, which runs what it is sent. */
    private static final class Os {
        final PriorityProtocol protocol;
        final Endpoint<Callable<Long>, Long> endpoint;
        private volatile boolean holds;
        private volatile BooleanSupplier end = () -> true;
        /** What AP_o had used when the last request was taken. */
        private volatile long usedWhenTaken;

        Os(PriorityProtocol protocol, int cpu) throws InterruptedException, ExecutionException {
            this.protocol = protocol;
            endpoint = Endpoint.<Callable<Long>, Long>builder()
                    .name(protocol.toString())
                    .protocol(protocol)
                    .build();
            endpoint.serve(1, request -> request.reply(request.body().call()));
            endpoint.call(() -> {
                PinnedWork.moveTo(cpu);
                return 0L;
            });
        }

        /** Asleep at a priority. */
        void lull(int priority) throws InterruptedException {
            Reply<Long> reply = endpoint.send(priority, () -> {
                stand(priority);
                return 0L;
            });
            await(reply::isDone); // who waits in get lends its priority
            Thread.sleep(1);
        }

        /** Busy at a priority until {@link #end} holds: if that came, the answer tells. */
        Reply<Long> occupy(int priority) throws InterruptedException {
            holds = false;
            end = () -> false;
            Reply<Long> occupied = endpoint.send(priority, () -> {
                stand(priority);
                holds = true;
                await(() -> end.getAsBoolean());
                return 0L;
            });
            await(() -> holds);
            return occupied;
        }

        /** Without a protocol the thread keeps the priority that it has itself. */
        @SuppressWarnings("ThreadPriorityCheck") // that they can be relied on is what is measured
        private void stand(int priority) {
            if (protocol == PriorityProtocol.NONE) {
                Thread.currentThread().setPriority(priority);
            }
        }

        /** Ends what keeps it busy once it has been told of the next request in full. */
        void endWhenAsked(boolean raised) {
            EndpointStatistics then = endpoint.statistics();
            end = () -> {
                EndpointStatistics now = endpoint.statistics();
                return raised ? now.raises() > then.raises() : now.wakesSkipped() > then.wakesSkipped();
            };
        }

        long work(Middle middle) {
            usedWhenTaken = middle.used;
            return PinnedWork.compute(REQUEST_NANOS);
        }
    }

    private RequestCases(int cpu) throws InterruptedException, ExecutionException {
        low = new Middle(2, cpu);
        high = new Middle(6, cpu);
        for (PriorityProtocol protocol : PROTOCOLS) {
            servers.put(protocol, new Os(protocol, cpu));
        }
    }

    private static void await(BooleanSupplier sign) {
        long limit = System.nanoTime() + LIMIT;
        while (!sign.getAsBoolean()) {
            if (System.nanoTime() - limit > 0) {
                throw new IllegalStateException("no sign within " + TimeUnit.NANOSECONDS.toSeconds(LIMIT) + " s");
            }
            Thread.onSpinWait();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // as above
    private void round(Row row, Os server, long middleNanos, boolean told)
            throws InterruptedException, ExecutionException {
        Thread.currentThread().setPriority(row.requester());
        Middle middle = row.other() > row.server() ? high : low;
        server.lull(row.server());
        Reply<Long> occupied = row.wakes() ? null : server.occupy(row.server());
        if (middleNanos > 0) {
            middle.give(middleNanos);
            if (row.wakes() || middle == high) {
                await(() -> middle.used > 0);
            }
        }
        server.endWhenAsked(row.raises(server.protocol));
        EndpointStatistics then = server.endpoint.statistics();
        long begin = System.nanoTime();
        Reply<Long> reply = server.endpoint.send(() -> server.work(middle));
        long usedWhenSent = middle.used;
        long own = reply.get();
        long response = System.nanoTime() - begin;
        if (occupied != null) {
            var _ = occupied.get();
        }
        EndpointStatistics now = server.endpoint.statistics();
        long inversion = middleNanos > 0 ? server.usedWhenTaken - usedWhenSent : 0;
        await(() -> !middle.busy);
        if (told) {
            System.out.printf(
                    "result,%d,%s,%d,%d,%d,%d,%d,%d%n",
                    row.number(),
                    server.protocol,
                    middleNanos,
                    response,
                    own,
                    inversion,
                    now.wakes() - then.wakes(),
                    now.raises() - then.raises());
        }
    }

    private boolean run(int rounds, long[] middleNanos) throws InterruptedException, ExecutionException {
        List<PriorityProtocol> turn = new ArrayList<>(PROTOCOLS);
        for (int i = -Math.min(MOST_WARM_UP, 2 * rounds); i < rounds; i++) {
            for (Row row : TABLE) {
                for (long nanos : middleNanos) {
                    for (PriorityProtocol protocol : turn) {
                        Os server = servers.get(protocol);
                        if (server != null) {
                            round(row, server, nanos, i >= 0);
                        }
                    }
                }
            }
            Collections.rotate(turn, 1);
        }
        return true;
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        int rounds = Integer.parseInt(arguments[0]);
        long[] middleNanos = Arrays.stream(arguments[1].split(",", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        PinnedWork.moveTo(Integer.parseInt(arguments[2])); // and what it starts
        RequestCases cases = new RequestCases(Integer.parseInt(arguments[3]));
        FutureTask<Boolean> client = new FutureTask<>(() -> cases.run(rounds, middleNanos));
        Thread.ofPlatform().start(client);
        try {
            client.get();
        } finally { // else the servers keep the JVM
            cases.servers.values().forEach(server -> server.endpoint.close());
        }
    }
}
