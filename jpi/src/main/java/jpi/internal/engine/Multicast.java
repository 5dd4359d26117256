package jpi.internal.engine;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import jpi.JBuffer;
import jpi.internal.shm.Board;
import jpi.internal.shm.SharedLayout;

/**
 * That a rank sends the same to several. Where those of other JVMs are several, it is {@linkplain Board posted} for them: each copies it
 * from one place.
 */
public final class Multicast {
    /** To save up to so many bytes takes longer than to copy them. */
    private static final int LEAST_SAVED = 8 << 10;

    private final Rank sender;
    private final Envelope envelope;
    private final JBuffer contents;
    private final Rank.Mode mode;

    /** Parameters as of {@link Rank#send}. */
    public Multicast(Rank sender, int context, int source, int tag, int priority, JBuffer contents, Rank.Mode mode) {
        this.sender = sender;
        envelope = new Envelope(context, source, tag, priority);
        this.contents = contents;
        this.mode = mode;
    }

    /**
     * If it pays to post so much for so many, and can be done. The same for all ranks.
     *
     * @param readers ranks of other JVMs than the sender's
     */
    public static boolean pays(Rank rank, int readers, long bytes) {
        return (readers - 1) * bytes > LEAST_SAVED
                && bytes <= SharedLayout.mostPosted(rank.world().layout().workers());
    }

    /**
     * Sends it.
     *
     * @param destinations numbers of ranks
     * @param begun gets what has to end before the sender may use its memory again
     */
    public void send(int[] destinations, Consumer<Sending> begun) {
        Board board = sender.world().board();
        int place = board == null ? Board.FULL : post(board, destinations);
        for (int destination : destinations) {
            if (place != Board.FULL && sender.world().route(destination) instanceof Remote remote) {
                post(remote, place);
                continue;
            }
            Sending sending = sender.send(
                    destination,
                    envelope.context(),
                    envelope.source(),
                    envelope.tag(),
                    envelope.priority(),
                    contents,
                    mode);
            if (sending != null) {
                begun.accept(sending);
            }
        }
    }

    private void post(Remote remote, int place) {
        try {
            remote.post(sender, envelope, contents.type(), place, contents.size(), mode);
        } catch (InternalError e) {
            throw sender.world().lost(e);
        }
        sender.countSent();
    }

    private int post(Board board, int[] destinations) {
        int readers = 0;
        for (int destination : destinations) {
            readers += sender.world().route(destination) instanceof Remote ? 1 : 0;
        }
        // Who is told of messages is told of each.
        if (!pays(sender, readers, contents.size()) || mode.isSynchronous() || sender.isWatched()) {
            return Board.FULL;
        }
        int place = board.take(contents.size(), readers);
        if (place != Board.FULL) {
            copy(board, place, readers);
        }
        return place;
    }

    private void copy(Board board, int place, int readers) {
        boolean isThere = false;
        try {
            MemorySegment.copy(contents.memory(), 0, board.contents(place, contents.size()), 0, contents.size());
            Fault.settle();
            isThere = true;
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        } catch (InternalError e) {
            throw contents.memory().isMapped() ? Fault.of(e) : sender.world().lost(e);
        } finally {
            if (!isThere) {
                board.leave(place, readers);
            }
        }
    }
}
