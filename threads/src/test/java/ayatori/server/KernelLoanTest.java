package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a real-time thread lends a server of its own process that has neither an agent nor a ladder; read from the kernel. */
@Timeout(60)
class KernelLoanTest {
    private static final int ORDINARY = 20;

    private final Endpoint<Integer, Integer> endpoint =
            Endpoint.<Integer, Integer>builder().build();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicReference<LinuxThread> server = new AtomicReference<>();
    /** The server's when it took the last request. */
    private final AtomicInteger rank = new AtomicInteger();
    /** What the server has been asked. */
    private final Queue<Integer> order = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void serve() throws Exception {
        Needs.realTime();
        endpoint.serve(1, request -> {
            server.set(LinuxThread.current());
            rank.set(server.get().effectiveRank());
            order.add(request.body());
            if (request.body() > 0) {
                gate.await();
            }
            request.reply(request.body());
        });
        endpoint.call(0);
    }

    @AfterEach
    void close() {
        gate.countDown();
        endpoint.close();
    }

    private static FutureTask<Integer> at(int realTime, Callable<Integer> call) {
        FutureTask<Integer> task = new FutureTask<>(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(realTime));
            return call.call();
        });
        Thread.ofPlatform().start(task);
        return task;
    }

    private static void awaitRank(LinuxThread thread, int rank) {
        Waiting.until(thread + " at rank " + rank, () -> thread.effectiveRank() == rank);
    }

    @Test
    void theServerHasTheHighestPriorityOfWhoWaits() throws Exception {
        FutureTask<Integer> low = at(10, () -> endpoint.call(1));
        awaitRank(server.get(), 110);
        FutureTask<Integer> high = at(30, () -> endpoint.call(2));
        awaitRank(server.get(), 130);
        FutureTask<Integer> timed = at(40, () -> endpoint.call(3, Duration.ofMillis(300)));
        awaitRank(server.get(), 140);
        assertInstanceOf(
                TimeoutException.class,
                assertThrows(ExecutionException.class, timed::get).getCause());
        awaitRank(server.get(), 130);
        gate.countDown();
        assertEquals(1, low.get());
        assertEquals(2, high.get());
        awaitRank(server.get(), ORDINARY);
    }

    @Test
    void whoJoinsLendsAsWellAndAnInterruptDoesNotEndThat() throws Exception {
        FutureTask<Boolean> join = new FutureTask<>(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(30));
            Thread.currentThread().interrupt();
            assertEquals(1, endpoint.send(1).join());
            return Thread.interrupted();
        });
        Thread.ofPlatform().start(join);
        awaitRank(server.get(), 130);
        gate.countDown();
        assertTrue(join.get(), "interrupted still");
        awaitRank(server.get(), ORDINARY);
    }

    @Test
    void allWhoWaitForOneReplyAreLetGoBeforeTheNextRequest() throws Exception {
        Reply<Integer> reply = endpoint.send(1);
        FutureTask<Integer> high = at(30, reply::get);
        awaitRank(server.get(), 130);
        FutureTask<Integer> higher = at(40, reply::get);
        awaitRank(server.get(), 140);
        Reply<Integer> next = endpoint.send(0);
        gate.countDown();
        assertEquals(0, next.join());
        assertEquals(ORDINARY, rank.get(), "the server's, when it had taken the next one");
        assertEquals(1, high.get());
        assertEquals(1, higher.get());
    }

    @Test
    void aSenderThatWaitsForRoomLendsUntilItsRequestHasBeenTaken() throws Exception {
        List<Semaphore> gates = Stream.generate(() -> new Semaphore(0)).limit(3).toList();
        AtomicReference<LinuxThread> thread = new AtomicReference<>();
        try (Endpoint<Integer, Integer> narrow =
                Endpoint.<Integer, Integer>builder().capacity(1).build()) {
            narrow.serve(1, request -> {
                thread.set(LinuxThread.current());
                gates.get(request.body()).acquire();
                request.reply(request.body());
            });
            try {
                var _ = narrow.send(0);
                Waiting.until("taken", () -> thread.get() != null);
                var _ = narrow.send(1);
                FutureTask<Integer> send = at(30, () -> narrow.send(2).priority());
                awaitRank(thread.get(), 130);
                gates.get(0).release();
                gates.get(1).release();
                assertEquals(Thread.NORM_PRIORITY, send.get());
                awaitRank(thread.get(), ORDINARY);
                Waiting.until("all taken", () -> narrow.statistics().taken() == 3);
            } finally {
                gates.forEach(Semaphore::release);
            }
        }
    }

    @Test
    void aSenderThatGivesUpWaitingForRoomLendsUntilThen() throws Exception {
        Semaphore gate = new Semaphore(0);
        AtomicReference<LinuxThread> thread = new AtomicReference<>();
        try (Endpoint<Integer, Integer> narrow =
                Endpoint.<Integer, Integer>builder().capacity(1).build()) {
            narrow.serve(1, request -> {
                thread.set(LinuxThread.current());
                gate.acquire();
                request.reply(request.body());
            });
            try {
                var _ = narrow.send(0);
                Waiting.until("taken", () -> thread.get() != null);
                var _ = narrow.send(1);
                FutureTask<Integer> send =
                        at(30, () -> narrow.send(2, Duration.ofMillis(500)).priority());
                awaitRank(thread.get(), 130);
                assertInstanceOf(
                        TimeoutException.class,
                        assertThrows(ExecutionException.class, send::get).getCause());
                awaitRank(thread.get(), ORDINARY);
                assertEquals(1, narrow.statistics().waiting());
            } finally {
                gate.release(2);
            }
        }
    }

    @Test
    void oneOfSeveralServersIsLentThePriorityOfWhatItHasTaken() throws Exception {
        Queue<LinuxThread> threads = new ConcurrentLinkedQueue<>();
        List<Semaphore> gates = Stream.generate(() -> new Semaphore(0)).limit(4).toList();
        try (Endpoint<Integer, Integer> several =
                Endpoint.<Integer, Integer>builder().build()) {
            several.serve(3, request -> {
                threads.add(LinuxThread.current());
                gates.get(request.body()).acquire();
                request.reply(request.body());
            });
            List<FutureTask<Integer>> calls = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    int number = i;
                    calls.add(at(10 + 10 * i, () -> several.call(number)));
                }
                awaitRanks(threads, List.of(110, 120, 130));
                calls.add(at(40, () -> several.call(3)));
                Waiting.until("in the queue", () -> several.statistics().waiting() == 1);
                gates.get(0).release();
                assertEquals(0, calls.get(0).get());
                awaitRanks(threads, List.of(120, 130, 140));
            } finally {
                gates.forEach(Semaphore::release);
            }
            for (int i = 0; i < 4; i++) {
                assertEquals(i, calls.get(i).get());
            }
            awaitRanks(threads, List.of(ORDINARY, ORDINARY, ORDINARY));
        }
    }

    private static void awaitRanks(Queue<LinuxThread> threads, List<Integer> ranks) {
        Waiting.until(
                "servers at " + ranks,
                () -> threads.stream()
                        .distinct()
                        .map(LinuxThread::effectiveRank)
                        .sorted()
                        .toList()
                        .equals(ranks));
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // it is what orders the requests
    void aRequestForWhichAMoreImportantThreadWaitsIsTakenFirst() throws Exception {
        FutureTask<Integer> first = at(10, () -> endpoint.call(1));
        awaitRank(server.get(), 110);
        Reply<Integer> middle = endpoint.send(5, 2);
        Reply<Integer> low = endpoint.send(3, 3);
        FutureTask<Integer> wait = at(30, () -> {
            Thread.currentThread().setPriority(8);
            return low.get();
        });
        awaitRank(server.get(), 130);
        gate.countDown();
        assertEquals(1, first.get());
        assertEquals(2, middle.get());
        assertEquals(3, wait.get());
        assertEquals(List.of(0, 1, 3, 2), List.copyOf(order));
    }

    @Test
    void aServerWhoseRequestAnotherHasAnsweredLetsGoBeforeTheNextOne() throws Exception {
        AtomicReference<Request<Integer, Integer>> taken = new AtomicReference<>();
        AtomicReference<LinuxThread> thread = new AtomicReference<>();
        try (Endpoint<Integer, Integer> slow =
                Endpoint.<Integer, Integer>builder().build()) {
            slow.serve(1, request -> {
                thread.set(LinuxThread.current());
                rank.set(thread.get().effectiveRank());
                if (request.body() == 0) {
                    request.reply(0);
                } else {
                    taken.set(request);
                    gate.await();
                }
            });
            FutureTask<Integer> call = at(30, () -> slow.call(1));
            Reply<Integer> next;
            try {
                Waiting.until("taken", () -> taken.get() != null);
                awaitRank(thread.get(), 130);
                next = slow.send(0);
                taken.get().reply(2);
            } finally {
                gate.countDown();
            }
            assertEquals(0, next.join());
            assertEquals(ORDINARY, rank.get());
            assertEquals(2, call.get());
        }
    }

    @Test
    void aServerThatCancelsWhatItWorksOnLetsGoAtOnce() throws Exception {
        AtomicReference<Reply<Integer>> reply = new AtomicReference<>();
        CountDownLatch waited = new CountDownLatch(1);
        AtomicInteger afterwards = new AtomicInteger();
        AtomicReference<LinuxThread> thread = new AtomicReference<>();
        try (Endpoint<Integer, Integer> cancelling =
                Endpoint.<Integer, Integer>builder().build()) {
            cancelling.serve(1, request -> {
                thread.set(LinuxThread.current());
                waited.await();
                reply.get().cancel(false);
                afterwards.set(thread.get().effectiveRank());
            });
            reply.set(cancelling.send(1));
            FutureTask<Integer> wait = at(30, () -> reply.get().get());
            try {
                Waiting.until("taken", () -> thread.get() != null);
                awaitRank(thread.get(), 130);
            } finally {
                waited.countDown();
            }
            assertInstanceOf(
                    CancellationException.class,
                    assertThrows(ExecutionException.class, wait::get).getCause());
        }
        assertEquals(ORDINARY, afterwards.get());
    }

    @Test
    void itFollowsARequestThatIsForwarded() throws Exception {
        try (Endpoint<Integer, Integer> first =
                Endpoint.<Integer, Integer>builder().build()) {
            first.serve(1, request -> request.forward(endpoint, request.body()));
            FutureTask<Integer> call = at(30, () -> first.call(1));
            awaitRank(server.get(), 130);
            gate.countDown();
            assertEquals(1, call.get());
            awaitRank(server.get(), ORDINARY);
        }
    }

    @Test
    void itGoesAlongAChainOfServers() throws Exception {
        try (Endpoint<Integer, Integer> first =
                Endpoint.<Integer, Integer>builder().build()) {
            first.serve(1, request -> request.reply(endpoint.call(request.body())));
            FutureTask<Integer> call = at(10, () -> first.call(1));
            FutureTask<Integer> late;
            try {
                awaitRank(server.get(), 110);
                late = at(30, () -> first.call(0));
                awaitRank(server.get(), 130);
            } finally {
                gate.countDown();
            }
            assertEquals(1, call.get());
            assertEquals(0, late.get());
            awaitRank(server.get(), ORDINARY);
        }
    }

    @Test
    void aRequestThatIsPutOffIsLentNothingAndIsStillAnswered() throws Exception {
        AtomicReference<Request<Integer, Integer>> later = new AtomicReference<>();
        try (Endpoint<Integer, Integer> lazy =
                Endpoint.<Integer, Integer>builder().build()) {
            AtomicReference<LinuxThread> thread = new AtomicReference<>();
            lazy.serve(1, request -> {
                thread.set(LinuxThread.current());
                later.set(request);
            });
            FutureTask<Integer> call = at(30, () -> lazy.call(7));
            Waiting.until("put off", () -> later.get() != null);
            awaitRank(thread.get(), ORDINARY);
            later.get().reply(8);
            assertEquals(8, call.get());
        }
    }
}
