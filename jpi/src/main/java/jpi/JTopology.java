package jpi;

import java.util.Arrays;
import java.util.List;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;
import org.jspecify.annotations.Nullable;

/**
 * A communicator whose ranks have neighbours, with whom they pass messages by one call. Otherwise as {@link JCollectives}: all ranks
 * make the same calls in the same order.
 */
public abstract sealed class JTopology extends JComm permits JCartesian, JGraph {
    private final int[] sources;
    private final int[] destinations;

    JTopology(Members members, Rank.Mode mode, int priority, int[] sources, int[] destinations) {
        super(members, mode, priority);
        this.sources = sources;
        this.destinations = destinations;
    }

    /** The neighbours from which this rank receives, in the order of what it receives. */
    public final int[] sources() {
        return sources.clone();
    }

    /** The neighbours to which this rank sends, in the order of what it sends. */
    public final int[] destinations() {
        return destinations.clone();
    }

    /**
     * Which message is sent as the n-th: so that of two for the same neighbour the first is the one that it expects first.
     */
    abstract int turn(int n);

    // Objects.

    /**
     * Every rank's message reaches its neighbours.
     *
     * @return those of the sources, in their order, not to be changed; null where there is no neighbour
     */
    public final <T> List<T> neighborAllgather(T message) {
        return neighborAllgatherOf(message).run(exchange());
    }

    /** Begins {@link #neighborAllgather(Object)}. */
    public final <T> JRequest<List<T>> ineighborAllgather(T message) {
        return neighborAllgatherOf(message).begin(exchange());
    }

    private <T> Collective<List<T>> neighborAllgatherOf(T message) {
        Gathering.requireObject(message);
        @Nullable Object[] messages = new @Nullable Object[destinations.length];
        Arrays.fill(messages, message);
        return new Collective<>(Call.of("neighborAllgather", null), exchange -> passObjects(exchange, messages));
    }

    /**
     * Every rank has a message for each of its neighbours.
     *
     * @param messages as many as there are destinations, in their order
     * @return those of the sources, in their order, not to be changed; null where there is no neighbour
     */
    public final <T> List<T> neighborAlltoall(List<? extends T> messages) {
        return this.<T>neighborAlltoallOf(messages).run(exchange());
    }

    /** Begins {@link #neighborAlltoall(List)}. */
    public final <T> JRequest<List<T>> ineighborAlltoall(List<? extends T> messages) {
        return this.<T>neighborAlltoallOf(messages).begin(exchange());
    }

    private <T> Collective<List<T>> neighborAlltoallOf(List<? extends T> messages) {
        var _ = Given.messages(messages, "neighborAlltoall");
        messages.forEach(Gathering::requireObject);
        return new Collective<>(Call.of("neighborAlltoall", null), exchange -> {
            if (messages.size() != destinations.length) {
                throw new JException(
                        messages.size() + " messages for " + destinations.length + " neighbours: must be one for each");
            }
            return passObjects(exchange, messages.toArray());
        });
    }

    @SuppressWarnings("unchecked") // what a rank gives is a T
    private <T> List<T> passObjects(Exchange exchange, @Nullable Object[] messages) {
        @Nullable Receive[] receives = new @Nullable Receive[sources.length];
        for (int i = 0; i < sources.length; i++) {
            receives[i] = sources[i] == JHandle.PROC_NULL ? null : exchange.expect(null, sources[i]);
        }
        Exchange.Batch batch = exchange.new Batch();
        for (int i = 0; i < destinations.length; i++) {
            int turn = turn(i);
            if (destinations[turn] != JHandle.PROC_NULL) {
                batch.begin(messages[turn], destinations[turn]);
            }
        }
        @Nullable Object[] received = new @Nullable Object[sources.length];
        for (int i = 0; i < sources.length; i++) {
            Receive receive = receives[i];
            received[i] = receive == null ? null : exchange.value(receive);
        }
        batch.finish();
        return (List<T>) Gathering.list(received);
    }

    // Buffers.

    /**
     * Every rank's buffer reaches its neighbours, as blocks of the same type and count.
     *
     * @param receive for the blocks of the sources, in their order; where there is no neighbour it stays what it is
     */
    public final void neighborAllgather(JBuffer send, JBuffer receive) {
        var _ = neighborAllgatherOf(send, receive).run(exchange());
    }

    /** Begins {@link #neighborAllgather(JBuffer, JBuffer)}. */
    public final JRequest<@Nullable Void> ineighborAllgather(JBuffer send, JBuffer receive) {
        return neighborAllgatherOf(send, receive).begin(exchange());
    }

    private Collective<@Nullable Void> neighborAllgatherOf(JBuffer send, JBuffer receive) {
        Given.buffers(send, receive, "neighborAllgather");
        JBuffer[] blocks = new JBuffer[destinations.length];
        Arrays.fill(blocks, send);
        return Collective.filling(
                Call.of("neighborAllgather", send),
                exchange -> passBuffers(exchange, blocks, blocks(receive, sources.length)));
    }

    /**
     * Every rank has a block for each of its neighbours; all have the same type and count.
     *
     * @param send the blocks for the destinations, in their order
     * @param receive for the blocks of the sources, in their order; where there is no neighbour it stays what it is
     */
    public final void neighborAlltoall(JBuffer send, JBuffer receive) {
        var _ = neighborAlltoallOf(send, receive).run(exchange());
    }

    /** Begins {@link #neighborAlltoall(JBuffer, JBuffer)}. */
    public final JRequest<@Nullable Void> ineighborAlltoall(JBuffer send, JBuffer receive) {
        return neighborAlltoallOf(send, receive).begin(exchange());
    }

    private Collective<@Nullable Void> neighborAlltoallOf(JBuffer send, JBuffer receive) {
        Given.buffers(send, receive, "neighborAlltoall");
        return Collective.filling(
                Call.of("neighborAlltoall", send.type()),
                exchange -> passBuffers(exchange, blocks(send, destinations.length), blocks(receive, sources.length)));
    }

    private static JBuffer[] blocks(JBuffer all, int neighbours) {
        if (neighbours == 0) {
            return new JBuffer[0];
        }
        if (all.count() % neighbours != 0) {
            throw new JException(all + " for " + neighbours + " neighbours: must have a multiple of as many elements");
        }
        return all.blocks(neighbours);
    }

    private void passBuffers(Exchange exchange, JBuffer[] send, JBuffer[] receive) {
        Exchange.Batch batch = exchange.new Batch();
        for (int i = 0; i < sources.length; i++) {
            if (sources[i] != JHandle.PROC_NULL) {
                batch.expect(receive[i], sources[i]);
            }
        }
        for (int i = 0; i < destinations.length; i++) {
            int turn = turn(i);
            if (destinations[turn] != JHandle.PROC_NULL) {
                batch.begin(send[turn], destinations[turn]);
            }
        }
        batch.finish();
    }
}
