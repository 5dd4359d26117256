package jpi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import jpi.internal.engine.Rank;
import jpi.internal.shm.WindowMemory;
import org.jspecify.annotations.Nullable;

/**
 * Memory that all ranks of a communicator reach: each has a part, and reads and writes those of the others without their doing (MPI's
 * windows). Made by {@link JComm#window}.
 *
 * <p>The memory is one for all JVMs of the machine: {@link #put} and {@link #get} copy, and are over when they return; nothing is sent.
 * {@link #accumulate}, {@link #fetchAndOp} and their like change each element in one step, whoever else does so at the same time; of
 * what one rank puts while another gets or accumulates, any mixture may be seen.
 *
 * <p>So a rank says when it does what, in <em>epochs</em>; it accesses a part within one only:
 *
 * <ul>
 *   <li>{@link #fence}: all ranks together; what was put before it is seen after it.
 *   <li>{@link #lock}, {@link #lockShared}, {@link #lockAll}: as long as the rank has the lock. Those who wait get it in the order of
 *       asking. The owner of the part need not do anything; if it reads or writes its own {@link #memory()}, it locks that too.
 *   <li>{@link #start} to {@link #complete} by those who access, {@link #post} to {@link #await} by those whose parts are accessed: only the
 *       ranks concerned wait for each other.
 * </ul>
 *
 * <p>A rank's window is safe for use by several of its threads; epochs and locks are the rank's, not a thread's. In place of a target
 * {@link JHandle#PROC_NULL} may be given where nothing is to be returned: nothing happens then.
 *
 * <p>{@link JException} is thrown on a rank, a range, a type or an operation that does not fit, on access outside of any epoch, on use
 * after {@link #close}, and by whatever is called once the program has failed.
 */
public final class JWindow implements AutoCloseable {
    private final Members members;
    private final Rank rank;
    private final WindowMemory memory;
    private final MemorySegment all;
    private final JType type;
    private final Epochs epochs;
    private final AtomicElements atomics;
    /** As it was made: itself, unless it is seen {@link #as} one of another type. */
    private final JWindow made;
    /** Of the one that was made. */
    private volatile boolean closed;

    JWindow(Members members, WindowMemory memory, JType type) {
        this.members = members;
        this.memory = memory;
        this.type = type;
        rank = members.rank();
        all = memory.segment();
        epochs = new Epochs(members, memory.locks());
        atomics = new AtomicElements(all, type);
        made = this;
    }

    private JWindow(JWindow made, JType type) {
        this.made = made;
        this.type = type;
        members = made.members;
        rank = made.rank;
        memory = made.memory;
        all = made.all;
        epochs = made.epochs;
        atomics = new AtomicElements(all, type);
    }

    /**
     * The same window, as one of elements of another type: offsets and counts are in these. Epochs and locks are the same; what changes
     * elements in one step does so with regard to others that use the same type.
     */
    public JWindow as(JType other) {
        var _ = Given.required(other, "as", "a type", "name that of the elements, JType.LONG for instance");
        return other == type ? this : new JWindow(made, other);
    }

    // What it is.

    /** What its elements are. */
    public JType type() {
        return type;
    }

    /** How many elements this rank's part has. */
    public long count() {
        return count(members.me());
    }

    /** How many elements a rank's part has. */
    public long count(int target) {
        requireTarget(target);
        return bytes(target) / type.size();
    }

    /** Of a rank's part. */
    private long bytes(int target) {
        return memory.count(target) * made.type.size();
    }

    /** Its name, for messages. */
    public String name() {
        return members.name();
    }

    /** Gives it a name, at this rank. */
    public void setName(String name) {
        members.rename(Given.required(name, "setName", "a name", "give a text"));
    }

    /**
     * This rank's part, zeroes at first; as long as the window is open. What others see of what is written here, and when, epochs say; or
     * {@link #sync}.
     */
    public MemorySegment memory() {
        return memory(members.me());
    }

    /** Another rank's part, to be read and written directly (MPI_Win_shared_query); as {@link #memory()}. */
    public MemorySegment memory(int target) {
        requireTarget(target);
        return all.asSlice(memory.start(target), bytes(target));
    }

    private void requireOpen() {
        if (made.closed) {
            throw new JException("the " + members.name() + " has been closed: make another, or close it later");
        }
        rank.check();
    }

    private void requireTarget(int target) {
        requireOpen();
        members.requireMember(target);
    }

    /** False: there is nothing to do. */
    private boolean isTarget(int target) {
        requireOpen();
        if (target == JHandle.PROC_NULL) {
            return false;
        }
        members.requireMember(target);
        return true;
    }

    // Access.

    /** Where elements of a part are, which this rank may access now. */
    private long at(int target, long offset, int count) {
        epochs.requireAccess(target);
        long there = bytes(target) / type.size();
        if (offset < 0 || offset > there - count) {
            throw new JException(count + " " + type + (count == 1 ? "" : "s") + " from element " + offset
                    + " on in the part of rank " + target + " of the " + members.name() + ", which has " + there
                    + ": must lie within it");
        }
        return memory.start(target) + offset * type.size();
    }

    private void requireSuits(JBuffer buffer) {
        if (buffer.type() != type) {
            throw new JException(buffer + " and the " + members.name() + ", which is of " + type
                    + "s: both must have the same type");
        }
    }

    private static void copy(MemorySegment from, long fromAt, MemorySegment into, long intoAt, long bytes) {
        try {
            MemorySegment.copy(from, fromAt, into, intoAt, bytes);
        } catch (IllegalStateException e) {
            throw gone(e);
        }
    }

    private static JException gone(IllegalStateException e) {
        return new JException(
                "memory is no more (" + e.getMessage()
                        + "): keep its arena, or the window, open until the call returns",
                e);
    }

    /**
     * Writes to a rank's part.
     *
     * @param offset of the first element there
     */
    public void put(JBuffer values, int target, long offset) {
        var _ = Given.buffer(values, "put");
        requireSuits(values);
        if (isTarget(target)) {
            copy(values.memory(), 0, all, at(target, offset, values.count()), values.size());
        }
    }

    /**
     * Reads from a rank's part.
     *
     * @param into gets as many elements as it has room for
     * @param offset of the first element there
     */
    public void get(JBuffer into, int target, long offset) {
        var _ = Given.buffer(into, "get");
        requireSuits(into);
        into.requireWritable();
        if (isTarget(target)) {
            copy(all, at(target, offset, into.count()), into.memory(), 0, into.size());
        }
    }

    /**
     * Combines elements of a rank's part with values: each becomes {@code element op value}, in one step.
     *
     * @param offset of the first element there
     * @param operation on elements; a lambda may be called several times for one of them
     */
    public void accumulate(JBuffer values, int target, long offset, JOperation<?> operation) {
        combine(values, null, target, offset, operation);
    }

    /**
     * Does the same, and fetches what was there before.
     *
     * @param before gets that; of the values' count; may be the same buffer
     */
    public void getAccumulate(JBuffer values, JBuffer before, int target, long offset, JOperation<?> operation) {
        Given.buffers(values, before, "getAccumulate");
        requireSuits(before);
        before.requireWritable();
        if (before.count() != values.count()) {
            throw new JException(values + " are combined, and " + before
                    + " gets what was there before: both must have the same count");
        }
        combine(values, before, target, offset, operation);
    }

    private void combine(JBuffer values, @Nullable JBuffer before, int target, long offset, JOperation<?> operation) {
        Given.reduction(values, values, operation, "accumulate");
        requireSuits(values);
        operation.requireSuits(type);
        if (isTarget(target)) {
            long at = at(target, offset, values.count());
            try {
                atomics.accumulate(at, values, before, operation);
            } catch (IllegalStateException e) {
                throw gone(e);
            }
        }
    }

    /**
     * Combines an element of a window of integers or chars with a value, in one step: it becomes {@code element op value}.
     * {@link JOperation#NO_OP} reads it, {@link JOperation#REPLACE} writes it.
     *
     * @param value within the range of the window's type
     * @return the element before
     */
    public long fetchAndOp(long value, int target, long offset, JOperation<?> operation) {
        var _ = Given.operation(operation, "fetchAndOp");
        requireFits(value);
        operation.requireSuits(type);
        requireTarget(target);
        long at = at(target, offset, 1);
        try {
            return atomics.fetchAndOp(at, value, operation);
        } catch (IllegalStateException e) {
            throw gone(e);
        }
    }

    /** The same in a window of doubles or floats. */
    public double fetchAndOp(double value, int target, long offset, JOperation<?> operation) {
        var _ = Given.operation(operation, "fetchAndOp");
        if (type != JType.DOUBLE && type != JType.FLOAT) {
            throw new JException("double " + value + " and the " + members.name() + ", which is of " + type
                    + "s: give a long or an int");
        }
        operation.requireSuits(type);
        requireTarget(target);
        long at = at(target, offset, 1);
        try {
            return atomics.fetchAndOp(at, value, operation);
        } catch (IllegalStateException e) {
            throw gone(e);
        }
    }

    /**
     * Replaces an element of a window of integers or chars, unless it is another one than expected, in one step (MPI_Compare_and_swap).
     *
     * @param expected within the range of the window's type, as is {@code next}
     * @return the element before: if this is what was expected, it has been replaced
     */
    public long compareAndExchange(long expected, long next, int target, long offset) {
        requireFits(expected);
        requireFits(next);
        requireTarget(target);
        long at = at(target, offset, 1);
        try {
            return atomics.compareAndExchange(at, expected, next);
        } catch (IllegalStateException e) {
            throw gone(e);
        }
    }

    /** Does the same, and says if the element has been replaced. */
    public boolean compareAndSet(long expected, long next, int target, long offset) {
        return compareAndExchange(expected, next, target, offset) == expected;
    }

    private void requireFits(long value) {
        boolean fits = switch (type) {
            case BYTE -> value == (byte) value;
            case CHAR -> value == (char) value;
            case SHORT -> value == (short) value;
            case INT -> value == (int) value;
            case LONG -> true;
            case FLOAT, DOUBLE ->
                throw new JException("integer " + value + " and the " + members.name() + ", which is of " + type
                        + "s: give a double to fetchAndOp; compare and exchange integers only");
        };
        if (!fits) {
            throw new JException("value " + value + " and the " + members.name() + ", which is of " + type
                    + "s: must be one of these");
        }
    }

    // Epochs.

    /**
     * Ends what all ranks have accessed, and begins the next such epoch: what any of them has put before is seen by all after. Collective; a
     * rank that calls something else instead is waited for.
     */
    public void fence() {
        requireOpen();
        epochs.fence();
    }

    /** Waits until this rank has a part for itself: no other has any lock on it. */
    public void lock(int target) {
        if (isTarget(target)) {
            epochs.lock(target, true);
        }
    }

    /** Waits until no other rank has a part for itself, and keeps it so. */
    public void lockShared(int target) {
        if (isTarget(target)) {
            epochs.lock(target, false);
        }
    }

    /** Ends {@link #lock} or {@link #lockShared}. */
    public void unlock(int target) {
        if (isTarget(target)) {
            epochs.unlock(target);
        }
    }

    /** As {@link #lockShared} for all parts, in the order of the ranks. */
    public void lockAll() {
        requireOpen();
        epochs.lockAll();
    }

    /** Ends {@link #lockAll}. */
    public void unlockAll() {
        requireOpen();
        epochs.unlockAll();
    }

    /**
     * What this rank has put to a part that it has locked is there when this returns, before what it puts later. A rank that looks again and
     * again for something calls this, {@link #flushAll} or {@link #sync} in between, which lets others go on.
     */
    public void flush(int target) {
        if (isTarget(target)) {
            epochs.requireLocked(target);
            sync();
        }
    }

    /** The same for all parts. */
    public void flushAll() {
        sync();
    }

    /**
     * Orders what this rank does to {@link #memory} directly: what it has written before is seen before what it writes later, and what
     * others have written is seen.
     */
    public void sync() {
        requireOpen();
        VarHandle.fullFence();
        rank.progress();
    }

    /**
     * Lets some ranks access this one's part, from their {@link #start} to their {@link #complete}. Does not wait.
     *
     * @param origins this rank too, if it is to
     */
    public void post(int... origins) {
        var _ = Given.required(origins, "post", "ranks", "name those that it is for");
        epochs.post(requireTargets(origins));
    }

    /** Waits until those that were let have completed their access. */
    public void await() {
        requireOpen();
        epochs.awaitComplete();
    }

    /** The same, if it need not wait: if this is true, {@link #await} is not to be called. */
    public boolean test() {
        requireOpen();
        return epochs.testComplete();
    }

    /** Waits until some ranks let this one access their parts by {@link #post}. */
    public void start(int... targets) {
        var _ = Given.required(targets, "start", "ranks", "name those that it is for");
        epochs.start(requireTargets(targets));
    }

    /** Ends the access that was {@linkplain #start started}: those whose parts it was see what was put. Does not wait. */
    public void complete() {
        requireOpen();
        epochs.complete();
    }

    private int[] requireTargets(int[] ranks) {
        requireOpen();
        int[] some = Arrays.stream(ranks)
                .filter(one -> one != JHandle.PROC_NULL)
                .distinct()
                .toArray();
        for (int one : some) {
            members.requireMember(one);
        }
        return some;
    }

    /**
     * Says that this rank needs the window no more. Waits for nobody: others may go on, with this rank's part too. When all ranks of a JVM
     * have closed it, its memory is there no more, and access to a {@link #memory} that was kept is an {@link IllegalStateException};
     * while the JDK reads a file into it, or writes it to one, it stays until another window is made or closed after that.
     *
     * @throws JException if an epoch of this rank goes on; the window is open then
     */
    @Override
    public void close() {
        if (made.closed) {
            return;
        }
        if (!rank.hasFailed()) {
            epochs.requireNone("closes");
            epochs.requireNotPosted("closes");
        }
        if (made.markClosed()) {
            rank.closeWindow(members.id());
        }
    }

    /** False: another thread of the rank has been at it too, and was first. */
    private synchronized boolean markClosed() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    @Override
    public String toString() {
        return members.name() + " at rank " + members.me();
    }
}
