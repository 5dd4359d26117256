package mpi;

import java.nio.Buffer;
import java.util.function.Supplier;
import jpi.JBuffer;
import jpi.JComm;
import org.jspecify.annotations.Nullable;

/**
 * What one rank of a communicator does for all, and all for one. Those with fewer parameters are in place: a rank's own items are where they are
 * to come to. Buffers that only the root uses may be null elsewhere.
 */
abstract class Collectives extends PointToPoint {
    Collectives(Supplier<? extends JComm> comm) {
        super(comm);
    }

    final boolean isRoot(int root) {
        return comm().rank() == root;
    }

    final int size() {
        return group().size();
    }

    /** The items of all ranks, one behind the other. */
    final Region all(@Nullable Object buf, int count, Datatype type) {
        return new Region(buf, (long) count * size(), type);
    }

    final Region mine(@Nullable Object buf, int count, Datatype type) {
        return new Region(buf, count, type).part(comm().rank());
    }

    final Regions regions(
            @Nullable Object buf, int @Nullable [] counts, int @Nullable [] displacements, Datatype type) {
        return new Regions(size(), buf, counts, displacements, type);
    }

    // Barrier.

    /** Waits until all ranks have come here. */
    public void barrier() {
        MPIException.in(() -> comm().barrier());
    }

    /** Begins to wait until all ranks have come here. */
    public final Request iBarrier() {
        return MPIException.of(() -> Request.of(comm().ibarrier(), () -> {}));
    }

    // Broadcast.

    /** One rank's items reach all. */
    public void bcast(@Nullable Object buf, int count, Datatype type, int root) {
        bcastOf(new Region(buf, count, type), root).run();
    }

    /** Begins {@link #bcast}. */
    public final Request iBcast(@Nullable Buffer buf, int count, Datatype type, int root) {
        return bcastOf(new Region(buf, count, type), root).begin();
    }

    private Collective<@Nullable Void> bcastOf(Region region, int root) {
        JBuffer all = isRoot(root) ? region.contents() : region.space();
        return Collective.filling(() -> comm().bcast(all, root), () -> comm().ibcast(all, root), () -> {
            if (!isRoot(root)) {
                region.takeAll(all);
            }
        });
    }

    // Gather.

    /** All ranks' items reach one, one behind the other. */
    public void gather(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        gatherOf(
                        new Region(sendbuf, sendcount, sendtype),
                        isRoot(root) ? all(recvbuf, recvcount, recvtype) : null,
                        root)
                .run();
    }

    /** Begins {@link #gather}. */
    public final Request iGather(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        return gatherOf(
                        new Region(sendbuf, sendcount, sendtype),
                        isRoot(root) ? all(recvbuf, recvcount, recvtype) : null,
                        root)
                .begin();
    }

    /** All ranks' items reach one, one behind the other; its own are there. */
    public final void gather(@Nullable Object buf, int count, Datatype type, int root) {
        gatherOf(
                        isRoot(root) ? mine(buf, count, type) : new Region(buf, count, type),
                        isRoot(root) ? all(buf, count, type) : null,
                        root)
                .run();
    }

    /** Begins {@link #gather}. */
    public final Request iGather(@Nullable Buffer buf, int count, Datatype type, int root) {
        return gatherOf(
                        isRoot(root) ? mine(buf, count, type) : new Region(buf, count, type),
                        isRoot(root) ? all(buf, count, type) : null,
                        root)
                .begin();
    }

    private Collective<@Nullable Void> gatherOf(Region send, @Nullable Region receive, int root) {
        JBuffer contents = send.contents();
        JBuffer space = receive == null ? null : receive.space();
        return Collective.filling(
                () -> comm().gather(contents, space, root), () -> comm().igather(contents, space, root), () -> {
                    if (receive != null && space != null) {
                        receive.takeAll(space);
                    }
                });
    }

    /** All ranks' items reach one, at places of its choice. */
    public final void gatherv(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int @Nullable [] recvcount,
            int @Nullable [] displs,
            Datatype recvtype,
            int root) {
        gathervOf(
                        new Region(sendbuf, sendcount, sendtype),
                        isRoot(root) ? regions(recvbuf, recvcount, displs, recvtype) : null,
                        root)
                .run();
    }

    /** Begins {@link #gatherv}. */
    public final Request iGatherv(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int @Nullable [] recvcount,
            int @Nullable [] displs,
            Datatype recvtype,
            int root) {
        return gathervOf(
                        new Region(sendbuf, sendcount, sendtype),
                        isRoot(root) ? regions(recvbuf, recvcount, displs, recvtype) : null,
                        root)
                .begin();
    }

    /** The root's part of a {@code gatherv} in place. */
    public final void gatherv(
            @Nullable Object recvbuf,
            int @Nullable [] recvcount,
            int @Nullable [] displs,
            Datatype recvtype,
            int root) {
        gathervOf(regions(recvbuf, recvcount, displs, recvtype), root).run();
    }

    /** Begins {@link #gatherv}. */
    public final Request iGatherv(
            @Nullable Buffer recvbuf,
            int @Nullable [] recvcount,
            int @Nullable [] displs,
            Datatype recvtype,
            int root) {
        return gathervOf(regions(recvbuf, recvcount, displs, recvtype), root).begin();
    }

    /** Any other rank's part of a {@code gatherv}. */
    public final void gatherv(@Nullable Object sendbuf, int sendcount, Datatype sendtype, int root) {
        gathervOf(new Region(sendbuf, sendcount, sendtype), null, root).run();
    }

    /** Begins {@link #gatherv}. */
    public final Request iGatherv(@Nullable Buffer sendbuf, int sendcount, Datatype sendtype, int root) {
        return gathervOf(new Region(sendbuf, sendcount, sendtype), null, root).begin();
    }

    private Collective<@Nullable Void> gathervOf(Regions both, int root) {
        return gathervOf(both.get(comm().rank()), both, root);
    }

    private Collective<@Nullable Void> gathervOf(Region send, @Nullable Regions receive, int root) {
        JBuffer contents = send.contents();
        JBuffer space = receive == null ? null : receive.space();
        int[] counts = receive == null ? null : receive.counts();
        return Collective.filling(
                () -> comm().gatherv(contents, space, counts, null, root),
                () -> comm().igatherv(contents, space, counts, null, root),
                () -> {
                    if (receive != null && space != null) {
                        receive.take(space);
                    }
                });
    }

    // Scatter.

    /** Each rank gets items of one rank's, one behind the other there. */
    public final void scatter(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        scatterOf(
                        isRoot(root) ? all(sendbuf, sendcount, sendtype) : null,
                        new Region(recvbuf, recvcount, recvtype),
                        root)
                .run();
    }

    /** Begins {@link #scatter}. */
    public final Request iScatter(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        return scatterOf(
                        isRoot(root) ? all(sendbuf, sendcount, sendtype) : null,
                        new Region(recvbuf, recvcount, recvtype),
                        root)
                .begin();
    }

    /** Each rank gets items of one rank's; that one's own stay there. */
    public final void scatter(@Nullable Object buf, int count, Datatype type, int root) {
        scatterOf(
                        isRoot(root) ? all(buf, count, type) : null,
                        isRoot(root) ? mine(buf, count, type) : new Region(buf, count, type),
                        root)
                .run();
    }

    /** Begins {@link #scatter}. */
    public final Request iScatter(@Nullable Buffer buf, int count, Datatype type, int root) {
        return scatterOf(
                        isRoot(root) ? all(buf, count, type) : null,
                        isRoot(root) ? mine(buf, count, type) : new Region(buf, count, type),
                        root)
                .begin();
    }

    private Collective<@Nullable Void> scatterOf(@Nullable Region send, Region receive, int root) {
        JBuffer contents = send == null ? null : send.contents();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().scatter(contents, space, root),
                () -> comm().iscatter(contents, space, root),
                () -> receive.takeAll(space));
    }

    /** Each rank gets items of one rank's, from places of its choice. */
    public final void scatterv(
            @Nullable Object sendbuf,
            int @Nullable [] sendcount,
            int @Nullable [] displs,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        scattervOf(
                        isRoot(root) ? regions(sendbuf, sendcount, displs, sendtype) : null,
                        new Region(recvbuf, recvcount, recvtype),
                        root)
                .run();
    }

    /** Begins {@link #scatterv}. */
    public final Request iScatterv(
            @Nullable Buffer sendbuf,
            int @Nullable [] sendcount,
            int @Nullable [] displs,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        return scattervOf(
                        isRoot(root) ? regions(sendbuf, sendcount, displs, sendtype) : null,
                        new Region(recvbuf, recvcount, recvtype),
                        root)
                .begin();
    }

    /** The root's part of a {@code scatterv} in place. */
    public final void scatterv(
            @Nullable Object sendbuf,
            int @Nullable [] sendcount,
            int @Nullable [] displs,
            Datatype sendtype,
            int root) {
        scattervOf(regions(sendbuf, sendcount, displs, sendtype), root).run();
    }

    /** Begins {@link #scatterv}. */
    public final Request iScatterv(
            @Nullable Buffer sendbuf,
            int @Nullable [] sendcount,
            int @Nullable [] displs,
            Datatype sendtype,
            int root) {
        return scattervOf(regions(sendbuf, sendcount, displs, sendtype), root).begin();
    }

    /** Any other rank's part of a {@code scatterv}. */
    public final void scatterv(@Nullable Object recvbuf, int recvcount, Datatype recvtype, int root) {
        scattervOf(null, new Region(recvbuf, recvcount, recvtype), root).run();
    }

    /** Begins {@link #scatterv}. */
    public final Request iScatterv(@Nullable Buffer recvbuf, int recvcount, Datatype recvtype, int root) {
        return scattervOf(null, new Region(recvbuf, recvcount, recvtype), root).begin();
    }

    private Collective<@Nullable Void> scattervOf(Regions both, int root) {
        return scattervOf(both, both.get(comm().rank()), root);
    }

    private Collective<@Nullable Void> scattervOf(@Nullable Regions send, Region receive, int root) {
        JBuffer contents = send == null ? null : send.contents();
        int[] counts = send == null ? null : send.counts();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().scatterv(contents, counts, null, space, root),
                () -> comm().iscatterv(contents, counts, null, space, root),
                () -> receive.takeAll(space));
    }
}
