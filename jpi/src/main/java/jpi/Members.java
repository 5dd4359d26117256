package jpi;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import jpi.internal.engine.Communicator;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;
import jpi.internal.engine.Turn;
import jpi.internal.shm.Assembly;
import org.jspecify.annotations.Nullable;

/** Who is in a communicator, as one of its ranks sees it. */
final class Members {
    /** Each communicator has two contexts, one for its users' messages and one for those of collective operations. */
    private static final int CONTEXTS = 2;

    private static final int LEAST_ASSEMBLED = 3;
    /** Bytes that may be kept from one operation to the next. */
    private static final long MOST_SPARE = 4 << 20;

    private final Rank rank;
    private final Communicator communicator;
    private final int id;
    /** Numbers in the whole program, by rank; null: the same. */
    private final int @Nullable [] numbers;

    private final int me;
    /** Collective operations that this rank has begun. */
    private final AtomicInteger collectives = new AtomicInteger();

    /** Null: these ranks never assemble. */
    private final @Nullable Turns turns;
    /** Null: there is none, or none has been sought yet. */
    private volatile @Nullable Assembly assembly;

    private volatile boolean hasSoughtAssembly;

    private final AtomicReference<@Nullable JBuffer> spare = new AtomicReference<>();

    private final Map<JAttribute<?>, Object> attributes = new ConcurrentHashMap<>();
    private volatile boolean freed;

    Members(Rank rank, String name, int id, int @Nullable [] numbers, int me) {
        this.rank = rank;
        this.id = id;
        this.numbers = numbers;
        this.me = me;
        turns = mayAssemble() ? new Turns(0) : null;
        communicator = rank.enter(id, name, numbers);
    }

    Rank rank() {
        return rank;
    }

    String name() {
        return communicator.name();
    }

    void rename(String newName) {
        communicator.rename(newName);
    }

    /** Tells its communicator from all others that one of its ranks is in. */
    int id() {
        return id;
    }

    int me() {
        return me;
    }

    int size() {
        return numbers == null ? rank.ranks() : numbers.length;
    }

    int context() {
        requireNotFreed();
        return CONTEXTS * id;
    }

    int collectiveContext() {
        return CONTEXTS * id + 1;
    }

    /** The tag of the next collective operation; the same for all members, since they begin them in the same order. */
    int nextCollective() {
        requireNotFreed();
        return collectives.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** If little is done {@linkplain Together together}: where a few ranks share CPUs. Of two each waits for the other in any case. */
    private boolean mayAssemble() {
        return rank.settings().crowded() && size() >= LEAST_ASSEMBLED && size() <= Assembly.MOST_RANKS;
    }

    /** Where these ranks leave what they give; null: they do not. The same for all of them. */
    @Nullable
    Assembly assembly() {
        if (turns != null && !hasSoughtAssembly) {
            boolean here = IntStream.range(1, size()).allMatch(i -> worker(i) == worker(0));
            assembly = rank.assembly(id, number(0), size(), here);
            hasSoughtAssembly = true;
        }
        return assembly;
    }

    /** That an operation may leave something at its place of the assembly; null: it may. */
    @Nullable
    Turn turn(int collective) {
        return requireNonNull(turns).of(collective, rank);
    }

    /** A collective operation needs no place there, or does not any more. Once for each. */
    void leave(int collective) {
        if (turns != null) {
            turns.end(collective);
        }
    }

    /** Memory for so many elements at least, with anything in it: what an operation before has left, if that will do. */
    JBuffer takeSpare(JType type, long count) {
        JBuffer left = spare.getAndSet(null);
        return left != null && left.type() == type && left.count() >= count ? left : Gathering.temporary(type, count);
    }

    /** Leaves memory that nobody uses any more to the next operation: new memory has to be cleared first. */
    void leaveSpare(JBuffer left) {
        if (left.size() <= MOST_SPARE) {
            spare.set(left);
        }
    }

    /** Number in the whole program. */
    int number(int member) {
        return numbers == null ? member : numbers[member];
    }

    /** The JVM in which one lives. */
    int worker(int member) {
        return rank.workerOf(number(member));
    }

    /** The number of a destination in the whole program, or PROC_NULL. */
    int receiver(int destination) {
        if (destination == JHandle.PROC_NULL) {
            return destination;
        }
        requireMember(destination);
        return number(destination);
    }

    /** Number of a source in the whole program; ANY of any. */
    int sender(int source) {
        return source == Receive.ANY ? source : number(source);
    }

    /** In checking mode, refuses buffers of one call that overlap. */
    void requireApart(JBuffer send, JBuffer receive, String call) {
        if (rank.settings().checking()
                && send.memory()
                        .asOverlappingSlice(receive.memory())
                        .filter(both -> both.byteSize() > 0)
                        .isPresent()) {
            throw new JException(call + " out of " + send + " into " + receive
                    + ", which overlap: what comes would be written over what is to go; receive into another buffer");
        }
    }

    void requireMember(int member) {
        if (member < 0 || member >= size()) {
            throw new JException("rank " + member + " is not in " + name() + ", which has ranks 0 to " + (size() - 1));
        }
    }

    void requireSource(int source) {
        if (source != Receive.ANY && source != JHandle.PROC_NULL) {
            requireMember(source);
        }
    }

    // Others that come of it.

    /** The same ranks in another communicator; attributes come along if they are to. */
    Members copy(int newId) {
        Members copy = new Members(rank, "copy of " + name(), newId, numbers, me);
        attributes.forEach((key, value) -> {
            Object copied = key.copy(value);
            if (copied != null) {
                copy.attributes.put(key, copied);
            }
        });
        return copy;
    }

    /** The same ranks, or the first of them, in another communicator; null: this rank is not among them. */
    @Nullable
    Members first(int count, String newName, int newId) {
        if (me >= count) {
            return null;
        }
        return new Members(rank, newName, newId, count == size() ? numbers : Arrays.copyOf(all(), count), me);
    }

    /** Some of the ranks in another communicator. */
    Members part(String newName, int newId, int[] newNumbers, int newMe) {
        return new Members(rank, newName, newId, newNumbers, newMe);
    }

    JGroup group() {
        return new JGroup(all(), rank.number());
    }

    /** The numbers in the whole program. Not to be changed. */
    private int[] all() {
        if (numbers != null) {
            return numbers;
        }
        int[] all = new int[size()];
        Arrays.setAll(all, i -> i);
        return all;
    }

    // Attributes.

    @Nullable
    Object attribute(JAttribute<?> key) {
        return attributes.get(key);
    }

    void setAttribute(JAttribute<?> key, Object value) {
        requireNotFreed(); // nobody would delete it
        Object before = attributes.put(key, value);
        if (before != null) {
            key.delete(before);
        }
    }

    void deleteAttribute(JAttribute<?> key) {
        Object value = attributes.remove(key);
        if (value != null) {
            key.delete(value);
        }
    }

    // The end.

    void free() {
        requireNotFreed();
        freed = true;
        attributes.keySet().forEach(this::deleteAttribute);
    }

    private void requireNotFreed() {
        if (freed) {
            throw new JException(name() + " has been freed: use it no more");
        }
    }
}
