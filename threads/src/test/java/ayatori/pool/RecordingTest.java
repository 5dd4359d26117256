package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a flight recording tells of a pool. */
class RecordingTest {
    private static final int THREADS = 8;
    private static final int ENOUGH = 10_000;

    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

    private Thread makeThread(Runnable worker) {
        Thread thread = Thread.ofPlatform().name("recorded-" + threads.size()).unstarted(worker);
        threads.add(thread);
        return thread;
    }

    @Test
    void startsSleepsReclaimsAndRaisesAreRecorded(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("pool.jfr");
        PoolStatistics last;
        try (Recording recording = new Recording()) {
            for (String event : List.of("ThreadStart", "ThreadSleep", "ThreadReclaim", "Raise")) {
                recording.enable("ayatori.pool." + event).withThreshold(Duration.ZERO);
            }
            recording.start();
            ReusableThreadPool pool = ReusableThreadPool.builder()
                    .name("recorded")
                    .maximumThreads(THREADS)
                    .threadFactory(this::makeThread)
                    .build();
            try (pool) {
                burst(pool);
                raise(pool);
                for (int i = 0; pool.statistics().reclaimed() == 0 && i < ENOUGH; i++) {
                    pool.submit(() -> {}).get();
                }
            }
            for (Thread thread : threads) {
                thread.join(); // a reclaimed one tells of it when the pool counts it no more
            }
            last = pool.statistics();
            recording.stop();
            recording.dump(file);
        }
        check(RecordingFile.readAllEvents(file), last);
    }

    /** All threads at once. */
    private static void burst(ReusableThreadPool pool) {
        CountDownLatch gate = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            var unused = pool.submit(() -> {
                gate.await();
                return null;
            });
        }
        gate.countDown();
        Waiting.until("all asleep", () -> pool.statistics().running() == 0);
    }

    private static void raise(ReusableThreadPool pool) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        // That of who waits for others later: a thread that had still another one might be raised for those, too.
        TaskFuture<Integer> low = pool.submit(Thread.NORM_PRIORITY, () -> {
            gate.await();
            return 0;
        });
        FutureTask<Integer> urgent = new FutureTask<>(low::get);
        Thread.ofPlatform().priority(9).start(urgent);
        Waiting.until("the raise", () -> pool.statistics().raises() == 1);
        gate.countDown();
        urgent.get();
    }

    private static void check(List<RecordedEvent> events, PoolStatistics last) {
        List<RecordedEvent> starts = ofKind(events, "ThreadStart");
        assertEquals(last.started(), starts.size());
        assertEquals(
                THREADS,
                starts.stream().mapToInt(event -> event.getInt("total")).max().orElse(0));
        assertTrue(starts.stream().allMatch(event -> event.getString("thread").startsWith("recorded-")));
        List<RecordedEvent> reclaims = ofKind(events, "ThreadReclaim");
        assertEquals(last.reclaimed(), reclaims.size());
        assertTrue(last.reclaimed() > 0, "nothing reclaimed in " + ENOUGH + " submissions");
        assertEquals(
                THREADS - 1, // not the first's: the reclaimed tell of it themselves, in any order
                reclaims.stream().mapToInt(event -> event.getInt("total")).max().orElse(0));
        assertTrue(ofKind(events, "ThreadSleep").size() > 0);
        List<RecordedEvent> raises = ofKind(events, "Raise");
        assertEquals(
                List.of("9 over 5", "0 over 5"),
                raises.stream()
                        .map(event -> event.getInt("lent") + " over " + event.getInt("priority"))
                        .toList());
    }

    private static List<RecordedEvent> ofKind(List<RecordedEvent> events, String kind) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("ayatori.pool." + kind))
                .filter(event -> event.getString("pool").equals("recorded"))
                .toList();
    }
}
