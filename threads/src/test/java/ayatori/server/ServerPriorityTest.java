package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.pool.ReusableThreadPool;
import ayatori.pool.TaskFuture;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel has for servers, read back from the kernel. Under static, priority p is RR 2p, and lends RR 2p - 1. */
class ServerPriorityTest {
    private static final PriorityLadder LADDER = PriorityLadder.of(PriorityLadder.Policy.STATIC);

    private final CountDownLatch gate = new CountDownLatch(1);

    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    @AfterEach
    void open() {
        gate.countDown();
    }

    private static EndpointBuilder<String, Integer> builder(PriorityProtocol protocol) {
        return Endpoint.<String, Integer>builder().protocol(protocol).ladder(LADDER);
    }

    /** The real-time value of the calling thread, as the kernel has it. */
    private static int value() {
        return LinuxThread.current().get().staticPriority();
    }

    private static void untilValue(LinuxThread thread, int value) {
        Waiting.until(thread + " at RR " + value, () -> thread.get().staticPriority() == value);
    }

    /** An endpoint with one server, which waits at the gate if it is asked to, and answers with its level. */
    private final class Gated implements AutoCloseable {
        final Endpoint<String, Integer> endpoint;
        final AtomicReference<LinuxThread> server = new AtomicReference<>();
        final AtomicReference<String> body = new AtomicReference<>("");

        Gated(PriorityProtocol protocol) {
            this(protocol, Integer.MAX_VALUE);
        }

        Gated(PriorityProtocol protocol, int capacity) {
            endpoint = builder(protocol).capacity(capacity).build();
            endpoint.serve(1, request -> {
                server.set(LinuxThread.current());
                body.set(request.body());
                if (request.body().equals("wait")) {
                    gate.await();
                }
                request.reply(value());
            });
        }

        /** Asks it to wait at the gate, and waits until it does. */
        Reply<Integer> keep(int priority) throws InterruptedException {
            Reply<Integer> reply = endpoint.send(priority, "wait");
            Waiting.until("the server busy", () -> body.get().equals("wait"));
            return reply;
        }

        /** The level at which a request is answered, while nobody waits for it. */
        int levelOf(int priority) throws InterruptedException {
            Reply<Integer> reply = endpoint.send(priority, "");
            Waiting.until("an answer", reply::isDone);
            return reply.resultNow();
        }

        @Override
        public void close() {
            gate.countDown();
            endpoint.close();
        }
    }

    private static <T> FutureTask<T> waiter(int priority, Reply<T> reply) {
        FutureTask<T> wait = new FutureTask<>(reply::get);
        Thread.ofPlatform().priority(priority).start(wait);
        return wait;
    }

    @Test
    void aServerWorksAtThePriorityOfTheRequestAndGoesDownWhenItTakesTheNext() throws Exception {
        for (PriorityProtocol protocol : new PriorityProtocol[] {PriorityProtocol.VPGET, PriorityProtocol.VPSET}) {
            try (Gated gated = new Gated(protocol)) {
                assertEquals(6, gated.levelOf(3));
                assertEquals(18, gated.levelOf(9));
                assertEquals(18, gated.server.get().get().staticPriority(), "it sleeps where it was");
                assertEquals(4, gated.levelOf(2));
            }
        }
    }

    @Test
    void alsoAtThePriorityThatItsThreadHasAnyway() throws Exception {
        try (Gated gated = new Gated(PriorityProtocol.VPSET);
                Endpoint<String, Integer> ceiling =
                        builder(PriorityProtocol.CEILING).ceiling(5).build()) {
            assertEquals(10, gated.levelOf(5));
            ceiling.serve(1, request -> request.reply(value()));
            assertEquals(10, ceiling.send(2, "").get());
        }
    }

    @Test
    void aServerThatLeavesTakesNoRaiseAlongAndAnotherOneGetsIt() throws Exception {
        try (Gated stays = new Gated(PriorityProtocol.VPSET)) {
            var _ = stays.keep(3);
            int before = value();
            Server<String, Integer> server = stays.endpoint.server(); // this thread
            Reply<Integer> own = stays.endpoint.send(2, "");
            Request<String, Integer> request = server.receive().orElseThrow();
            LinuxThread leaver = LinuxThread.current();
            FutureTask<Reply<Integer>> urgent = new FutureTask<>(() -> stays.endpoint.send(8, ""));
            Thread.ofPlatform().start(urgent).join();
            boolean leaverHelps = leaver.get().staticPriority() == 15;
            assertTrue(leaverHelps || stays.server.get().get().staticPriority() == 15, "one of the two is raised");
            request.reply(1);
            server.close();
            assertEquals(before, value());
            untilValue(stays.server.get(), 15);
            gate.countDown();
            assertEquals(16, urgent.get().get());
            assertEquals(1, own.get());
        }
    }

    @Test
    void whoWaitsForRoomHandsOnWhatItIsLent() throws Exception {
        try (Gated disk = new Gated(PriorityProtocol.VPSET, 1);
                Endpoint<String, Integer> files =
                        builder(PriorityProtocol.VPSET).build()) {
            var _ = disk.keep(2);
            var _ = disk.endpoint.send(2, "");
            files.serve(1, request -> request.reply(disk.endpoint.send("").get()));
            FutureTask<Integer> urgent = waiter(9, files.send(3, ""));
            untilValue(disk.server.get(), 17);
            gate.countDown();
            assertTrue(urgent.get() >= 6);
        }
    }

    @Test
    void aRequestThatComesFirstByItsAgeIsRaisedByTheOneBehindIt() throws Exception {
        AtomicReference<LinuxThread> server = new AtomicReference<>();
        try (Endpoint<String, Integer> endpoint = builder(PriorityProtocol.VPSET)
                .ageingLimit(Duration.ofMillis(1))
                .build()) {
            CountDownLatch old = new CountDownLatch(1);
            endpoint.serve(1, request -> {
                server.set(LinuxThread.current());
                switch (request.body()) {
                    case "first" -> old.await();
                    case "old" -> gate.await();
                    default -> {}
                }
                request.reply(value());
            });
            var _ = endpoint.send(9, "first");
            Waiting.until("the first", () -> server.get() != null);
            Reply<Integer> overdue = endpoint.send(1, "old");
            Reply<Integer> urgent = endpoint.send(8, "");
            long sent = System.nanoTime();
            Waiting.until("both overdue; the older one comes first", () -> System.nanoTime() - sent > 1_000_000);
            old.countDown();
            untilValue(server.get(), 15);
            gate.countDown();
            Waiting.until("both", () -> overdue.isDone() && urgent.isDone());
            assertEquals(16, urgent.resultNow());
        }
    }

    @Test
    void withoutAProtocolAServerStaysWhereItIs() throws Exception {
        try (Gated gated = new Gated(PriorityProtocol.NONE)) {
            assertEquals(0, gated.levelOf(9));
            assertEquals(0, gated.levelOf(2));
        }
    }

    @Test
    void underACeilingAServerIsAlwaysThere() throws Exception {
        try (Endpoint<String, Integer> endpoint =
                builder(PriorityProtocol.CEILING).ceiling(7).build()) {
            endpoint.serve(1, request -> request.reply(value()));
            Reply<Integer> low = endpoint.send(2, "");
            Reply<Integer> high = endpoint.send(7, "");
            assertEquals(14, low.get());
            assertEquals(14, high.get());
            assertThrows(IllegalArgumentException.class, () -> endpoint.send(8, ""));
        }
    }

    @Test
    void aServerUnderACeilingAsksOthersAtThePriorityThatItWorksFor() throws Exception {
        try (Endpoint<String, Integer> disk = builder(PriorityProtocol.VPSET).build();
                Endpoint<String, Integer> files =
                        builder(PriorityProtocol.CEILING).ceiling(9).build()) {
            disk.serve(1, request -> request.reply(request.priority()));
            files.serve(1, request -> request.reply(disk.call("")));
            Reply<Integer> low = files.send(2, "");
            Waiting.until("an answer", low::isDone);
            assertEquals(2, low.resultNow());
        }
    }

    @Test
    void aMoreImportantRequestRaisesABusyServerUnderVpsetOnly() throws Exception {
        try (Gated gated = new Gated(PriorityProtocol.VPSET)) {
            Reply<Integer> low = gated.keep(2);
            Reply<Integer> urgent = gated.endpoint.send(8, "");
            untilValue(gated.server.get(), 15);
            Reply<Integer> more = gated.endpoint.send(9, "");
            untilValue(gated.server.get(), 17);
            assertTrue(more.cancel(false));
            untilValue(gated.server.get(), 15);
            assertTrue(urgent.cancel(false));
            untilValue(gated.server.get(), 4);
            gate.countDown();
            Waiting.until("an answer", low::isDone); // get() would lend this thread's priority
            assertEquals(4, low.resultNow());
        }
    }

    @Test
    void underVpgetItDoesNot() throws Exception {
        try (Gated gated = new Gated(PriorityProtocol.VPGET)) {
            Reply<Integer> low = gated.keep(2);
            Reply<Integer> urgent = gated.endpoint.send(8, "");
            FutureTask<Integer> waits = waiter(9, low);
            assertEquals(4, gated.server.get().get().staticPriority());
            gate.countDown();
            assertEquals(4, waits.get());
            assertEquals(16, urgent.get());
            assertEquals(0, gated.endpoint.statistics().raises());
        }
    }

    @Test
    void whoWaitsForAnAnswerLendsItsPriorityUntilItHasIt() throws Exception {
        try (Gated gated = new Gated(PriorityProtocol.VPSET)) {
            Reply<Integer> low = gated.keep(2);
            FutureTask<Integer> urgent = waiter(8, low);
            untilValue(gated.server.get(), 15);
            gate.countDown();
            assertEquals(15, urgent.get());
            assertEquals(4, gated.levelOf(2), "nothing is left of it");
        }
    }

    @Test
    void aLateRaiseGoesThroughServersAndPools() throws Exception {
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                        .maximumThreads(1)
                        .ladder(LADDER)
                        .build();
                Gated disk = new Gated(PriorityProtocol.VPSET);
                Endpoint<String, Integer> files =
                        builder(PriorityProtocol.VPSET).build()) {
            files.serve(1, request -> request.reply(disk.endpoint.call("wait")));
            TaskFuture<Integer> task = pool.submit(3, () -> files.call(""));
            Waiting.until("the disk busy", () -> disk.body.get().equals("wait"));
            assertEquals(6, disk.server.get().get().staticPriority());
            FutureTask<Integer> urgent = new FutureTask<>(task::get);
            Thread.ofPlatform().priority(9).start(urgent);
            untilValue(disk.server.get(), 17);
            gate.countDown();
            assertEquals(17, urgent.get());
            assertEquals(4, disk.levelOf(2), "nothing is left of it");
        }
    }

    @Test
    void whatIsLentGoesAlongWithAForwardedRequest() throws Exception {
        try (Gated disk = new Gated(PriorityProtocol.VPSET);
                Endpoint<String, Integer> files =
                        builder(PriorityProtocol.VPSET).build()) {
            AtomicReference<LinuxThread> first = new AtomicReference<>();
            files.serve(1, request -> {
                first.set(LinuxThread.current());
                request.forward(disk.endpoint, "wait");
            });
            FutureTask<Integer> urgent = waiter(8, files.send(3, ""));
            Waiting.until("the disk busy", () -> disk.server.get() != null);
            untilValue(disk.server.get(), 15);
            untilValue(first.get(), 6);
            gate.countDown();
            assertEquals(15, urgent.get());
        }
    }

    @Test
    void anAnswerThatIsPutOffRaisesNobody() throws Exception {
        try (Endpoint<String, Integer> endpoint =
                builder(PriorityProtocol.VPSET).build()) {
            Queue<Request<String, Integer>> putOff = new ConcurrentLinkedQueue<>();
            AtomicReference<LinuxThread> server = new AtomicReference<>();
            endpoint.serve(1, request -> {
                server.set(LinuxThread.current());
                if (putOff.isEmpty()) {
                    putOff.add(request);
                } else {
                    request.reply(value());
                }
            });
            FutureTask<Integer> urgent = waiter(8, endpoint.send(2, ""));
            Waiting.until("it has been taken", () -> !putOff.isEmpty());
            untilValue(server.get(), 4);
            Reply<Integer> other = endpoint.send(3, "");
            Waiting.until("the other", other::isDone);
            assertEquals(6, other.resultNow());
            putOff.element().reply(1);
            assertEquals(1, urgent.get());
        }
    }

    @Test
    void aThreadIsBackAtItsOwnLevelWhenItServesNoMore() throws Exception {
        SchedulingParameters before = LinuxThread.current().get();
        Endpoint<String, Integer> endpoint = builder(PriorityProtocol.VPSET).build();
        Reply<Integer> reply = endpoint.send(8, "");
        try (Server<String, Integer> server = endpoint.server()) {
            server.receive().orElseThrow().reply(value());
        }
        assertEquals(16, reply.get());
        assertEquals(before, LinuxThread.current().get());
        assertEquals(Thread.NORM_PRIORITY, Thread.currentThread().getPriority());
        assertFalse(endpoint.isClosed());
        endpoint.close();
    }
}
