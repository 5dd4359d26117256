package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class TaskFilesTest {
    @Test
    void aParkedThreadSleepsInAFutex() throws Exception {
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        Thread parked = Thread.ofPlatform().daemon().start(() -> {
            tid.set(Sched.gettid());
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (parked.getState() != Thread.State.WAITING
                || new TaskFiles(tid.get()).systemCall().isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
        TaskFiles files = new TaskFiles(tid.get());
        assertEquals("futex", SystemCallNames.of(files.systemCall().orElseThrow()));
        assertEquals('S', files.state());
        end.countDown();
        parked.join();
    }

    @Test
    void theCallingThreadRunsAndHasTouchedMemory() throws IOException {
        TaskFiles files = new TaskFiles(Sched.gettid());
        assertEquals('R', files.state());
        assertTrue(files.minorFaults() > 0);
        assertTrue(files.majorFaults() >= 0);
        assertEquals("read", SystemCallNames.of(files.systemCall().orElseThrow()), "that of the file itself");
    }

    @Test
    void aCallWithoutANameHasItsNumber() {
        assertEquals("system call 4711", SystemCallNames.of(4711));
    }

    @Test
    void aThreadThatDoesNotExist() {
        assertThrows(IOException.class, () -> new TaskFiles(99_999_999).state());
    }
}
