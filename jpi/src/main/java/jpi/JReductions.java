package jpi;

import java.util.List;
import jpi.internal.engine.Rank;
import org.jspecify.annotations.Nullable;

/**
 * What all ranks of a communicator compute together: one value of those that they give, by a {@link JOperation}.
 *
 * <p>Objects are returned. An array that an operation takes apart ({@link JOperation#SUM} and the like) has the same type and
 * length on all ranks; the result is an array of its own on every rank that gets one, and no rank's values are changed. What a
 * lambda on objects returns may be one of the objects that it was given, and is then the same one on several ranks of a JVM.
 *
 * <p>Buffers have the same type and count on all ranks; the one that is given may be the one that receives (MPI's
 * MPI_IN_PLACE), but for {@code reduceScatter} and {@code reduceScatterBlock}, where the two must not overlap: checking mode
 * refuses that.
 *
 * <p>What else is true of all collective operations is said at {@link JCollectives}.
 */
public abstract sealed class JReductions permits JCollectives {
    final Members members;
    final Rank.Mode mode;
    /** Given; 0: that of the thread. */
    final int priority;

    JReductions(Members members, Rank.Mode mode, int priority) {
        this.members = members;
        this.mode = mode;
        this.priority = priority;
    }

    /** What messages that are sent now have. */
    final int priorityNow() {
        return priority == 0 ? Thread.currentThread().getPriority() : priority;
    }

    /** For the next collective operation. */
    final Exchange exchange() {
        return new Exchange(members, mode, priorityNow());
    }

    /** If a value is reduced in a buffer. */
    private static boolean isTakenApart(JOperation<?> operation, Object value) {
        var _ = Given.operation(operation, "a reduction");
        requireValue(operation, value);
        return operation.isByElements() && JType.ofArray(value) != null;
    }

    private static void requireValue(JOperation<?> operation, @Nullable Object value) {
        Gathering.requireObject(value);
        operation.requireSuits(Given.required(value, "a reduction", "a value", "give one on every rank"));
    }

    /** An array like another. */
    private static JBuffer resultFor(JBuffer values) {
        return Gathering.temporary(values.type(), values.count());
    }

    /** The array in which a result is, of the class of the value that was given. */
    @SuppressWarnings("unchecked")
    private static <T> T array(JBuffer result, T value) {
        return (T) value.getClass().cast(result.memory().heapBase().orElseThrow());
    }

    // Reduce.

    /**
     * Makes one value of those of all ranks.
     *
     * @param root the rank that gets it
     * @return there the result; elsewhere null
     */
    public <T> @Nullable T reduce(T value, JOperation<? super T> operation, int root) {
        return reduceOf(value, operation, root).run(exchange());
    }

    /** Begins {@link #reduce(Object, JOperation, int)}. */
    public <T> JRequest<@Nullable T> ireduce(T value, JOperation<? super T> operation, int root) {
        return reduceOf(value, operation, root).begin(exchange());
    }

    private static <T> Collective<@Nullable T> reduceOf(T value, JOperation<? super T> operation, int root) {
        Call call = new Call("reduce", root, operation, value);
        if (isTakenApart(operation, value)) {
            JBuffer values = JBuffer.ofArray(value);
            return new Collective<@Nullable T>(call, true, exchange -> {
                JBuffer result = exchange.me() == root ? resultFor(values) : null;
                Reduction.buffersToOne(exchange, values, result, operation, root);
                return result == null ? null : array(result, value);
            });
        }
        return new Collective<@Nullable T>(call, exchange -> {
            T held = Reduction.toOne(
                    new Values.OfObjects<T>(exchange, operation), value, root, operation.isCommutative());
            return exchange.me() == root ? held : null;
        });
    }

    /**
     * Makes one value of those of all ranks, element by element.
     *
     * @param receive for the result; null but at the root
     */
    public void reduce(JBuffer send, @Nullable JBuffer receive, JOperation<?> operation, int root) {
        var _ = reduceOf(send, receive, operation, root).run(exchange());
    }

    /** Begins {@link #reduce(JBuffer, JBuffer, JOperation, int)}. */
    public JRequest<@Nullable Void> ireduce(
            JBuffer send, @Nullable JBuffer receive, JOperation<?> operation, int root) {
        return reduceOf(send, receive, operation, root).begin(exchange());
    }

    private static Collective<@Nullable Void> reduceOf(
            JBuffer send, @Nullable JBuffer receive, JOperation<?> operation, int root) {
        Given.reduction(send, send, operation, "reduce");
        return Collective.assembling(
                new Call("reduce", root, operation, send),
                exchange -> Reduction.buffersToOne(exchange, send, receive, operation, root));
    }

    // Allreduce.

    /** Makes one value of those of all ranks; all get it. */
    public <T> T allreduce(T value, JOperation<? super T> operation) {
        return allreduceOf(value, operation).run(exchange());
    }

    /** Begins {@link #allreduce(Object, JOperation)}. */
    public <T> JRequest<T> iallreduce(T value, JOperation<? super T> operation) {
        return allreduceOf(value, operation).begin(exchange());
    }

    private static <T> Collective<T> allreduceOf(T value, JOperation<? super T> operation) {
        Call call = new Call("allreduce", Call.NONE, operation, value);
        if (isTakenApart(operation, value)) {
            JBuffer values = JBuffer.ofArray(value);
            return new Collective<>(call, true, exchange -> {
                JBuffer result = resultFor(values);
                Reduction.buffersToAll(exchange, values, result, operation);
                return array(result, value);
            });
        }
        return new Collective<>(call, exchange -> Reduction.toAll(new Values.OfObjects<T>(exchange, operation), value));
    }

    /** Makes one value of those of all ranks, element by element; all get it. */
    public void allreduce(JBuffer send, JBuffer receive, JOperation<?> operation) {
        var _ = allreduceOf(send, receive, operation).run(exchange());
    }

    /** Begins {@link #allreduce(JBuffer, JBuffer, JOperation)}. */
    public JRequest<@Nullable Void> iallreduce(JBuffer send, JBuffer receive, JOperation<?> operation) {
        return allreduceOf(send, receive, operation).begin(exchange());
    }

    private static Collective<@Nullable Void> allreduceOf(JBuffer send, JBuffer receive, JOperation<?> operation) {
        Given.reduction(send, receive, operation, "allreduce");
        return Collective.assembling(
                new Call("allreduce", Call.NONE, operation, send),
                exchange -> Reduction.buffersToAll(exchange, send, receive, operation));
    }

    // Reduce and scatter.

    /**
     * Each rank gives a value for each; every rank gets what is made of those for it.
     *
     * @param values as many as there are ranks, in their order
     */
    public <T> T reduceScatter(List<? extends T> values, JOperation<? super T> operation) {
        return JReductions.<T>reduceScatterOf(values, operation).run(exchange());
    }

    /** Begins {@link #reduceScatter(List, JOperation)}. */
    public <T> JRequest<T> ireduceScatter(List<? extends T> values, JOperation<? super T> operation) {
        return JReductions.<T>reduceScatterOf(values, operation).begin(exchange());
    }

    private static <T> Collective<T> reduceScatterOf(List<? extends T> values, JOperation<? super T> operation) {
        var _ = Given.operation(operation, "reduceScatter");
        var _ = Given.messages(values, "reduceScatter");
        values.forEach(value -> requireValue(operation, value));
        return new Collective<>(
                new Call("reduceScatter", Call.NONE, operation, null),
                exchange -> Reduction.<T>objectsToEach(exchange, values, operation));
    }

    /**
     * Makes one value of those of all ranks, element by element, of which each rank gets a part.
     *
     * @param receive for this rank's part
     * @param counts elements of each rank's part, the same on all ranks; together as many as {@code send} has, at most
     */
    public void reduceScatter(JBuffer send, JBuffer receive, int[] counts, JOperation<?> operation) {
        var _ = reduceScatterOf(send, receive, counts, operation).run(exchange());
    }

    /** Begins {@link #reduceScatter(JBuffer, JBuffer, int[], JOperation)}. */
    public JRequest<@Nullable Void> ireduceScatter(
            JBuffer send, JBuffer receive, int[] counts, JOperation<?> operation) {
        int[] own = Given.counts(counts, "reduceScatter").clone();
        return reduceScatterOf(send, receive, own, operation).begin(exchange());
    }

    private static Collective<@Nullable Void> reduceScatterOf(
            JBuffer send, JBuffer receive, int[] counts, JOperation<?> operation) {
        Given.reduction(send, receive, operation, "reduceScatter");
        var _ = Given.counts(counts, "reduceScatter");
        return Collective.assembling(
                new Call("reduceScatter", Call.NONE, operation, new Call.Parts(send, counts)), exchange -> {
                    exchange.members().requireApart(send, receive, "reduceScatter");
                    Reduction.buffersToEach(exchange, send, receive, counts, operation);
                });
    }

    /**
     * Makes one value of those of all ranks, element by element, of which each rank gets a part, all of the same size.
     *
     * @param send as many elements as all parts have together
     * @param receive for this rank's part
     */
    public void reduceScatterBlock(JBuffer send, JBuffer receive, JOperation<?> operation) {
        var _ = reduceScatterBlockOf(send, receive, operation).run(exchange());
    }

    /** Begins {@link #reduceScatterBlock(JBuffer, JBuffer, JOperation)}. */
    public JRequest<@Nullable Void> ireduceScatterBlock(JBuffer send, JBuffer receive, JOperation<?> operation) {
        return reduceScatterBlockOf(send, receive, operation).begin(exchange());
    }

    private static Collective<@Nullable Void> reduceScatterBlockOf(
            JBuffer send, JBuffer receive, JOperation<?> operation) {
        Given.reduction(send, receive, operation, "reduceScatterBlock");
        return Collective.assembling(new Call("reduceScatterBlock", Call.NONE, operation, receive), exchange -> {
            exchange.members().requireApart(send, receive, "reduceScatterBlock");
            int[] counts = new int[exchange.size()];
            java.util.Arrays.fill(counts, receive.count());
            Gathering.requireBlocks(exchange, send, receive.count(), "reduces");
            Reduction.buffersToEach(exchange, send, receive, counts, operation);
        });
    }

    // Scan.

    /** Makes one value of those of the ranks up to this one, it included. */
    public <T> T scan(T value, JOperation<? super T> operation) {
        return scanOf(value, operation).run(exchange());
    }

    /** Begins {@link #scan(Object, JOperation)}. */
    public <T> JRequest<T> iscan(T value, JOperation<? super T> operation) {
        return scanOf(value, operation).begin(exchange());
    }

    private static <T> Collective<T> scanOf(T value, JOperation<? super T> operation) {
        Call call = new Call("scan", Call.NONE, operation, value);
        if (isTakenApart(operation, value)) {
            JBuffer values = JBuffer.ofArray(value);
            return new Collective<>(call, true, exchange -> {
                JBuffer result = resultFor(values);
                Reduction.buffersUpToMe(exchange, values, result, operation);
                return array(result, value);
            });
        }
        return new Collective<>(
                call, exchange -> Reduction.upToMe(new Values.OfObjects<T>(exchange, operation), value));
    }

    /** Makes one value of those of the ranks up to this one, it included, element by element. */
    public void scan(JBuffer send, JBuffer receive, JOperation<?> operation) {
        var _ = scanOf(send, receive, operation).run(exchange());
    }

    /** Begins {@link #scan(JBuffer, JBuffer, JOperation)}. */
    public JRequest<@Nullable Void> iscan(JBuffer send, JBuffer receive, JOperation<?> operation) {
        return scanOf(send, receive, operation).begin(exchange());
    }

    private static Collective<@Nullable Void> scanOf(JBuffer send, JBuffer receive, JOperation<?> operation) {
        Given.reduction(send, receive, operation, "scan");
        return Collective.assembling(
                new Call("scan", Call.NONE, operation, send),
                exchange -> Reduction.buffersUpToMe(exchange, send, receive, operation));
    }

    /**
     * Makes one value of those of the ranks before this one.
     *
     * @return null on rank 0, before which there is none
     */
    public <T> @Nullable T exscan(T value, JOperation<? super T> operation) {
        return exscanOf(value, operation).run(exchange());
    }

    /** Begins {@link #exscan(Object, JOperation)}. */
    public <T> JRequest<@Nullable T> iexscan(T value, JOperation<? super T> operation) {
        return exscanOf(value, operation).begin(exchange());
    }

    private static <T> Collective<@Nullable T> exscanOf(T value, JOperation<? super T> operation) {
        Call call = new Call("exscan", Call.NONE, operation, value);
        if (isTakenApart(operation, value)) {
            JBuffer values = JBuffer.ofArray(value);
            return new Collective<@Nullable T>(call, true, exchange -> {
                JBuffer result = resultFor(values);
                Reduction.buffersBeforeMe(exchange, values, result, operation);
                return exchange.me() == 0 ? null : array(result, value);
            });
        }
        return new Collective<@Nullable T>(
                call, exchange -> Reduction.beforeMe(new Values.OfObjects<T>(exchange, operation), value));
    }

    /** Makes one value of those of the ranks before this one, element by element. On rank 0 {@code receive} stays what it is. */
    public void exscan(JBuffer send, JBuffer receive, JOperation<?> operation) {
        var _ = exscanOf(send, receive, operation).run(exchange());
    }

    /** Begins {@link #exscan(JBuffer, JBuffer, JOperation)}. */
    public JRequest<@Nullable Void> iexscan(JBuffer send, JBuffer receive, JOperation<?> operation) {
        return exscanOf(send, receive, operation).begin(exchange());
    }

    private static Collective<@Nullable Void> exscanOf(JBuffer send, JBuffer receive, JOperation<?> operation) {
        Given.reduction(send, receive, operation, "exscan");
        return Collective.assembling(
                new Call("exscan", Call.NONE, operation, send),
                exchange -> Reduction.buffersBeforeMe(exchange, send, receive, operation));
    }
}
