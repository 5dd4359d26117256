package jpi.internal.objects;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fory instances, each of which serves one thread at a time. One for each thread would cost a hundred thousand ranks 50 KB each;
 * one for all would make them wait. So a few threads, about as many as there are CPUs, have one of their own, and the others share as
 * many as were ever in use together, a few more than CPUs. Nobody waits for one that is in use, lest an important rank wait for one that
 * has lost its CPU.
 */
final class ForyPool {
    /** Stacks of idle ones, a cache line apart: threads that hash apart do not meet, and the warmest is taken first. */
    private static final int STACKS =
            Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1);

    private static final int APART = 16;
    /** More than that stem from a burst and are let go. */
    private static final int DEEPEST = 16;

    /** Of threads that hash apart. */
    private final Seat[] seats = new Seat[STACKS];

    private final AtomicReferenceArray<@Nullable Idle> stacks = new AtomicReferenceArray<>(STACKS * APART);
    private final ReentrantLock making = new ReentrantLock();
    private final Supplier<ForyInstance> maker;

    ForyPool(Supplier<ForyInstance> maker) {
        this.maker = maker;
        for (int i = 0; i < STACKS; i++) {
            seats[i] = new Seat.Apart();
        }
    }

    /** A link of a stack. Made anew each time: so a compare-and-set can never mistake an old for a new one. */
    private record Idle(ForyInstance instance, @Nullable Idle below, int depth) {}

    /** What a platform thread has to itself. */
    @SuppressWarnings("serial") // nobody serialises it
    private static sealed class Seat extends AtomicReference<@Nullable Thread> {
        // Of that thread.
        private @Nullable ForyInstance instance;
        /** What it encodes or decodes may do the same. */
        private boolean inUse;

        /** If the calling thread sits here now. */
        final boolean isTaken() {
            Thread thread = Thread.currentThread();
            Thread owner = getAcquire();
            return owner == thread
                    || (!thread.isVirtual() && (owner == null || !owner.isAlive()) && compareAndSet(owner, thread));
        }

        /** With much behind it that nobody writes: the next one has a cache line of its own. */
        @SuppressWarnings({"serial", "unused"}) // the fields take room
        static final class Apart extends Seat {
            private long after1;
            private long after2;
            private long after3;
            private long after4;
            private long after5;
            private long after6;
            private long after7;
            private long after8;
        }
    }

    /** One for the caller alone, who {@linkplain #end ends} its use. */
    ForyInstance take() {
        Seat seat = seats[own() & (STACKS - 1)];
        if (!seat.isTaken() || seat.inUse) {
            return takeShared();
        }
        ForyInstance instance = seat.instance;
        if (instance == null) {
            instance = takeShared();
            seat.instance = instance;
        }
        seat.inUse = true;
        return instance;
    }

    private ForyInstance takeShared() {
        ForyInstance idle = takeIdle();
        if (idle != null) {
            return idle;
        }
        // Making one takes milliseconds: in a burst one is back before the next is made.
        making.lock();
        try {
            idle = takeIdle();
            return idle == null ? maker.get() : idle;
        } finally {
            making.unlock();
        }
    }

    /**
     * Has been used. By the thread that has taken it.
     *
     * @param good if it may be used again
     */
    void end(ForyInstance instance, boolean good) {
        int own = own() & (STACKS - 1);
        Seat seat = seats[own];
        if (seat.getAcquire() == Thread.currentThread() && seat.instance == instance) {
            if (!good) {
                seat.instance = null;
            }
            seat.inUse = false;
        } else if (good) {
            give(instance, own * APART);
        }
    }

    private void give(ForyInstance instance, int stack) {
        while (true) {
            Idle top = stacks.get(stack);
            int depth = top == null ? 1 : top.depth + 1;
            if (depth > DEEPEST || stacks.compareAndSet(stack, top, new Idle(instance, top, depth))) {
                return;
            }
        }
    }

    private @Nullable ForyInstance takeIdle() {
        int first = own();
        for (int i = 0; i < STACKS; i++) {
            int stack = ((first + i) & (STACKS - 1)) * APART;
            Idle top = stacks.get(stack);
            while (top != null) {
                if (stacks.compareAndSet(stack, top, top.below)) {
                    return top.instance;
                }
                top = stacks.get(stack);
            }
        }
        return null;
    }

    private static int own() {
        return (int) Thread.currentThread().threadId();
    }
}
