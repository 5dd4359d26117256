package mpi;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JTopology;
import org.jspecify.annotations.Nullable;

/** What all ranks of a communicator do for all, or for their neighbours. In place as in {@link Collectives}. */
abstract class Exchanges extends Collectives {
    Exchanges(Supplier<? extends JComm> comm) {
        super(comm);
    }

    // Allgather.

    /** All ranks' items reach all, one behind the other. */
    public void allGather(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        allGatherOf(new Region(sendbuf, sendcount, sendtype), all(recvbuf, recvcount, recvtype))
                .run();
    }

    /** Begins {@link #allGather}. */
    public final Request iAllGather(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        return allGatherOf(new Region(sendbuf, sendcount, sendtype), all(recvbuf, recvcount, recvtype))
                .begin();
    }

    /** All ranks' items reach all; each one's own are there. */
    public final void allGather(@Nullable Object buf, int count, Datatype type) {
        allGatherOf(mine(buf, count, type), all(buf, count, type)).run();
    }

    /** Begins {@link #allGather}. */
    public final Request iAllGather(@Nullable Buffer buf, int count, Datatype type) {
        return allGatherOf(mine(buf, count, type), all(buf, count, type)).begin();
    }

    private Collective<@Nullable Void> allGatherOf(Region send, Region receive) {
        JBuffer contents = send.contents();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().allgather(contents, space),
                () -> comm().iallgather(contents, space),
                () -> receive.takeAll(space));
    }

    /** All ranks' items reach all, at places of each one's choice. */
    public final void allGatherv(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        allGathervOf(new Region(sendbuf, sendcount, sendtype), regions(recvbuf, recvcount, displs, recvtype))
                .run();
    }

    /** Begins {@link #allGatherv}. */
    public final Request iAllGatherv(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        return allGathervOf(new Region(sendbuf, sendcount, sendtype), regions(recvbuf, recvcount, displs, recvtype))
                .begin();
    }

    /** All ranks' items reach all; each one's own are there. */
    public final void allGatherv(@Nullable Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        allGathervOf(regions(recvbuf, recvcount, displs, recvtype)).run();
    }

    /** Begins {@link #allGatherv}. */
    public final Request iAllGatherv(@Nullable Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        return allGathervOf(regions(recvbuf, recvcount, displs, recvtype)).begin();
    }

    private Collective<@Nullable Void> allGathervOf(Regions both) {
        return allGathervOf(both.get(comm().rank()), both);
    }

    private Collective<@Nullable Void> allGathervOf(Region send, Regions receive) {
        JBuffer contents = send.contents();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().allgatherv(contents, space, receive.counts(), null),
                () -> comm().iallgatherv(contents, space, receive.counts(), null),
                () -> receive.take(space));
    }

    // Alltoall.

    /** Each rank has items for each. */
    public final void allToAll(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        allToAllOf(all(sendbuf, sendcount, sendtype), all(recvbuf, recvcount, recvtype))
                .run();
    }

    /** Begins {@link #allToAll}. */
    public final Request iAllToAll(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        return allToAllOf(all(sendbuf, sendcount, sendtype), all(recvbuf, recvcount, recvtype))
                .begin();
    }

    private Collective<@Nullable Void> allToAllOf(Region send, Region receive) {
        JBuffer contents = send.contents();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().alltoall(contents, space),
                () -> comm().ialltoall(contents, space),
                () -> receive.takeAll(space));
    }

    /** Each rank has items for each, from and to places of their choice. */
    public final void allToAllv(
            @Nullable Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        allToAllvOf(regions(sendbuf, sendcount, sdispls, sendtype), regions(recvbuf, recvcount, rdispls, recvtype))
                .run();
    }

    /** Begins {@link #allToAllv}. */
    public final Request iAllToAllv(
            @Nullable Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        return allToAllvOf(
                        regions(sendbuf, sendcount, sdispls, sendtype), regions(recvbuf, recvcount, rdispls, recvtype))
                .begin();
    }

    private Collective<@Nullable Void> allToAllvOf(Regions send, Regions receive) {
        JBuffer contents = send.contents();
        JBuffer space = receive.space();
        return Collective.filling(
                () -> comm().alltoallv(contents, send.counts(), null, space, receive.counts(), null),
                () -> comm().ialltoallv(contents, send.counts(), null, space, receive.counts(), null),
                () -> receive.take(space));
    }

    /** Each rank has items for each, of different types; displacements are in bytes. */
    public final void allToAllw(
            @Nullable Object sendBuf,
            int[] sendCount,
            int[] sDispls,
            Datatype[] sendTypes,
            @Nullable Object recvBuf,
            int[] recvCount,
            int[] rDispls,
            Datatype[] recvTypes) {
        allToAllwOf(mixed(sendBuf, sendCount, sDispls, sendTypes), mixed(recvBuf, recvCount, rDispls, recvTypes))
                .run();
    }

    /** Begins {@link #allToAllw}. */
    public final Request iAllToAllw(
            @Nullable Buffer sendBuf,
            int[] sendCount,
            int[] sDispls,
            Datatype[] sendTypes,
            @Nullable Buffer recvBuf,
            int[] recvCount,
            int[] rDispls,
            Datatype[] recvTypes) {
        return allToAllwOf(mixed(sendBuf, sendCount, sDispls, sendTypes), mixed(recvBuf, recvCount, rDispls, recvTypes))
                .begin();
    }

    private List<Region> mixed(@Nullable Object buf, int[] counts, int[] displacements, Datatype[] types) {
        int[] items = Regions.requireEach("counts", counts, size());
        int[] places = Regions.requireEach("displacements", displacements, size());
        if (types == null || types.length < size()) {
            throw new MPIException((types == null ? "the datatypes are null" : types.length + " datatypes")
                    + ": must be one for each of the " + size() + " ranks");
        }
        List<Region> regions = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            regions.add(new Region(buf, 0, types[i]).at(places[i], items[i], types[i]));
        }
        return regions;
    }

    private Collective<List<Object>> allToAllwOf(List<Region> send, List<Region> receive) {
        List<Object> messages =
                send.stream().map(region -> region.packed().toArray()).toList();
        return new Collective<>(() -> comm().alltoall(messages), () -> comm().ialltoall(messages), received -> {
            for (int i = 0; i < received.size(); i++) {
                receive.get(i).take(received.get(i));
            }
        });
    }

    // Neighbours.

    private JTopology topology() {
        if (comm() instanceof JTopology topology) {
            return topology;
        }
        throw new MPIException(comm().name() + " has no topology, and so no neighbours");
    }

    /** Every rank's items reach its neighbours. */
    public final void neighborAllGather(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        neighborAllGatherOf(
                        new Region(sendbuf, sendcount, sendtype),
                        new Region(recvbuf, (long) recvcount * topology().sources().length, recvtype))
                .run();
    }

    /** Begins {@link #neighborAllGather}. */
    public final Request iNeighborAllGather(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        return neighborAllGatherOf(
                        new Region(sendbuf, sendcount, sendtype),
                        new Region(recvbuf, (long) recvcount * topology().sources().length, recvtype))
                .begin();
    }

    private Collective<@Nullable Void> neighborAllGatherOf(Region send, Region receive) {
        JBuffer contents = send.contents();
        JBuffer space = receive.contents(); // where there is no neighbour it stays what it is
        return Collective.filling(
                () -> topology().neighborAllgather(contents, space),
                () -> topology().ineighborAllgather(contents, space),
                () -> receive.takeAll(space));
    }

    /** Every rank has items for each of its neighbours. */
    public final void neighborAllToAll(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        neighborAllToAllOf(
                        new Region(sendbuf, (long) sendcount * topology().destinations().length, sendtype),
                        new Region(recvbuf, (long) recvcount * topology().sources().length, recvtype))
                .run();
    }

    /** Begins {@link #neighborAllToAll}. */
    public final Request iNeighborAllToAll(
            @Nullable Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Buffer recvbuf,
            int recvcount,
            Datatype recvtype) {
        return neighborAllToAllOf(
                        new Region(sendbuf, (long) sendcount * topology().destinations().length, sendtype),
                        new Region(recvbuf, (long) recvcount * topology().sources().length, recvtype))
                .begin();
    }

    private Collective<@Nullable Void> neighborAllToAllOf(Region send, Region receive) {
        JBuffer contents = send.contents();
        JBuffer space = receive.contents();
        return Collective.filling(
                () -> topology().neighborAlltoall(contents, space),
                () -> topology().ineighborAlltoall(contents, space),
                () -> receive.takeAll(space));
    }
}
