package jpi;

import java.util.List;
import jpi.internal.engine.Rank;
import org.jspecify.annotations.Nullable;

/**
 * What all ranks of a communicator do together. All of them call the same operations in the same order; in checking mode each
 * call is compared, and one that does not match fails on every rank.
 *
 * <p>Objects are returned, each of its own class and size. Within one JVM they travel by reference: what {@link #bcast(Object, int)}
 * returns is one object for all ranks there, and none of them writes to it, or {@link JComm#isolated} is used. The contents of a
 * {@link JBuffer} are copied. The two buffers of one call do not overlap (of {@code alltoall} checking mode refuses that), but a
 * rank's own block may lie where it is to come to in gather, scatter and allgather (MPI's MPI_IN_PLACE).
 *
 * <p>An operation whose name begins with an i is begun only, and goes on in a virtual thread of its own; what it sends from and
 * receives into is to be left alone until its request is over. Several may be under way; the order in which they were begun
 * counts, and a blocking operation on one rank may meet the one that is begun on another.
 *
 * <p>An error is a {@link JException} on the rank that finds it. The other ranks may wait for that one's part: let the exception end
 * the rank, and with it the program, or do not use the communicator for collective operations any more.
 */
public abstract sealed class JCollectives extends JReductions permits JComm {
    private static final Collective<@Nullable Void> BARRIER = barrierOf("barrier");

    JCollectives(Members members, Rank.Mode mode, int priority) {
        super(members, mode, priority);
    }

    @SuppressWarnings("unchecked") // what a rank gives is a T
    private static <T> List<T> typed(List<@Nullable Object> list) {
        return (List<T>) list;
    }

    // Barrier.

    /** Waits until all ranks have come here. */
    public void barrier() {
        var _ = BARRIER.run(exchange());
    }

    /** Begins to wait until all ranks have come here. */
    public JRequest<@Nullable Void> ibarrier() {
        return BARRIER.begin(exchange());
    }

    static Collective<@Nullable Void> barrierOf(String call) {
        return Collective.assembling(Call.of(call, null), Barrier::pass);
    }

    // Broadcast.

    /**
     * One rank's message reaches all.
     *
     * @param message at other ranks anything, null for instance
     * @return the message
     */
    public <T> T bcast(@Nullable T message, int root) {
        return this.<T>bcastOf(message, root).run(exchange());
    }

    /** Begins {@link #bcast(Object, int)}. */
    public <T> JRequest<T> ibcast(@Nullable T message, int root) {
        return this.<T>bcastOf(message, root).begin(exchange());
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // what a rank gives is a T; null only where null was given
    private <T> Collective<T> bcastOf(@Nullable T message, int root) {
        return new Collective<>(
                Call.rooted("bcast", root, null), exchange -> (T) Broadcast.object(exchange, message, root));
    }

    /** One rank's buffer is copied into those of all, which have the same type and count. */
    public void bcast(JBuffer buffer, int root) {
        var _ = bcastOf(buffer, root).run(exchange());
    }

    /** Begins {@link #bcast(JBuffer, int)}. */
    public JRequest<@Nullable Void> ibcast(JBuffer buffer, int root) {
        return bcastOf(buffer, root).begin(exchange());
    }

    private static Collective<@Nullable Void> bcastOf(JBuffer buffer, int root) {
        var _ = Given.buffer(buffer, "bcast");
        return Collective.filling(
                Call.rooted("bcast", root, buffer), exchange -> Broadcast.buffer(exchange, buffer, root));
    }

    // Gather.

    /**
     * Every rank's message reaches one.
     *
     * @return there the messages in the order of the ranks, not to be changed; elsewhere null
     */
    public <T> @Nullable List<T> gather(T message, int root) {
        return gatherOf(message, root).run(exchange());
    }

    /** Begins {@link #gather(Object, int)}. */
    public <T> JRequest<@Nullable List<T>> igather(T message, int root) {
        return gatherOf(message, root).begin(exchange());
    }

    private static <T> Collective<@Nullable List<T>> gatherOf(T message, int root) {
        Gathering.requireObject(message);
        return new Collective<@Nullable List<T>>(Call.rooted("gather", root, null), exchange -> {
            List<@Nullable Object> all = Gathering.objects(exchange, message, root);
            return all == null ? null : typed(all);
        });
    }

    /**
     * Every rank's buffer reaches one, as blocks of the same type and count.
     *
     * @param receive for the blocks in the order of the ranks; null but at the root
     */
    public void gather(JBuffer send, @Nullable JBuffer receive, int root) {
        var _ = gatherOf(send, receive, root).run(exchange());
    }

    /** Begins {@link #gather(JBuffer, JBuffer, int)}. */
    public JRequest<@Nullable Void> igather(JBuffer send, @Nullable JBuffer receive, int root) {
        return gatherOf(send, receive, root).begin(exchange());
    }

    private static Collective<@Nullable Void> gatherOf(JBuffer send, @Nullable JBuffer receive, int root) {
        var _ = Given.buffer(send, "gather");
        return Collective.filling(
                Call.rooted("gather", root, send), exchange -> Gathering.buffer(exchange, send, receive, root));
    }

    /**
     * Every rank's buffer reaches one, as blocks of the same type and of different counts. Only the root need know the counts.
     *
     * @param receive for the blocks
     * @param counts elements of each rank's block
     * @param displacements where in {@code receive} each begins; null: one after the other
     */
    public void gatherv(
            JBuffer send,
            @Nullable JBuffer receive,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            int root) {
        var _ = gathervOf(send, Blocks.of(receive, counts, displacements), root).run(exchange());
    }

    /** Begins {@link #gatherv(JBuffer, JBuffer, int[], int[], int)}. */
    public JRequest<@Nullable Void> igatherv(
            JBuffer send,
            @Nullable JBuffer receive,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            int root) {
        return gathervOf(send, Blocks.of(receive, counts, displacements), root).begin(exchange());
    }

    private static Collective<@Nullable Void> gathervOf(JBuffer send, @Nullable Blocks receive, int root) {
        var _ = Given.buffer(send, "gatherv");
        return Collective.filling(Call.rooted("gatherv", root, send.type()), exchange -> {
            exchange.requireRoot(root);
            JBuffer[] blocks =
                    exchange.me() == root ? Blocks.require(receive, root).apart(exchange) : null;
            Gathering.straight(exchange, send, blocks, root);
        });
    }

    // Scatter.

    /**
     * One rank's messages reach one rank each.
     *
     * @param messages as many as there are ranks, in their order; null but at the root
     * @return the message for this rank
     */
    public <T> T scatter(@Nullable List<? extends T> messages, int root) {
        return this.<T>scatterOf(messages, root).run(exchange());
    }

    /** Begins {@link #scatter(List, int)}. */
    public <T> JRequest<T> iscatter(@Nullable List<? extends T> messages, int root) {
        return this.<T>scatterOf(messages, root).begin(exchange());
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // what a rank gives is a T; null only where null was given
    private <T> Collective<T> scatterOf(@Nullable List<? extends T> messages, int root) {
        if (messages != null) {
            messages.forEach(Gathering::requireObject);
        }
        return new Collective<>(
                Call.rooted("scatter", root, null), exchange -> (T) Scattering.object(exchange, messages, root));
    }

    /**
     * The blocks of one rank's buffer reach one rank each; all have the same type and count.
     *
     * @param send the blocks in the order of the ranks; null but at the root
     * @param receive for this rank's
     */
    public void scatter(@Nullable JBuffer send, JBuffer receive, int root) {
        var _ = scatterOf(send, receive, root).run(exchange());
    }

    /** Begins {@link #scatter(JBuffer, JBuffer, int)}. */
    public JRequest<@Nullable Void> iscatter(@Nullable JBuffer send, JBuffer receive, int root) {
        return scatterOf(send, receive, root).begin(exchange());
    }

    private static Collective<@Nullable Void> scatterOf(@Nullable JBuffer send, JBuffer receive, int root) {
        var _ = Given.buffer(receive, "scatter");
        return Collective.filling(
                Call.rooted("scatter", root, receive), exchange -> Scattering.buffer(exchange, send, receive, root));
    }

    /**
     * The blocks of one rank's buffer, of different counts, reach one rank each. Only the root need know the counts.
     *
     * @param send the blocks
     * @param counts elements of each rank's block
     * @param displacements where in {@code send} each begins; null: one after the other
     * @param receive for this rank's, and of its count
     */
    public void scatterv(
            @Nullable JBuffer send,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            JBuffer receive,
            int root) {
        var _ = scattervOf(Blocks.of(send, counts, displacements), receive, root)
                .run(exchange());
    }

    /** Begins {@link #scatterv(JBuffer, int[], int[], JBuffer, int)}. */
    public JRequest<@Nullable Void> iscatterv(
            @Nullable JBuffer send,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            JBuffer receive,
            int root) {
        return scattervOf(Blocks.of(send, counts, displacements), receive, root).begin(exchange());
    }

    private static Collective<@Nullable Void> scattervOf(@Nullable Blocks send, JBuffer receive, int root) {
        var _ = Given.buffer(receive, "scatterv");
        return Collective.filling(Call.rooted("scatterv", root, receive.type()), exchange -> {
            exchange.requireRoot(root);
            JBuffer[] blocks =
                    exchange.me() == root ? Blocks.require(send, root).apart(exchange) : null;
            Scattering.straight(exchange, blocks, receive, root);
        });
    }

    // Allgather.

    /**
     * Every rank's message reaches all.
     *
     * @return the messages in the order of the ranks, not to be changed
     */
    public <T> List<T> allgather(T message) {
        return allgatherOf(message).run(exchange());
    }

    /** Begins {@link #allgather(Object)}. */
    public <T> JRequest<List<T>> iallgather(T message) {
        return allgatherOf(message).begin(exchange());
    }

    private static <T> Collective<List<T>> allgatherOf(T message) {
        Gathering.requireObject(message);
        return new Collective<>(Call.of("allgather", null), exchange -> typed(Gathering.allObjects(exchange, message)));
    }

    /**
     * Every rank's buffer reaches all, as blocks of the same type and count.
     *
     * @param receive for the blocks in the order of the ranks
     */
    public void allgather(JBuffer send, JBuffer receive) {
        var _ = allgatherOf(send, receive).run(exchange());
    }

    /** Begins {@link #allgather(JBuffer, JBuffer)}. */
    public JRequest<@Nullable Void> iallgather(JBuffer send, JBuffer receive) {
        return allgatherOf(send, receive).begin(exchange());
    }

    private static Collective<@Nullable Void> allgatherOf(JBuffer send, JBuffer receive) {
        Given.buffers(send, receive, "allgather");
        return Collective.assembling(
                Call.of("allgather", send), exchange -> Gathering.allBuffers(exchange, send, receive));
    }

    /**
     * Every rank's buffer reaches all, as blocks of the same type and of different counts.
     *
     * @param counts elements of each rank's block
     * @param displacements where in {@code receive} each begins; null: one after the other
     */
    public void allgatherv(JBuffer send, JBuffer receive, int[] counts, int @Nullable [] displacements) {
        var _ = allgathervOf(send, Blocks.given(receive, counts, displacements, "allgatherv"))
                .run(exchange());
    }

    /** Begins {@link #allgatherv(JBuffer, JBuffer, int[], int[])}. */
    public JRequest<@Nullable Void> iallgatherv(
            JBuffer send, JBuffer receive, int[] counts, int @Nullable [] displacements) {
        return allgathervOf(send, Blocks.given(receive, counts, displacements, "allgatherv"))
                .begin(exchange());
    }

    private static Collective<@Nullable Void> allgathervOf(JBuffer send, Blocks receive) {
        var _ = Given.buffer(send, "allgatherv");
        return Collective.filling(Call.of("allgatherv", send.type()), exchange -> {
            JBuffer[] blocks = receive.apart(exchange);
            blocks[exchange.me()].copyFrom(send);
            Gathering.ring(exchange, blocks, exchange.me());
        });
    }

    // Alltoall.

    /**
     * Every rank has a message for each.
     *
     * @param messages as many as there are ranks, in their order
     * @return those for this rank, in the order of the ranks, not to be changed
     */
    public <T> List<T> alltoall(List<? extends T> messages) {
        return this.<T>alltoallOf(messages).run(exchange());
    }

    /** Begins {@link #alltoall(List)}. */
    public <T> JRequest<List<T>> ialltoall(List<? extends T> messages) {
        return this.<T>alltoallOf(messages).begin(exchange());
    }

    private <T> Collective<List<T>> alltoallOf(List<? extends T> messages) {
        var _ = Given.messages(messages, "alltoall");
        messages.forEach(Gathering::requireObject);
        return new Collective<>(
                Call.of("alltoall", null), exchange -> typed(Scattering.objectsFromAll(exchange, messages)));
    }

    /** Every rank has a block for each; all have the same type and count, and lie in the order of the ranks. */
    public void alltoall(JBuffer send, JBuffer receive) {
        var _ = alltoallOf(send, receive).run(exchange());
    }

    /** Begins {@link #alltoall(JBuffer, JBuffer)}. */
    public JRequest<@Nullable Void> ialltoall(JBuffer send, JBuffer receive) {
        return alltoallOf(send, receive).begin(exchange());
    }

    private static Collective<@Nullable Void> alltoallOf(JBuffer send, JBuffer receive) {
        Given.buffers(send, receive, "alltoall");
        return Collective.assembling(Call.of("alltoall", send), exchange -> {
            exchange.members().requireApart(send, receive, "alltoall");
            Scattering.buffersFromAll(exchange, send, receive);
        });
    }

    /**
     * Every rank has a block for each, of different counts.
     *
     * @param sendCounts elements of the block for each rank
     * @param sendDisplacements where in {@code send} each begins; null: one after the other
     * @param receiveCounts elements of the block from each rank
     * @param receiveDisplacements where in {@code receive} each is to begin; null: one after the other
     */
    public void alltoallv(
            JBuffer send,
            int[] sendCounts,
            int @Nullable [] sendDisplacements,
            JBuffer receive,
            int[] receiveCounts,
            int @Nullable [] receiveDisplacements) {
        var _ = alltoallvOf(
                        Blocks.given(send, sendCounts, sendDisplacements, "alltoallv"),
                        Blocks.given(receive, receiveCounts, receiveDisplacements, "alltoallv"))
                .run(exchange());
    }

    /** Begins {@link #alltoallv(JBuffer, int[], int[], JBuffer, int[], int[])}. */
    public JRequest<@Nullable Void> ialltoallv(
            JBuffer send,
            int[] sendCounts,
            int @Nullable [] sendDisplacements,
            JBuffer receive,
            int[] receiveCounts,
            int @Nullable [] receiveDisplacements) {
        return alltoallvOf(
                        Blocks.given(send, sendCounts, sendDisplacements, "alltoallv"),
                        Blocks.given(receive, receiveCounts, receiveDisplacements, "alltoallv"))
                .begin(exchange());
    }

    private static Collective<@Nullable Void> alltoallvOf(Blocks send, Blocks receive) {
        return Collective.filling(
                Call.of("alltoallv", send.type()),
                exchange -> Scattering.blocksFromAll(exchange, send.apart(exchange), receive.apart(exchange)));
    }
}
