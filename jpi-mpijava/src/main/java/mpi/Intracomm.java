package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JHandle;
import org.jspecify.annotations.Nullable;

/** Ranks that do things together: all of them make the same calls in the same order. Buffers that only the root uses may be null elsewhere. */
@SuppressWarnings("MemberName") // MPI's names
public class Intracomm extends Comm {
    Intracomm(Supplier<? extends JComm> comm) {
        super(comm);
    }

    private static @Nullable Intracomm of(@Nullable JComm comm) {
        return comm == null ? null : new Intracomm(() -> comm);
    }

    // Other communicators.

    @Override
    public Object clone() {
        JComm copy = MPIException.of(() -> comm().dup());
        return new Intracomm(() -> copy);
    }

    /**
     * A communicator for each colour.
     *
     * @return that of the rank's colour; null for {@link MPI#UNDEFINED}
     */
    public @Nullable Intracomm Split(int color, int key) {
        int ours = color == MPI.UNDEFINED ? JHandle.UNDEFINED : color;
        return MPIException.<@Nullable Intracomm>of(() -> of(comm().split(ours, key)));
    }

    /** A communicator of a group; null for ranks that are not in it. */
    public @Nullable Intracomm Create(Group group) {
        Group members = Given.group(group, "the group");
        return MPIException.<@Nullable Intracomm>of(() -> of(comm().create(members.group())));
    }

    /** A communicator of the points of a grid; null for ranks that are too many. */
    public @Nullable Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) {
        return MPIException.<@Nullable Cartcomm>of(() -> {
            var grid = comm().cartesian(dims, periods);
            return grid == null ? null : new Cartcomm(grid);
        });
    }

    /**
     * A communicator of the nodes of a graph; null for ranks that are too many.
     *
     * @param index how many edges the nodes up to each have together
     * @param edges neighbours, node by node
     */
    public @Nullable Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
        GraphParms.require(index, edges);
        return MPIException.<@Nullable Graphcomm>of(() -> {
            int color = Rank() < index.length ? 0 : JHandle.UNDEFINED;
            JComm nodes = comm().split(color, Rank());
            return nodes == null ? null : new Graphcomm(nodes, index.clone(), edges.clone());
        });
    }

    // Collective operations.

    /** Waits until all ranks have come here. */
    public void Barrier() {
        MPIException.in(() -> comm().barrier());
    }

    private boolean isRoot(int root) {
        return Rank() == root;
    }

    /** One rank's items reach all. */
    public void Bcast(@Nullable Object buf, int offset, int count, Datatype type, int root) {
        Region region = new Region(buf, offset, count, type);
        MPIException.in(() -> {
            if (region.isOfObjects()) {
                Object received = comm().isolated().bcast(isRoot(root) ? region.objects() : null, root);
                if (!isRoot(root)) {
                    region.take(received);
                }
                return;
            }
            JBuffer all = isRoot(root) ? region.contents() : region.space();
            comm().bcast(all, root);
            if (!isRoot(root)) {
                region.takeAll(all);
            }
        });
    }

    private static void takeList(List<?> messages, Supplier<Region> first) {
        for (int i = 0; i < messages.size(); i++) {
            first.get().part(i).take(Objects.requireNonNull(messages.get(i)));
        }
    }

    private static void takeList(List<?> messages, Regions regions) {
        for (int i = 0; i < messages.size(); i++) {
            regions.get(i).take(Objects.requireNonNull(messages.get(i)));
        }
    }

    /** All ranks' items reach one, one behind the other. */
    public void Gather(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        Region send = new Region(sendbuf, sendoffset, sendcount, sendtype);
        MPIException.in(() -> {
            if (send.isOfObjects()) {
                List<Object> all = comm().isolated().gather((Object) send.objects(), root);
                if (all != null) {
                    takeList(all, () -> new Region(recvbuf, recvoffset, recvcount, recvtype));
                }
            } else if (isRoot(root)) {
                Region receive = new Region(recvbuf, recvoffset, (long) recvcount * Size(), recvtype);
                JBuffer space = receive.space();
                comm().gather(send.contents(), space, root);
                receive.takeAll(space);
            } else {
                comm().gather(send.contents(), null, root);
            }
        });
    }

    /** All ranks' items reach one, at places of its choice. */
    public void Gatherv(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int @Nullable [] recvcount,
            int @Nullable [] displs,
            Datatype recvtype,
            int root) {
        Region send = new Region(sendbuf, sendoffset, sendcount, sendtype);
        MPIException.in(() -> {
            Regions receive =
                    isRoot(root) ? new Regions(Size(), recvbuf, recvoffset, recvcount, displs, recvtype) : null;
            if (send.isOfObjects()) {
                List<Object> all = comm().isolated().gather((Object) send.objects(), root);
                if (all != null && receive != null) {
                    takeList(all, receive);
                }
            } else if (receive != null) {
                JBuffer space = receive.space();
                comm().gatherv(send.contents(), space, receive.counts(), null, root);
                receive.take(space);
            } else {
                comm().gatherv(send.contents(), null, null, null, root);
            }
        });
    }

    private static List<Object> parts(Region first, int count) {
        return IntStream.range(0, count)
                .<Object>mapToObj(i -> first.part(i).objects())
                .toList();
    }

    private List<Object> parts(Regions regions) {
        return IntStream.range(0, Size())
                .<Object>mapToObj(i -> regions.get(i).objects())
                .toList();
    }

    /** Each rank gets items of one rank's, one behind the other there. */
    public void Scatter(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        Region receive = new Region(recvbuf, recvoffset, recvcount, recvtype);
        MPIException.in(() -> {
            if (receive.isOfObjects()) {
                List<Object> messages =
                        isRoot(root) ? parts(new Region(sendbuf, sendoffset, sendcount, sendtype), Size()) : null;
                receive.take(comm().isolated().<Object>scatter(messages, root));
                return;
            }
            JBuffer space = receive.space();
            JBuffer all = isRoot(root)
                    ? new Region(sendbuf, sendoffset, (long) sendcount * Size(), sendtype).contents()
                    : null;
            comm().scatter(all, space, root);
            receive.takeAll(space);
        });
    }

    /** Each rank gets items of one rank's, from places of its choice. */
    public void Scatterv(
            @Nullable Object sendbuf,
            int sendoffset,
            int @Nullable [] sendcount,
            int @Nullable [] displs,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        Region receive = new Region(recvbuf, recvoffset, recvcount, recvtype);
        MPIException.in(() -> {
            Regions send = isRoot(root) ? new Regions(Size(), sendbuf, sendoffset, sendcount, displs, sendtype) : null;
            if (receive.isOfObjects()) {
                List<Object> messages = send == null ? null : parts(send);
                receive.take(comm().isolated().<Object>scatter(messages, root));
                return;
            }
            JBuffer space = receive.space();
            if (send != null) {
                comm().scatterv(send.contents(), send.counts(), null, space, root);
            } else {
                comm().scatterv(null, null, null, space, root);
            }
            receive.takeAll(space);
        });
    }

    /** All ranks' items reach all, one behind the other. */
    public void Allgather(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        Region send = new Region(sendbuf, sendoffset, sendcount, sendtype);
        MPIException.in(() -> {
            if (send.isOfObjects()) {
                List<Object> all = comm().isolated().allgather((Object) send.objects());
                takeList(all, () -> new Region(recvbuf, recvoffset, recvcount, recvtype));
                return;
            }
            Region receive = new Region(recvbuf, recvoffset, (long) recvcount * Size(), recvtype);
            JBuffer space = receive.space();
            comm().allgather(send.contents(), space);
            receive.takeAll(space);
        });
    }

    /** All ranks' items reach all, at places of each one's choice. */
    public void Allgatherv(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        Region send = new Region(sendbuf, sendoffset, sendcount, sendtype);
        MPIException.in(() -> {
            Regions receive = new Regions(Size(), recvbuf, recvoffset, recvcount, displs, recvtype);
            if (send.isOfObjects()) {
                takeList(comm().isolated().allgather((Object) send.objects()), receive);
                return;
            }
            JBuffer space = receive.space();
            comm().allgatherv(send.contents(), space, receive.counts(), null);
            receive.take(space);
        });
    }

    /** Each rank has items for each. */
    public void Alltoall(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        MPIException.in(() -> {
            if (Datatype.required(sendtype).base().isObject()) {
                List<Object> messages = parts(new Region(sendbuf, sendoffset, sendcount, sendtype), Size());
                List<Object> received = comm().isolated().alltoall(messages);
                takeList(received, () -> new Region(recvbuf, recvoffset, recvcount, recvtype));
                return;
            }
            Region receive = new Region(recvbuf, recvoffset, (long) recvcount * Size(), recvtype);
            JBuffer space = receive.space();
            comm().alltoall(new Region(sendbuf, sendoffset, (long) sendcount * Size(), sendtype).contents(), space);
            receive.takeAll(space);
        });
    }

    /** Each rank has items for each, from and to places of their choice. */
    public void Alltoallv(
            @Nullable Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        MPIException.in(() -> {
            Regions send = new Regions(Size(), sendbuf, sendoffset, sendcount, sdispls, sendtype);
            Regions receive = new Regions(Size(), recvbuf, recvoffset, recvcount, rdispls, recvtype);
            if (Datatype.required(sendtype).base().isObject()) {
                takeList(comm().isolated().alltoall(parts(send)), receive);
                return;
            }
            JBuffer space = receive.space();
            comm().alltoallv(send.contents(), send.counts(), null, space, receive.counts(), null);
            receive.take(space);
        });
    }

    // Reductions.

    /** By which spans are reduced: the user's objects are copied, arrays of numbers have been. */
    private JComm spans(Datatype type) {
        return type.base().isObject() ? comm().isolated() : comm();
    }

    /** Makes one value of all ranks', item by item; one rank gets it. */
    public void Reduce(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root) {
        Region send = new Region(sendbuf, sendoffset, count, datatype);
        MPIException.in(() -> {
            Region receive = isRoot(root) ? new Region(recvbuf, recvoffset, count, datatype) : null;
            if (Op.isOnBuffers(op) && !send.isOfObjects()) {
                JBuffer space = receive == null ? null : receive.space();
                comm().reduce(send.contents(), space, op.onBuffers(), root);
                if (receive != null && space != null) {
                    receive.takeAll(space);
                }
            } else {
                Object result = spans(datatype).reduce(send.span(), op.onSpans(datatype), root);
                if (receive != null && result != null) {
                    receive.takeSpan(result);
                }
            }
        });
    }

    /** Makes one value of all ranks', item by item; all get it. */
    public void Allreduce(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op) {
        Region send = new Region(sendbuf, sendoffset, count, datatype);
        Region receive = new Region(recvbuf, recvoffset, count, datatype);
        MPIException.in(() -> {
            if (Op.isOnBuffers(op) && !send.isOfObjects()) {
                JBuffer space = receive.space();
                comm().allreduce(send.contents(), space, op.onBuffers());
                receive.takeAll(space);
            } else {
                receive.takeSpan(spans(datatype).allreduce(send.span(), op.onSpans(datatype)));
            }
        });
    }

    /** Makes one value of all ranks', item by item, of which each gets a part. */
    public void Reduce_scatter(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            Datatype datatype,
            Op op) {
        int[] given = Regions.requireEach("counts", recvcounts, Size());
        int[] counts = Arrays.copyOf(given, Size()); // it may be longer
        Region send = new Region(
                sendbuf, sendoffset, Arrays.stream(counts).asLongStream().sum(), datatype);
        Region receive = new Region(recvbuf, recvoffset, counts[Rank()], datatype);
        MPIException.in(() -> {
            if (Op.isOnBuffers(op) && !send.isOfObjects()) {
                int[] elements = Arrays.stream(counts)
                        .map(count -> count * datatype.Size())
                        .toArray();
                JBuffer contents = sendbuf == recvbuf // the two must not overlap
                        ? JBuffer.ofArray(send.packed())
                        : send.contents();
                JBuffer space = receive.space();
                comm().reduceScatter(contents, space, elements, op.onBuffers());
                receive.takeAll(space);
                return;
            }
            List<Object> parts = new ArrayList<>();
            int from = sendoffset;
            for (int count : counts) {
                parts.add(new Region(sendbuf, from, count, datatype).span());
                from += count * datatype.Extent();
            }
            receive.takeSpan(spans(datatype).<Object>reduceScatter(parts, op.onSpans(datatype)));
        });
    }

    /** Makes one value of those of the ranks up to this one, item by item. */
    public void Scan(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op) {
        Region send = new Region(sendbuf, sendoffset, count, datatype);
        Region receive = new Region(recvbuf, recvoffset, count, datatype);
        MPIException.in(() -> {
            if (Op.isOnBuffers(op) && !send.isOfObjects()) {
                JBuffer space = receive.space();
                comm().scan(send.contents(), space, op.onBuffers());
                receive.takeAll(space);
            } else {
                receive.takeSpan(spans(datatype).scan(send.span(), op.onSpans(datatype)));
            }
        });
    }
}
