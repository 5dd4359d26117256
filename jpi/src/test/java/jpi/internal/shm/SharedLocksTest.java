package jpi.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets a lock, and when. */
final class SharedLocksTest {
    private static final int PART = 2;

    private final List<WindowMemory> opened = new ArrayList<>();
    private final List<Integer> granted = new ArrayList<>();

    private SharedLocks locks(int ranks) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            WindowMemory memory = WindowMemory.open(WindowMemory.make(new long[ranks], Long.BYTES, arena));
            memory.retain();
            opened.add(memory);
            return memory.locks();
        }
    }

    @AfterEach
    void close() {
        opened.forEach(memory -> assertTrue(memory.release()));
    }

    private boolean acquire(SharedLocks locks, int rank, boolean exclusive) {
        return locks.acquire(PART, rank, exclusive, granted::add);
    }

    private void release(SharedLocks locks, boolean exclusive) {
        locks.release(PART, exclusive, granted::add);
    }

    @Test
    void whoWaitsGetsItInTheOrderOfAskingAndThoseWhoShareTogether() throws IOException {
        SharedLocks locks = locks(6);
        assertTrue(acquire(locks, 0, true));
        assertFalse(acquire(locks, 1, false));
        assertFalse(acquire(locks, 2, false));
        assertFalse(acquire(locks, 3, true));
        assertFalse(acquire(locks, 4, false));
        assertEquals(List.of(), granted);
        release(locks, true);
        assertEquals(List.of(1, 2), granted);
        assertFalse(acquire(locks, 5, false)); // does not overtake 3
        release(locks, false);
        assertEquals(List.of(1, 2), granted);
        release(locks, false);
        assertEquals(List.of(1, 2, 3), granted);
        release(locks, true);
        assertEquals(List.of(1, 2, 3, 4, 5), granted);
        assertTrue(acquire(locks, 0, false));
        for (int i = 0; i < 3; i++) {
            release(locks, false);
        }
        assertTrue(acquire(locks, 0, true));
        assertTrue(locks.acquire(PART + 1, 0, true, granted::add)); // another part is another lock
    }

    /** More often than there are numbers for places in the queue. */
    @Test
    void aQueueLastsForEver() throws IOException {
        SharedLocks locks = locks(3);
        int turns = (1 << 21) + 10;
        int[] grants = new int[3];
        IntConsumer granting = rank -> grants[rank]++;
        assertTrue(locks.acquire(PART, 0, true, granting));
        for (int i = 0; i < turns; i++) {
            int next = 1 + i % 2;
            if (locks.acquire(PART, next, true, granting)) {
                throw new AssertionError("two have it at turn " + i);
            }
            locks.release(PART, true, granting);
        }
        assertEquals(List.of(turns / 2, turns / 2), List.of(grants[1], grants[2]));
        locks.release(PART, true, granting);
        assertTrue(locks.acquire(PART, 0, true, granting));
    }

    @Test
    void threadsAreAloneOrShare() throws Exception {
        int threads = 5;
        SharedLocks locks = locks(threads);
        Semaphore[] turns = new Semaphore[threads];
        long[] counters = new long[2];
        List<Thread> all = new ArrayList<>();
        List<String> mistakes = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            turns[i] = new Semaphore(0);
        }
        IntConsumer granting = rank -> turns[rank].release();
        for (int i = 0; i < threads; i++) {
            int rank = i;
            all.add(Thread.ofPlatform().start(() -> {
                for (int turn = 0; turn < 20_000; turn++) {
                    boolean exclusive = (turn + rank) % 3 != 0;
                    if (!locks.acquire(PART, rank, exclusive, granting)) {
                        turns[rank].acquireUninterruptibly();
                    }
                    if (counters[0] != counters[1]) {
                        synchronized (mistakes) {
                            mistakes.add(counters[0] + " and " + counters[1]);
                        }
                    }
                    if (exclusive) {
                        counters[0]++;
                        counters[1]++;
                    }
                    locks.release(PART, exclusive, granting);
                }
            }));
        }
        for (Thread thread : all) {
            assertTrue(thread.join(Duration.ofMinutes(1)), "a thread waits for ever");
        }
        assertEquals(List.of(), mistakes);
        // Of 20 000 turns a third is shared; one more or less for some.
        long alone = 0;
        for (int rank = 0; rank < threads; rank++) {
            for (int turn = 0; turn < 20_000; turn++) {
                alone += (turn + rank) % 3 == 0 ? 0 : 1;
            }
        }
        assertEquals(alone, counters[0]);
    }
}
