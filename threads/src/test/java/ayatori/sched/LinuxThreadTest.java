package ayatori.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinuxThreadTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "RR 20",
                "RR 99 reset-on-fork",
                "FIFO 3",
                "OTHER nice 4",
                "OTHER nice -5 reset-on-fork",
                "BATCH nice 7",
                "IDLE",
                "DEADLINE runtime 1ms deadline 10ms period 20ms reset-on-fork",
            })
    void theKernelHasWhatWasSet(String text) throws Exception {
        Needs.realTime();
        SchedulingParameters wanted = SchedulingParameters.parse(text);
        try (ParkedThread thread = new ParkedThread("set-me")) {
            thread.linuxThread().set(wanted);
            assertEquals(wanted, thread.linuxThread().get());
            if (wanted.policy() != SchedulingPolicy.IDLE) {
                assertEquals(wanted.rank(), thread.linuxThread().effectiveRank());
            }
            thread.linuxThread().set(SchedulingParameters.other(0));
            assertEquals("OTHER", thread.linuxThread().get().toString());
        }
    }

    @Test
    void otherProcessesThreadsCanBeSet() throws Exception {
        Needs.realTime();
        Process child = new ProcessBuilder("sleep", "60").start();
        try {
            LinuxThread thread = LinuxThread.of((int) child.pid());
            thread.set(SchedulingParameters.roundRobin(7));
            assertEquals("RR 7", thread.get().toString());
            assertEquals(child.pid(), thread.processId());
            assertEquals(1, LinuxThread.ofProcess((int) child.pid()).size());
        } finally {
            child.destroyForcibly();
            assertTrue(child.waitFor(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void currentThreadKnowsItself() throws Exception {
        LinuxThread current = LinuxThread.current();
        assertEquals(Sched.gettid(), current.id());
        assertEquals(ProcessHandle.current().pid(), current.processId());
        assertEquals(current, LinuxThread.of(current.id()));
        assertEquals(Optional.of(current), LinuxThread.of(Thread.currentThread()));
        assertTrue(LinuxThread.ofProcess(current.processId()).contains(current));
    }

    @Test
    void javaThreadsAreKnownOnceTheyHaveAsked() throws Exception {
        ParkedThread thread = new ParkedThread("known");
        assertEquals(Optional.of(thread.linuxThread()), LinuxThread.of(thread.javaThread()));
        assertEquals("known", thread.linuxThread().name());
        assertTrue(thread.linuxThread().isAlive());
        thread.close();
        assertEquals(Optional.empty(), LinuxThread.of(thread.javaThread()));
        assertFalse(thread.linuxThread().isAlive());
        assertEquals(Optional.empty(), LinuxThread.of(new Thread()));
    }

    @Test
    void aVirtualThreadHasNoLinuxThreadOfItsOwn() throws Exception {
        CompletableFuture<String> message = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().name("v").start(() -> {
            try {
                message.complete("got " + LinuxThread.current());
            } catch (UnsupportedOperationException e) {
                message.complete(String.valueOf(e.getMessage()));
            }
        });
        assertTrue(message.get(30, TimeUnit.SECONDS).startsWith("virtual thread \"v\" has no Linux thread"));
        assertEquals(Optional.empty(), LinuxThread.of(thread));
    }

    @Test
    void whatIsReadWhileAnotherThreadSetsItIsWhole() throws Exception {
        Needs.realTime();
        Needs.twoCpus();
        SchedulingParameters raised = SchedulingParameters.roundRobin(20);
        SchedulingParameters ordinary = SchedulingParameters.other(4);
        try (ParkedThread thread = new ParkedThread("set-and-read")) {
            thread.linuxThread().set(ordinary);
            int tid = thread.linuxThread().id();
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger set = new AtomicInteger();
            Thread setter = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    assertEquals(0, Sched.setAttributes(tid, raised.toAttributes()));
                    assertEquals(0, Sched.setAttributes(tid, ordinary.toAttributes()));
                    set.getAndIncrement();
                }
            });
            try {
                for (int i = 0; i < 500_000; i++) {
                    SchedulingParameters read = thread.linuxThread().get();
                    assertTrue(read.equals(raised) || read.equals(ordinary), read + " was never set");
                }
            } finally {
                over.set(true);
                setter.join();
            }
            assertTrue(set.get() > 1000, set + " times set meanwhile");
        }
    }

    @Test
    void aThreadThatHasEndedIsNamedByItsError() throws Exception {
        ParkedThread parked = new ParkedThread("ended");
        LinuxThread thread = parked.linuxThread();
        parked.close();
        Waiting.until(
                "the kernel to forget the thread",
                () -> thread.nameForMessages().isEmpty());
        SchedulingException e = assertThrows(SchedulingException.class, () -> thread.set(SchedulingParameters.idle()));
        assertEquals(Errno.ESRCH, e.errno());
        assertEquals(
                "thread " + thread.id() + ": wanted IDLE, not set (ESRCH); the thread has ended, or the ledger's agent"
                        + " does not list it",
                e.getMessage());
        assertThrows(SchedulingException.class, thread::get);
        assertThrows(SchedulingException.class, thread::name);
        assertThrows(SchedulingException.class, () -> LinuxThread.of(thread.id()));
        assertThrows(SchedulingException.class, () -> LinuxThread.ofProcess(thread.id()));
        assertThrows(IllegalArgumentException.class, () -> LinuxThread.of(0));
    }

    @Test
    void twoThreadsAreNotTheSame() throws Exception {
        try (ParkedThread one = new ParkedThread("one");
                ParkedThread two = new ParkedThread("two")) {
            assertNotEquals(one.linuxThread(), two.linuxThread());
        }
    }

    @Test
    void statisticsGrow() {
        LinuxThread current = LinuxThread.current();
        SchedulingStatistics before = current.statistics();
        Waiting.until("a thousandth of a second of CPU time, and a switch", () -> {
            SchedulingStatistics now = current.statistics();
            return now.cpuNanos() > before.cpuNanos() + 1_000_000
                    && now.slices() > before.slices()
                    && now.voluntarySwitches() > before.voluntarySwitches();
        });
    }
}
