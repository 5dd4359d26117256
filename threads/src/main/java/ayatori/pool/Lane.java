package ayatori.pool;

import ayatori.internal.inheritance.Loan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that wait at one priority, first in, first out, for any number of threads, of which none waits for another. Slots are
 * filled one after the other and taken one after the other, and not used again: what was in one is taken when the task has been
 * claimed, so that it does not matter how often a slot is emptied.
 */
final class Lane {
    /** Segments double from the first to the largest: an idle lane is small, and a flood seldom needs another. */
    private static final int FIRST = 16;

    private static final int LARGEST = 1024;

    /** How many slots are taken from one note of it to the next: submitters read what stands beside the note. */
    private static final int STRIDE = 16;

    private static final Object TAKEN = new Object();

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle HEAD;
    private static final VarHandle NEXT;
    private static final VarHandle FILLED_TO;
    private static final VarHandle TAKEN_TO;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(Lane.class, "head", Segment.class);
            NEXT = lookup.findVarHandle(Segment.class, "next", Segment.class);
            FILLED_TO = lookup.findVarHandle(Segment.class, "filled", int.class);
            TAKEN_TO = lookup.findVarHandle(Segment.class, "taken", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final class Segment {
        /** Null, then a task, then TAKEN. */
        final @Nullable Object[] slots;

        /** All slots before this one are filled; may fall behind. */
        volatile int filled;
        /** All slots before this one are taken; may fall behind. */
        volatile int taken;
        /** Itself once all have gone on from here: what is collected must not keep what came after it. */
        volatile @Nullable Segment next;

        Segment(int size) {
            slots = new Object[size];
        }

        /** The segment after this one; null if there is none yet. */
        @Nullable
        Segment following(Lane lane) {
            Segment following = next;
            return following == this ? lane.head : following;
        }

        Segment followingOrNew(Lane lane) {
            Segment following = following(lane);
            if (following != null) {
                return following;
            }
            Segment fresh = new Segment(Math.min(LARGEST, 2 * slots.length));
            return NEXT.compareAndSet(this, null, fresh) ? fresh : followingOrNew(lane);
        }
    }

    /** Where a worker goes on the next time, without a look at what submitters write. For the worker itself. */
    static final class Place {
        private @Nullable Lane lane;
        private @Nullable Segment segment;
        private int slot;

        /** Which lane it was last in. */
        @Nullable
        Lane lane() {
            return lane;
        }

        private void at(Segment next) {
            segment = next;
            slot = next.taken;
        }
    }

    /** Java priority. */
    final int priority;

    private volatile Segment head = new Segment(FIRST);
    /** Where to begin to offer; may fall behind, even behind the head. */
    private volatile Segment tail = head;

    Lane(int priority) {
        this.priority = priority;
    }

    /** Puts a task in; false if another thread was just doing that too. */
    boolean offer(TaskFuture<?> task) {
        boolean alone = true;
        Segment first = tail;
        for (Segment segment = first; ; segment = segment.followingOrNew(this)) {
            @Nullable Object[] slots = segment.slots;
            for (int i = segment.filled; i < slots.length; i++) {
                if (SLOT.getOpaque(slots, i) != null) {
                    continue;
                }
                if (SLOT.compareAndSet(slots, i, null, task)) {
                    FILLED_TO.setRelease(segment, i + 1);
                    if (segment != first) {
                        tail = segment;
                    }
                    return alone;
                }
                alone = false;
            }
        }
    }

    /**
     * Claims the first task that can be. Who is raised to this priority stands here too, but only for as long as it is.
     *
     * @param worker for whom; null: nobody is to run it
     * @param place where the caller has come to
     * @param insists if false, gives up where another worker is just taking one
     */
    @Nullable
    TaskFuture<?> poll(@Nullable Worker worker, Place place, boolean insists) {
        if (place.lane != this) {
            place.lane = this;
            place.at(head);
        }
        for (Segment segment = place.segment; segment != null; segment = place.segment) {
            @Nullable Object[] slots = segment.slots;
            while (place.slot < slots.length) {
                int i = place.slot;
                Object item = SLOT.getAcquire(slots, i);
                if (item == null) {
                    return null;
                }
                place.slot = i + 1;
                if (item instanceof TaskFuture<?> task) {
                    boolean claimed = stillBelongs(task) && task.claim(worker);
                    SLOT.setRelease(slots, i, TAKEN); // whoever has it
                    if (i % STRIDE == 0) {
                        TAKEN_TO.setRelease(segment, i + 1);
                    }
                    if (claimed) {
                        return task;
                    }
                    if (!insists && task.worker() != null) {
                        return null;
                    }
                }
            }
            Segment following = pass(segment);
            if (following == null) {
                return null;
            }
            place.at(following);
        }
        return null;
    }

    /** If the task, which was found here, has this priority or, if it was raised to it, has it still. */
    private boolean stillBelongs(TaskFuture<?> task) {
        if (priority == task.priority()) {
            return true;
        }
        Loan loan = task.loan();
        if (loan != null) {
            loan.foundAt(priority);
        }
        return priority <= task.level();
    }

    /** Goes on from a segment of which all is taken; null if nothing follows. */
    private @Nullable Segment pass(Segment segment) {
        Segment following = segment.following(this);
        if (following != null && HEAD.compareAndSet(this, segment, following)) {
            segment.next = segment;
        }
        return following;
    }

    boolean isEmpty() {
        for (Segment segment = head; segment != null; segment = segment.following(this)) {
            @Nullable Object[] slots = segment.slots;
            for (int i = segment.taken; i < slots.length; i++) {
                Object item = SLOT.getVolatile(slots, i);
                if (item != TAKEN) {
                    return item == null;
                }
            }
        }
        return true;
    }

    /** Shows what is in, the first one first, while others may come and go, until one is the right one; null: none is. */
    @Nullable
    TaskFuture<?> find(Predicate<TaskFuture<?>> isRight) {
        for (Segment segment = head; segment != null; segment = segment.following(this)) {
            @Nullable Object[] slots = segment.slots;
            for (int i = segment.taken; i < slots.length; i++) {
                Object item = SLOT.getVolatile(slots, i);
                if (item == null) {
                    return null;
                }
                if (item instanceof TaskFuture<?> task && isRight.test(task)) {
                    return task;
                }
            }
        }
        return null;
    }
}
