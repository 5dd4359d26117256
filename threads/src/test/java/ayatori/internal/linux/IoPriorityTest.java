package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.internal.linux.IoPriority.Kind;
import ayatori.sched.Needs;
import ayatori.sched.ParkedThread;
import org.junit.jupiter.api.Test;

class IoPriorityTest {
    /** No thread of the host can have it: above the largest that /proc/sys/kernel/pid_max may hold. */
    private static final int NO_THREAD = 1 << 30;

    @Test
    void eachLevelIsSetAndReadBack() throws Exception {
        try (ParkedThread parked = new ParkedThread("ioprio")) {
            int tid = parked.linuxThread().id();
            IoPriority before = IoPriority.get(0);
            for (int level = 0; level <= IoPriority.MAX_LEVEL; level++) {
                IoPriority wanted = new IoPriority(Kind.BEST_EFFORT, level);
                assertEquals(0, wanted.set(tid));
                assertEquals(wanted, IoPriority.get(tid));
            }
            assertEquals(0, new IoPriority(Kind.IDLE, 0).set(tid));
            assertEquals(new IoPriority(Kind.IDLE, 0), IoPriority.get(tid));
            assertEquals(before, IoPriority.get(0), "of another thread");
        }
    }

    @Test
    void theRealTimeClassIsSetAndReadBack() throws Exception {
        Needs.realTime();
        try (ParkedThread parked = new ParkedThread("ioprio-rt")) {
            int tid = parked.linuxThread().id();
            IoPriority wanted = new IoPriority(Kind.REAL_TIME, 3);
            assertEquals(0, wanted.set(tid));
            assertEquals(wanted, IoPriority.get(tid));
        }
    }

    @Test
    void whatTheKernelDoesNotHaveIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new IoPriority(Kind.BEST_EFFORT, 8));
        assertThrows(IllegalArgumentException.class, () -> new IoPriority(Kind.REAL_TIME, -1));
        assertThrows(IllegalArgumentException.class, () -> new IoPriority(Kind.IDLE, 1));
        assertEquals(-Errno.ESRCH, new IoPriority(Kind.BEST_EFFORT, 4).set(NO_THREAD));
        assertEquals(
                Errno.ESRCH,
                assertThrows(KernelException.class, () -> IoPriority.get(NO_THREAD))
                        .errno());
    }
}
