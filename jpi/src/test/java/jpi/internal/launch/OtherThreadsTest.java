package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who computes is found, whoever has started it, and nobody is taken for one who does. */
class OtherThreadsTest {
    /** Ample: it only bounds what hangs. */
    private static final long LIMIT_SECONDS = 60;

    private final BlockingQueue<Thread> begun = new LinkedBlockingQueue<>();
    private final CountDownLatch looked = new CountDownLatch(1);

    private void compute() {
        begun.add(Thread.currentThread());
        while (looked.getCount() != 0) {
            Thread.onSpinWait();
        }
    }

    private static <T> T await(Supplier<@Nullable T> wanted) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            T found = wanted.get();
            if (found != null) {
                return found;
            }
            assertTrue(System.nanoTime() - end < 0, "it does not come");
            Thread.onSpinWait();
        }
    }

    private static List<Thread> atWork() {
        return OtherThreads.atWork(Set.of());
    }

    /** As what depends on a request is one. */
    private static void inAVirtualThread(Runnable work) throws InterruptedException {
        Thread.ofVirtual().start(work).join();
    }

    @Test
    void whoComputesIsAtWorkWhoeverHasStartedIt() throws InterruptedException {
        try {
            Thread started = Thread.ofPlatform().start(this::compute);
            inAVirtualThread(() -> Thread.ofPlatform().start(this::compute));
            inAVirtualThread(() -> ForkJoinPool.commonPool().execute(this::compute));
            for (int i = 0; i < 3; i++) {
                Thread thread = begun.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                assertNotNull(thread);
                assertTrue(atWork().contains(thread), () -> thread + " of " + thread.getThreadGroup());
            }
            assertFalse(OtherThreads.atWork(Set.of(started)).contains(started));
        } finally {
            looked.countDown();
        }
    }

    /** The last one of them would wait for work for a minute. */
    @Test
    void aPoolWithoutWorkIsNotAtWork() {
        try (ForkJoinPool pool = new ForkJoinPool(1)) {
            Thread thread = pool.submit(Thread::currentThread).join();
            await(() -> thread.getState() == Thread.State.TIMED_WAITING ? thread : null);
            assertFalse(atWork().contains(thread));
        }
    }

    @Test
    void threadsOfTheJvmAreNotAtWork() {
        List<String> ofTheJvm = List.of("Reference Handler", "Signal Dispatcher", "Common-Cleaner");
        assertEquals(
                List.of(),
                atWork().stream()
                        .map(Thread::getName)
                        .filter(ofTheJvm::contains)
                        .toList());
    }

    /** But for the moments in which they have something to record. */
    @Test
    void whatIsRecordedIsNoWork() {
        try (RecordingStream recording = new RecordingStream()) {
            var _ = recording.enable("jdk.CPULoad").withPeriod(Duration.ofSeconds(1));
            recording.startAsync();
            for (String name : List.of("JFR Periodic Tasks", "JFR Event Stream")) {
                Thread thread = await(() -> thread(name));
                var _ = await(() -> atWork().contains(thread) ? null : thread);
            }
        }
    }

    /** Whose name begins so. */
    private static @Nullable Thread thread(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .findFirst()
                .orElse(null);
    }
}
