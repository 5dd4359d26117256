package mpi;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import jpi.JBuffer;
import jpi.JComm;
import org.jspecify.annotations.Nullable;

/** What all ranks of a communicator compute together. Those with one buffer are in place: what is given is where the result comes to. */
abstract class Reductions extends Exchanges {
    Reductions(Supplier<? extends JComm> comm) {
        super(comm);
    }

    /** Takes a result that is on this rank. */
    private static void take(@Nullable Region receive, byte @Nullable [] span) {
        if (receive != null && span != null) {
            receive.takeSpan(span);
        }
    }

    // Reduce.

    /** Makes one value of all ranks', item by item; one rank gets it. */
    public final void reduce(
            @Nullable Object sendbuf, @Nullable Object recvbuf, int count, Datatype type, Op op, int root) {
        reduceOf(
                        new Region(sendbuf, count, type),
                        isRoot(root) ? new Region(recvbuf, count, type) : null,
                        type,
                        op,
                        root)
                .run();
    }

    /** Begins {@link #reduce}. */
    public final Request iReduce(
            @Nullable Buffer sendbuf, @Nullable Buffer recvbuf, int count, Datatype type, Op op, int root) {
        return reduceOf(
                        new Region(sendbuf, count, type),
                        isRoot(root) ? new Region(recvbuf, count, type) : null,
                        type,
                        op,
                        root)
                .begin();
    }

    /** Makes one value of all ranks', item by item; one rank gets it. */
    public final void reduce(@Nullable Object buf, int count, Datatype type, Op op, int root) {
        reduceOf(new Region(buf, count, type), isRoot(root) ? new Region(buf, count, type) : null, type, op, root)
                .run();
    }

    /** Begins {@link #reduce}. */
    public final Request iReduce(@Nullable Buffer buf, int count, Datatype type, Op op, int root) {
        return reduceOf(
                        new Region(buf, count, type),
                        isRoot(root) ? new Region(buf, count, type) : null,
                        type,
                        op,
                        root)
                .begin();
    }

    private Collective<?> reduceOf(Region send, @Nullable Region receive, Datatype type, Op op, int root) {
        if (!Op.isOnBuffers(op)) {
            byte[] span = send.span();
            return new Collective<byte @Nullable []>(
                    () -> comm().reduce(span, op.onSpans(type), root),
                    () -> comm().ireduce(span, op.onSpans(type), root),
                    result -> take(receive, result));
        }
        JBuffer contents = send.contents();
        JBuffer space = receive == null ? null : receive.space();
        return Collective.filling(
                () -> comm().reduce(contents, space, op.onBuffers(type), root),
                () -> comm().ireduce(contents, space, op.onBuffers(type), root),
                () -> {
                    if (receive != null && space != null) {
                        receive.takeAll(space);
                    }
                });
    }

    // Allreduce.

    /** Makes one value of all ranks', item by item; all get it. */
    public final void allReduce(@Nullable Object sendbuf, @Nullable Object recvbuf, int count, Datatype type, Op op) {
        allReduceOf(new Region(sendbuf, count, type), new Region(recvbuf, count, type), type, op)
                .run();
    }

    /** Begins {@link #allReduce}. */
    public final Request iAllReduce(
            @Nullable Buffer sendbuf, @Nullable Buffer recvbuf, int count, Datatype type, Op op) {
        return allReduceOf(new Region(sendbuf, count, type), new Region(recvbuf, count, type), type, op)
                .begin();
    }

    /** Makes one value of all ranks', item by item; all get it. */
    public final void allReduce(@Nullable Object buf, int count, Datatype type, Op op) {
        allReduceOf(new Region(buf, count, type), new Region(buf, count, type), type, op)
                .run();
    }

    /** Begins {@link #allReduce}. */
    public final Request iAllReduce(@Nullable Buffer buf, int count, Datatype type, Op op) {
        return allReduceOf(new Region(buf, count, type), new Region(buf, count, type), type, op)
                .begin();
    }

    private Collective<?> allReduceOf(Region send, Region receive, Datatype type, Op op) {
        if (!Op.isOnBuffers(op)) {
            byte[] span = send.span();
            return new Collective<byte[]>(
                    () -> comm().allreduce(span, op.onSpans(type)),
                    () -> comm().iallreduce(span, op.onSpans(type)),
                    result -> take(receive, result));
        }
        JBuffer contents = send.contents();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().allreduce(contents, space, op.onBuffers(type)),
                () -> comm().iallreduce(contents, space, op.onBuffers(type)),
                () -> receive.takeAll(space));
    }

    // Reduce and scatter.

    /** Makes one value of all ranks', item by item, of which each gets a part. */
    public final void reduceScatter(
            @Nullable Object sendbuf, @Nullable Object recvbuf, int[] recvcounts, Datatype type, Op op) {
        reduceScatterOf(sendbuf, recvbuf, recvcounts, type, op).run();
    }

    /** Begins {@link #reduceScatter}. */
    public final Request iReduceScatter(
            @Nullable Buffer sendbuf, @Nullable Buffer recvbuf, int[] recvcounts, Datatype type, Op op) {
        return reduceScatterOf(sendbuf, recvbuf, recvcounts, type, op).begin();
    }

    /** Makes one value of all ranks', item by item, of which each gets a part. */
    public final void reduceScatter(@Nullable Object buf, int[] counts, Datatype type, Op op) {
        reduceScatterOf(buf, buf, counts, type, op).run();
    }

    /** Begins {@link #reduceScatter}. */
    public final Request iReduceScatter(@Nullable Buffer buf, int[] counts, Datatype type, Op op) {
        return reduceScatterOf(buf, buf, counts, type, op).begin();
    }

    /** The same, with parts of one size. */
    public final void reduceScatterBlock(
            @Nullable Object sendbuf, @Nullable Object recvbuf, int recvcount, Datatype type, Op op) {
        reduceScatterOf(sendbuf, recvbuf, each(recvcount), type, op).run();
    }

    /** Begins {@link #reduceScatterBlock}. */
    public final Request iReduceScatterBlock(
            @Nullable Buffer sendbuf, @Nullable Buffer recvbuf, int recvcount, Datatype type, Op op) {
        return reduceScatterOf(sendbuf, recvbuf, each(recvcount), type, op).begin();
    }

    /** The same, with parts of one size. */
    public final void reduceScatterBlock(@Nullable Object buf, int count, Datatype type, Op op) {
        reduceScatterOf(buf, buf, each(count), type, op).run();
    }

    /** Begins {@link #reduceScatterBlock}. */
    public final Request iReduceScatterBlock(@Nullable Buffer buf, int count, Datatype type, Op op) {
        return reduceScatterOf(buf, buf, each(count), type, op).begin();
    }

    private int[] each(int count) {
        int[] counts = new int[size()];
        Arrays.fill(counts, count);
        return counts;
    }

    private Collective<?> reduceScatterOf(
            @Nullable Object sendbuf, @Nullable Object recvbuf, int[] recvcounts, Datatype type, Op op) {
        int[] given = Regions.requireEach("counts", recvcounts, size());
        int[] counts = Arrays.copyOf(given, size()); // it may be longer
        Region send = new Region(sendbuf, Arrays.stream(counts).asLongStream().sum(), type);
        Region receive = new Region(recvbuf, counts[comm().rank()], type);
        if (!Op.isOnBuffers(op)) {
            List<byte[]> spans = new ArrayList<>();
            int from = 0;
            for (int count : counts) {
                spans.add(send.at(from, count, type).span());
                from += count * type.extentInBytes();
            }
            return new Collective<byte[]>(
                    () -> comm().reduceScatter(spans, op.onSpans(type)),
                    () -> comm().ireduceScatter(spans, op.onSpans(type)),
                    result -> take(receive, result));
        }
        int[] elements =
                Arrays.stream(counts).map(count -> count * type.getSize()).toArray();
        JBuffer contents = sendbuf == recvbuf ? send.packed() : send.contents(); // the two must not overlap
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().reduceScatter(contents, space, elements, op.onBuffers(type)),
                () -> comm().ireduceScatter(contents, space, elements, op.onBuffers(type)),
                () -> receive.takeAll(space));
    }

    // Scan.

    /** Makes one value of those of the ranks up to this one, item by item. */
    public final void scan(@Nullable Object sendbuf, @Nullable Object recvbuf, int count, Datatype type, Op op) {
        scanOf(new Region(sendbuf, count, type), new Region(recvbuf, count, type), type, op)
                .run();
    }

    /** Begins {@link #scan}. */
    public final Request iScan(@Nullable Buffer sendbuf, @Nullable Buffer recvbuf, int count, Datatype type, Op op) {
        return scanOf(new Region(sendbuf, count, type), new Region(recvbuf, count, type), type, op)
                .begin();
    }

    /** Makes one value of those of the ranks up to this one, item by item. */
    public final void scan(@Nullable Object buf, int count, Datatype type, Op op) {
        scanOf(new Region(buf, count, type), new Region(buf, count, type), type, op)
                .run();
    }

    /** Begins {@link #scan}. */
    public final Request iScan(@Nullable Buffer buf, int count, Datatype type, Op op) {
        return scanOf(new Region(buf, count, type), new Region(buf, count, type), type, op)
                .begin();
    }

    private Collective<?> scanOf(Region send, Region receive, Datatype type, Op op) {
        if (!Op.isOnBuffers(op)) {
            byte[] span = send.span();
            return new Collective<byte[]>(
                    () -> comm().scan(span, op.onSpans(type)),
                    () -> comm().iscan(span, op.onSpans(type)),
                    result -> take(receive, result));
        }
        JBuffer contents = send.contents();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().scan(contents, space, op.onBuffers(type)),
                () -> comm().iscan(contents, space, op.onBuffers(type)),
                () -> receive.takeAll(space));
    }

    /** Makes one value of those of the ranks before this one, item by item; none on rank 0. */
    public final void exScan(@Nullable Object sendbuf, @Nullable Object recvbuf, int count, Datatype type, Op op) {
        exScanOf(new Region(sendbuf, count, type), new Region(recvbuf, count, type), type, op)
                .run();
    }

    /** Begins {@link #exScan}. */
    public final Request iExScan(@Nullable Buffer sendbuf, @Nullable Buffer recvbuf, int count, Datatype type, Op op) {
        return exScanOf(new Region(sendbuf, count, type), new Region(recvbuf, count, type), type, op)
                .begin();
    }

    /** Makes one value of those of the ranks before this one, item by item; none on rank 0. */
    public final void exScan(@Nullable Object buf, int count, Datatype type, Op op) {
        exScanOf(new Region(buf, count, type), new Region(buf, count, type), type, op)
                .run();
    }

    /** Begins {@link #exScan}. */
    public final Request iExScan(@Nullable Buffer buf, int count, Datatype type, Op op) {
        return exScanOf(new Region(buf, count, type), new Region(buf, count, type), type, op)
                .begin();
    }

    private Collective<?> exScanOf(Region send, Region receive, Datatype type, Op op) {
        if (!Op.isOnBuffers(op)) {
            byte[] span = send.span();
            return new Collective<byte @Nullable []>(
                    () -> comm().exscan(span, op.onSpans(type)),
                    () -> comm().iexscan(span, op.onSpans(type)),
                    result -> take(receive, result));
        }
        JBuffer contents = send.contents();
        JBuffer space = receive.contents(); // on rank 0 it stays what it is
        return Collective.filling(
                () -> comm().exscan(contents, space, op.onBuffers(type)),
                () -> comm().iexscan(contents, space, op.onBuffers(type)),
                () -> receive.takeAll(space));
    }
}
