package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a rank's thread runs that lets others go on again and again. */
@SuppressWarnings("ThreadPriorityCheck") // as ranks do
class MigrationTest {
    /** More often than any of few ranks does before it leaves. */
    private static final int OFTEN = 200;

    private BitSet allowed = new BitSet();
    private volatile boolean ended;

    private static BitSet only(int cpu) {
        BitSet one = new BitSet();
        one.set(cpu);
        return one;
    }

    @BeforeEach
    void needsTwoCpus() throws Exception {
        allowed = Sched.getAffinity(0);
        assumeTrue(allowed.cardinality() >= 2, "SKIP: needs two CPUs");
    }

    @AfterEach
    void mayRunAnywhere() {
        ended = true;
        assertEquals(0, Sched.setAffinity(0, allowed));
    }

    private Thread gives(int cpu) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread gives = Thread.ofPlatform().daemon().start(() -> {
            assertEquals(0, Sched.setAffinity(0, only(cpu)));
            begun.countDown();
            while (!ended) {
                Thread.yield();
            }
        });
        begun.await();
        return gives;
    }

    private static void giveWay(Migration migration, int times) {
        for (int together = 1; together <= times; together++) {
            Thread.yield();
            migration.consider(together);
        }
    }

    /** If it does once in some tries: the kernel itself may move it. */
    private boolean stays(int shared, Supplier<Migration> migration, int times) throws KernelException {
        boolean stays = false;
        for (int tries = 0; tries < 20 && !stays; tries++) {
            assertEquals(0, Sched.setAffinity(0, only(shared)));
            assertEquals(0, Sched.setAffinity(0, allowed)); // where it is is where it stays, for a while
            giveWay(migration.get(), times);
            stays = Sched.currentCpu() == shared;
        }
        return stays;
    }

    /** The same beside another thread that gives way on that CPU. */
    private boolean staysBesideAnother(Supplier<Migration> migration) throws Exception {
        int shared = allowed.nextSetBit(0);
        Thread other = gives(shared);
        boolean stays = stays(shared, migration, OFTEN);
        ended = true;
        other.join();
        return stays;
    }

    @Test
    void whoSharesACpuLeavesItAndMayComeBack() throws Exception {
        assertFalse(staysBesideAnother(() -> new Migration(0, false)));
        assertEquals(allowed, Sched.getAffinity(0));
    }

    /** Else both would leave it, and share the next. */
    @Test
    void theOtherThatSharesItIsStillThereThen() throws Exception {
        int shared = allowed.nextSetBit(0);
        Thread other = gives(shared);
        int enough = 1;
        while (stays(shared, () -> new Migration(0, false), enough) && enough < OFTEN) {
            enough++;
        }
        int first = enough;
        boolean stays = stays(shared, () -> new Migration(1, false), first + 1);
        ended = true;
        other.join();
        assertTrue(stays, "after " + first);
    }

    @Test
    void whoMayUseOneCpuOnlyStays() throws Exception {
        int shared = allowed.nextSetBit(0);
        Thread other = gives(shared);
        assertEquals(0, Sched.setAffinity(0, only(shared)));
        giveWay(new Migration(0, false), OFTEN);
        ended = true;
        other.join();
        assertEquals(only(shared), Sched.getAffinity(0));
    }

    @Test
    void whereThereAreMoreRanksThanCpusNobodyLeaves() throws Exception {
        assertTrue(staysBesideAnother(() -> new Migration(0, true)));
    }

    /** It lets others go on, and there are none. */
    @Test
    void whoHasACpuAloneStays() throws Exception {
        assertTrue(stays(allowed.nextSetBit(0), () -> new Migration(0, false), OFTEN));
    }
}
