package ayatori.server;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server goes down to a low request while a more important one arrives: whoever is first, it is raised for that, or answers it
 * first. It does not work at the low level while the other waits.
 */
class FallingServerTest {
    private static final PriorityLadder LADDER = PriorityLadder.of(PriorityLadder.Policy.STATIC);
    private static final int ROUNDS = 4000;
    private static final int QUICK = 0;
    private static final int HOLD = 1;
    private static final int LATEST_NANOS = 60_000;
    private static final int RAISED = 113; // the rank of what priority 7 lends

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private volatile LinuxThread server = LinuxThread.current();

    @TempDir
    private Path directory;

    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    private void serve(int asked) {
        if (asked == HOLD) {
            server = LinuxThread.current();
            int number = held.incrementAndGet();
            while (released.get() < number) {
                LockSupport.parkNanos(20_000);
            }
        }
    }

    @FunctionalInterface
    private interface Sender {
        Future<?> send(int priority, int asked) throws Exception;
    }

    private void storm(Sender sender) throws Exception {
        try {
            for (int round = 1; round <= ROUNDS; round++) {
                round(sender, round);
            }
        } finally {
            released.set(Integer.MAX_VALUE);
        }
    }

    private void round(Sender sender, int number) throws Exception {
        Future<?> high = sender.send(9, QUICK);
        Future<?> low = sender.send(2, HOLD);
        long until = System.nanoTime() + RandomGenerator.getDefault().nextInt(LATEST_NANOS);
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        Future<?> middle = sender.send(7, QUICK);
        Waiting.until("the low request", () -> held.get() == number);
        Waiting.until("raised, round " + number, () -> middle.isDone() || isRaised(high));
        released.set(number);
        high.get();
        low.get();
        middle.get();
    }

    /** Of two that look for requests of another process, one may have the high one in hand while the other takes the low one. */
    private boolean isRaised(Future<?> high) {
        int rank = server.effectiveRank();
        return rank == RAISED || (rank > RAISED && !high.isDone());
    }

    @Test
    void inOneJvm() throws Exception {
        try (Endpoint<Integer, Integer> endpoint =
                Endpoint.<Integer, Integer>builder().ladder(LADDER).build()) {
            endpoint.serve(1, request -> {
                serve(request.body());
                request.reply(0);
            });
            storm(endpoint::send);
        }
    }

    @Test
    void forAClientOfAnotherProcess() throws Exception {
        Path path = directory.resolve("falling");
        try (Endpoint<Area, Area> endpoint =
                        Endpoint.<Area, Area>builder().ladder(LADDER).build();
                var _ = PublishedEndpoint.at(path).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path, 1 << 20)) {
            endpoint.serve(1, request -> {
                serve(request.body().segment().get(ValueLayout.JAVA_INT, 0));
                request.reply(request.body());
            });
            storm((priority, asked) -> {
                Area area = client.allocate(64);
                area.segment().set(ValueLayout.JAVA_INT, 0, asked);
                return client.send(priority, area).thenAccept(Area::close);
            });
        }
    }
}
