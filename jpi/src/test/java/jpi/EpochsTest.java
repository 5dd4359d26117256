package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads of a rank that begin epochs at once: those that do not go together are refused, all but one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EpochsTest {
    private static final int ROUNDS = 2000;
    private static final int SPINS = 1000;
    private static final int ALL_HAVE = Integer.MAX_VALUE / 2;

    /** A kind of epoch. */
    private record Epoch(Consumer<JWindow> begin, Consumer<JWindow> end) {}

    private static final Epoch ONE = new Epoch(window -> window.lockShared(0), window -> window.unlock(0));
    private static final Epoch ALL = new Epoch(JWindow::lockAll, JWindow::unlockAll);
    /** Of a part that is always posted anew. */
    private static final Epoch STARTED = new Epoch(window -> window.start(0), window -> {
        window.complete();
        window.await();
        window.post(0);
    });

    private static final Epoch POSTED = new Epoch(window -> window.post(0), window -> {
        window.start(0);
        window.complete();
        window.await();
    });

    private static boolean isRefused(Runnable call) {
        try {
            call.run();
            return false;
        } catch (JException e) {
            return true;
        }
    }

    /** Two threads of one rank, at once again and again: of each two epochs one begins. */
    private static void race(JWindow window, Epoch first, Epoch second) {
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<Void> other = CompletableFuture.runAsync(
                () -> begin(window, second, arrived, begun),
                task -> Thread.ofPlatform().daemon().start(task));
        begin(window, first, arrived, begun);
        other.join();
    }

    private static void begin(JWindow window, Epoch epoch, AtomicInteger arrived, AtomicInteger begun) {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                meet(arrived, 2 * i);
                boolean isMine = !isRefused(() -> epoch.begin.accept(window));
                if (isMine) {
                    begun.getAndIncrement();
                }
                meet(arrived, 2 * i + 1);
                assertEquals(i + 1, begun.get(), "have begun");
                if (isMine) {
                    epoch.end.accept(window);
                }
            }
        } finally {
            arrived.set(ALL_HAVE); // else the other waits for this one
        }
    }

    /** Both threads go on from here at the same time. */
    @SuppressWarnings("ThreadPriorityCheck") // where there is one CPU
    private static void meet(AtomicInteger arrived, int before) {
        arrived.getAndIncrement();
        for (int spins = 0; arrived.get() < 2 * (before + 1); spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    @Test
    void aPartIsNotLockedWhileAllAre() {
        Ranks.run(1, handle -> {
            try (JWindow window = handle.COMM_WORLD.window(JType.LONG, 1)) {
                race(window, ONE, ALL);
                race(window, ALL, ALL);
            }
        });
    }

    @Test
    void noPartIsLockedWhileAccessIsStarted() {
        Ranks.run(1, handle -> {
            try (JWindow window = handle.COMM_WORLD.window(JType.LONG, 1)) {
                window.post(0);
                race(window, ONE, STARTED);
                race(window, ALL, STARTED);
                window.start(0);
                window.complete();
                window.await();
            }
        });
    }

    /** Else the one that is refused takes what the other waits for. */
    @Test
    void aPartIsPostedOnce() {
        Ranks.run(1, handle -> {
            try (JWindow window = handle.COMM_WORLD.window(JType.LONG, 1)) {
                race(window, POSTED, POSTED);
            }
        });
    }
}
