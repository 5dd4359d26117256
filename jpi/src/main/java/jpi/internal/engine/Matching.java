package jpi.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * How messages for one rank meet its receives: those that nobody has taken, and those that wait for one. For who tends the rank's
 * {@link Mailbox}; on cache lines of its own, since others look at the mailbox meanwhile.
 */
abstract class Matching extends Padding {
    private static final VarHandle TAKEN;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(Matching.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long taken;
    private final Arrivals arrivals = new Arrivals();
    private @Nullable Receive firstPosted;
    private @Nullable Receive lastPosted;
    /** Large messages whose receives have been found; null as long as there has been none. */
    private @Nullable PriorityQueue<Copying> copyings;
    /** Pieces that have been copied, but for whole rounds. */
    private int pieces;

    private final Places places;
    /** What happens next, if it is filled; or what has happened last. */
    private Place current = new Place();

    /** What was in the current place has happened. */
    boolean isDone;

    /** A receive has ended since others were told that. */
    boolean ended;

    /** How often in a row what the rank waited for was there once it had let others go on. */
    private int together;

    private final Migration migration;

    /**
     * For one rank.
     *
     * @param places where what is left here goes
     */
    private Matching(Places places, Migration migration) {
        this.places = places;
        this.migration = migration;
    }

    /**
     * What the rank waits for is there.
     *
     * @param inVain if it was not when the rank first looked
     * @param gaveWay if it was once the rank had let others go on
     */
    final void countTogether(boolean inVain, boolean gaveWay) {
        if (!inVain) {
            return; // that tells nothing
        }
        together = gaveWay ? together + 1 : 0;
        if (together != 0) {
            migration.consider(together);
        }
    }

    /** If the rank seems to share a CPU with what it waits for. */
    final boolean isTogether() {
        return together != 0;
    }

    /** The place where what happens next is, or will be. */
    final Place place() {
        if (isDone) {
            // Not at once: who is busy with what has come would have to wait for that memory, which its sender holds.
            Place left = current;
            current = left.leave();
            isDone = false;
            places.keep(left);
        }
        return current;
    }

    /** If there is something that has not happened. By any thread; who does not tend may be wrong as long as another does. */
    final boolean hasMore() {
        Place place = current;
        return isDone ? place.isFollowed() : place.isFilled();
    }

    /** A large message is to be copied. */
    final void add(Copying copying) {
        if (copyings == null) {
            copyings = new PriorityQueue<>(Copying.ORDER);
        }
        copyings.add(copying);
    }

    /** If something is to be copied. */
    final boolean hasCopying() {
        return copyings != null && !copyings.isEmpty();
    }

    /** The same, and it is not others who copy all that is left of it. By who tends. */
    final boolean hasPiece() {
        return copyings != null && copyings.stream().anyMatch(Copying::moves);
    }

    /**
     * Copies a piece of the most important message that is to be copied, or now and then of the oldest. False: there is none, or others
     * copy the last pieces.
     */
    final boolean copyPiece() {
        if (copyings == null || copyings.isEmpty()) {
            return false;
        }
        pieces = (pieces + 1) % Arrivals.MOST_OVERTAKING;
        Copying next = pieces == 0 ? Collections.min(copyings, Copying.AGE) : copyings.element();
        if (!next.moves()) { // its sender is at the last piece, and may have lost its CPU over it
            next = copyings.stream().filter(Copying::moves).min(Copying.ORDER).orElse(next);
        }
        boolean moves = next.goOn();
        if (next.end()) {
            var _ = copyings.remove(next);
        }
        return moves;
    }

    /** How many messages have been taken. By any thread. */
    final long taken() {
        return (long) TAKEN.getAcquire(this);
    }

    /** A message is taken. */
    final void countTaken() {
        TAKEN.setRelease(this, taken + 1);
    }

    /** If any receive waits for a message. */
    final boolean hasPosted() {
        return firstPosted != null;
    }

    /** If messages are there that nobody has taken. */
    final boolean hasArrivals() {
        return !arrivals.isEmpty();
    }

    /** A message arrives. */
    final void arrive(Message message) {
        Receive before = null;
        Receive receive = firstPosted;
        while (receive != null) {
            Receive later = receive.laterPosted;
            if (receive.wants(message.context, message.source, message.tag)) {
                unlink(before, receive);
                give(receive, message);
                if (receive.kind != Receive.Kind.PROBE) {
                    return;
                }
            } else {
                before = receive;
            }
            receive = later;
        }
        arrivals.add(message);
    }

    /**
     * The receive that is to take a message, out of those that wait; null: none, or somebody is to look at it first.
     *
     * @param after wants it if none of these does
     */
    final @Nullable Receive takePosted(int context, int source, int tag, @Nullable Receive after) {
        Receive before = null;
        for (Receive posted = firstPosted; posted != null; posted = posted.laterPosted) {
            if (posted.wants(context, source, tag)) {
                if (posted.kind != Receive.Kind.TAKE) {
                    return null;
                }
                unlink(before, posted);
                return posted;
            }
            before = posted;
        }
        return after;
    }

    /** Gives a receive that begins a message that is there. False: there is none. */
    final boolean serve(Receive receive) {
        Message message = arrivals.find(receive);
        if (message == null) {
            return false;
        }
        if (receive.kind != Receive.Kind.PROBE) {
            arrivals.remove(message);
        }
        give(receive, message);
        return true;
    }

    /**
     * The same if that message is sure to be preferred to all that have not arrived yet. They need not then: a rank that is behind would
     * else keep ever more of them, and their sender, which is ahead, never have to wait.
     *
     * @param most important one of those; none is more
     */
    final boolean serveFirst(Receive receive, int most) {
        return arrivals.isFirst(receive, most) && serve(receive);
    }

    /** A receive begins for which no message is there. */
    final void post(Receive receive) {
        if (lastPosted == null) {
            firstPosted = receive;
        } else {
            lastPosted.laterPosted = receive;
        }
        lastPosted = receive;
    }

    private void give(Receive receive, Message message) {
        if (receive.kind != Receive.Kind.PROBE) {
            countTaken();
        }
        receive.take(message);
    }

    /** Gives up a receive, unless its message has come. */
    final void withdraw(Receive receive) {
        Receive before = null;
        for (Receive posted = firstPosted; posted != null; posted = posted.laterPosted) {
            if (posted == receive) {
                unlink(before, receive);
                receive.giveUp();
                return;
            }
            before = posted;
        }
    }

    private void unlink(@Nullable Receive before, Receive receive) {
        Receive later = receive.laterPosted;
        if (before == null) {
            firstPosted = later;
        } else {
            before.laterPosted = later;
        }
        if (later == null) {
            lastPosted = before;
        }
        receive.laterPosted = null;
    }

    /** With nothing behind it on its cache line. */
    @SuppressWarnings("unused") // the fields take room
    static final class Apart extends Matching {
        private long after1;
        private long after2;
        private long after3;
        private long after4;
        private long after5;
        private long after6;
        private long after7;
        private long after8;

        Apart(Places places, Migration migration) {
            super(places, migration);
        }
    }
}
