package jpi.internal.objects;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fory instances, each of which serves one thread at a time. One for each thread would cost a hundred thousand ranks 50 KB each;
 * one for all would make them wait. So there are as many as were ever in use together, a few more than CPUs. Nobody waits for one
 * that is in use, lest an important rank wait for one that has lost its CPU.
 */
final class ForyPool {
    /** Stacks of idle ones, a cache line apart: threads that hash apart do not meet, and the warmest is taken first. */
    private static final int STACKS =
            Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1);

    private static final int APART = 16;
    /** More than that stem from a burst and are let go. */
    private static final int DEEPEST = 16;

    /** The one that was used last, on top of each stack: nothing has to be made for it. */
    private final AtomicReferenceArray<@Nullable ForyInstance> tops = new AtomicReferenceArray<>(STACKS * APART);

    private final AtomicReferenceArray<@Nullable Idle> stacks = new AtomicReferenceArray<>(STACKS * APART);
    private final ReentrantLock making = new ReentrantLock();
    private final Supplier<ForyInstance> maker;

    ForyPool(Supplier<ForyInstance> maker) {
        this.maker = maker;
    }

    /** A link of a stack. Made anew each time: so a compare-and-set can never mistake an old for a new one. */
    private record Idle(ForyInstance instance, @Nullable Idle below, int depth) {}

    /** One for the caller alone, who gives it back unless it failed. */
    ForyInstance take() {
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

    /** Has been used and may be used again. */
    void give(ForyInstance instance) {
        int stack = (own() & (STACKS - 1)) * APART;
        if (tops.getPlain(stack) == null && tops.compareAndSet(stack, null, instance)) {
            return;
        }
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
            ForyInstance last = tops.getPlain(stack) == null ? null : tops.getAndSet(stack, null);
            if (last != null) {
                return last;
            }
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
