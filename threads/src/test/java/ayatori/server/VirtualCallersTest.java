package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.internal.linux.Sched;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads that call servers of their own JVM: they get their answers, at priority 5, and lend nothing while they wait. */
@Timeout(60)
class VirtualCallersTest {
    private static final int ORDINARY = 20;
    private static final int HELD = 1;
    private static final int OTHER = 2;

    private static <T> FutureTask<T> virtual(Callable<T> callable) {
        FutureTask<T> task = new FutureTask<>(callable);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static FutureTask<Integer> waiter(int priority, Reply<Integer> reply) {
        FutureTask<Integer> wait = new FutureTask<>(reply::get);
        Thread.ofPlatform().priority(priority).start(wait);
        return wait;
    }

    private static void passGate(Request<Integer, Integer> request, Gates gates) throws InterruptedException {
        gates.pass(request.body());
        request.reply(request.body());
    }

    @Test
    void theirCallsAndSendsAreAnsweredAtPriorityFive() throws Exception {
        try (Endpoint<Integer, Integer> endpoint =
                Endpoint.<Integer, Integer>builder().build()) {
            endpoint.serve(2, request -> request.reply(10 * request.body() + request.priority()));
            assertEquals(15, virtual(() -> endpoint.call(1)).get());
            assertEquals(
                    25, virtual(() -> endpoint.call(2, Duration.ofSeconds(30))).get());
            assertEquals(35, virtual(() -> endpoint.send(3).get()).get());
            assertEquals(47, virtual(() -> endpoint.send(7, 4).join()).get());
            for (int i = 0; i < 1000; i++) {
                int number = i;
                assertEquals(10 * i + 5, virtual(() -> endpoint.call(number)).get());
            }
        }
    }

    @Test
    void oneThatGivesUpTakesItsRequestBack() throws Exception {
        try (Endpoint<Integer, Integer> endpoint =
                        Endpoint.<Integer, Integer>builder().build();
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> passGate(request, gates));
            Reply<Integer> held = endpoint.send(HELD);
            var _ = gates.awaitTaken(HELD);
            FutureTask<Integer> late = virtual(() -> endpoint.call(OTHER, Duration.ofMillis(1)));
            assertInstanceOf(
                    TimeoutException.class,
                    assertThrows(ExecutionException.class, late::get).getCause());
            assertEquals(0, endpoint.statistics().waiting());
            gates.open(HELD);
            assertEquals(HELD, held.get());
        }
    }

    /** By the kernel, which would lend what the thread has that carries it. */
    @Test
    void theyLendNothingOfWhatCarriesThem() throws Exception {
        Needs.realTime();
        AtomicReference<LinuxThread> carrier = new AtomicReference<>();
        try (Endpoint<Integer, Integer> endpoint =
                        Endpoint.<Integer, Integer>builder().build();
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> passGate(request, gates));
            FutureTask<Integer> call = virtual(() -> {
                carrier.set(LinuxThread.of(Sched.gettid()));
                carrier.get().set(SchedulingParameters.roundRobin(30));
                return endpoint.call(HELD);
            });
            LinuxThread server = gates.awaitTaken(HELD);
            FutureTask<Integer> lesser = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(10));
                return endpoint.call(OTHER);
            });
            Thread.ofPlatform().start(lesser);
            Waiting.until("what a platform thread lends", () -> server.effectiveRank() > ORDINARY);
            assertEquals(110, server.effectiveRank());
            gates.openAll();
            assertEquals(HELD, call.get());
            assertEquals(OTHER, lesser.get());
        } finally {
            if (carrier.get() != null) {
                carrier.get().set(SchedulingParameters.other(0));
            }
        }
    }

    /** By the library. Static: a request of priority p has its server at RR 2p, rank 100 + 2p, and one that waits raises it to just below. */
    @Test
    void noneOfTheirOwnPriorityEither() throws Exception {
        Needs.realTime();
        try (Endpoint<Integer, Integer> endpoint = Endpoint.<Integer, Integer>builder()
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> passGate(request, gates));
            Reply<Integer> held = endpoint.send(2, HELD);
            LinuxThread server = gates.awaitTaken(HELD);
            FutureTask<Integer> wait = new FutureTask<>(held::get);
            Thread virtual = Thread.ofVirtual().start(wait);
            Waiting.until("it waits", () -> virtual.getState() == Thread.State.WAITING);
            assertEquals(104, server.effectiveRank());
            FutureTask<Integer> lesser = waiter(4, held);
            Waiting.until("what a platform thread lends", () -> server.effectiveRank() != 104);
            assertEquals(107, server.effectiveRank());
            gates.openAll();
            assertEquals(HELD, wait.get());
            assertEquals(HELD, lesser.get());
        }
    }
}
