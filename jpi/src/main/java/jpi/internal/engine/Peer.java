package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jpi.JException;
import jpi.JType;
import jpi.internal.shm.Board;
import jpi.internal.shm.Memory;
import jpi.internal.shm.Ring;
import jpi.internal.shm.SharedLayout;
import org.jspecify.annotations.Nullable;

/**
 * Another worker of this machine. Short messages go through one ring; a long one is announced there, so that it has its place
 * among the others, and its contents go through a second ring in pieces, those of the most important first. An urgent short message waits
 * for one piece at most, a long one for those that lie in the ring too. A very long one waits until its receiver wants it.
 *
 * <p>Whoever waits for anything in this JVM looks at what has come, for all ranks of it, and moves on what has to go.
 */
final class Peer {
    /** Up to so many bytes a message is short. */
    private static final int SHORT = 8 << 10;
    /** Up to so many it is sent like a short one if few are under way: urgent ones do not overtake it there. */
    private static final int MEDIUM = 32 << 10;
    /** Of elements that are more: so much is shown at once, so that its receiver copies it while its sender copies the next part. */
    private static final int FIRST_PART = 2 << 10;
    /** Of the parts after the first. */
    private static final int PART = 4 << 10;
    /** Up to so many a long one does not wait until it is wanted. */
    private static final int EAGER = 64 << 10;

    private static final int PIECE = 32 << 10;
    /** Of a message that is not longer than a few pieces, so that its receiver copies the first while its sender copies the next. */
    private static final int EAGER_PIECE = 8 << 10;
    /** So many messages are taken in before who waits looks again if it still has to. */
    private static final int BUDGET = 64;
    /** So often, and whoever looks has taken in what had come before. */
    static final int TURNS = SharedLayout.MOST_MESSAGES / BUDGET;

    /** So many pieces go, and then their sender looks if something else is to be done. */
    private static final int PIECES = 4;

    private static final int LONG = 1 << 16;
    private static final int AWAITS_CLEAR = 1 << 17;
    private static final int IN_PARTS = 1 << 18;
    /** What the message is lies on its worker's board. */
    static final int POSTED = 1 << 19;

    private static final int PRIORITY_SHIFT = 8;
    /** A piece. */
    private static final int WHOLE = 0;
    /** In place of one: there will be no more. */
    private static final int BROKEN = 1;

    private static final int BYTE = 0xff;
    private static final int SPINS = 200;
    /** So often who is not to wait for a rank sleeps a moment, before it asks somebody else, who would be in the way of one that looks. */
    private static final int NAPS = 20;

    private final World world;
    /** Its number. */
    private final int other;

    private final Ring outMessages;
    private final Ring outPieces;
    private final Ring inMessages;
    private final Ring inPieces;
    /** Null: there is none. */
    private final @Nullable Board inBoard;

    // Sending.
    private final Baton writing = new Baton.Apart();
    private final Baton pumping = new Baton.Apart();
    private final Runnable pump = this::pump;
    /** Pieces that have gone; runs over. Of who pumps. */
    private volatile int gone;

    private final AtomicInteger streams = new AtomicInteger();
    /** Long ones that may go, and have not been put in order yet. */
    private final Queue<Outgoing> fresh = new ConcurrentLinkedQueue<>();
    /** In order; of who pumps. */
    private final PriorityQueue<Outgoing> ready = new PriorityQueue<>(Outgoing.ORDER);
    /** Very long ones that nobody wants yet. */
    private final Map<Integer, Outgoing> unwanted = new ConcurrentHashMap<>();
    /** What is to be said of messages that have come. */
    private final Queue<Note> notes = new ConcurrentLinkedQueue<>();
    /** Notes and streams that have not gone. */
    private final AtomicInteger pending = new AtomicInteger();

    // Receiving; of who polls.
    private final Baton polling = new Baton.Apart();
    private final Map<Integer, Incoming> incoming = new HashMap<>();
    /** Messages that have been taken in since a piece was looked for. */
    private int sincePiece;

    /** From and to another worker. */
    Peer(World world, SharedLayout memory, int worker, int other) {
        this.world = world;
        this.other = other;
        outMessages = memory.messages(worker, other);
        outPieces = memory.pieces(worker, other);
        inMessages = memory.messages(other, worker);
        inPieces = memory.pieces(other, worker);
        inBoard = memory.board(other);
    }

    // Sending.

    /** See {@link Rank#send}. */
    @Nullable
    Sending send(Rank sender, int receiver, Envelope envelope, Wire.Kind kind, MemorySegment contents, Rank.Mode mode) {
        boolean synchronous = mode.isSynchronous();
        if (!synchronous && contents.byteSize() <= SHORT) {
            put(sender, receiver, envelope, kind, contents, 0, 0, mode);
            return null;
        }
        if (!synchronous && isMedium(contents) && tryPut(sender.number(), receiver, envelope, kind, contents, 0, 0)) {
            world.bellOf(receiver).ring();
            return null;
        }
        return sendLong(sender, receiver, envelope, kind, contents, mode);
    }

    /** Not out of mapped memory, which may not be there: in pieces, the last of which can say so. */
    private boolean isMedium(MemorySegment contents) {
        return contents.byteSize() <= Math.min(MEDIUM, outMessages.most()) && !contents.isMapped();
    }

    private Sending sendLong(
            Rank sender, int receiver, Envelope envelope, Wire.Kind kind, MemorySegment contents, Rank.Mode mode) {
        int stream = streams.incrementAndGet();
        Sending sending = new Sending(sender.mailbox(), receiver, envelope.tag());
        Outgoing outgoing = new Outgoing(stream, world.tick(), receiver, envelope.priority(), contents, sending);
        MemorySegment announced = Incoming.said(contents.byteSize(), sender.number());
        boolean eager = contents.byteSize() <= EAGER && !mode.isSynchronous();
        if (!eager) {
            unwanted.put(stream, outgoing);
        }
        put(sender, receiver, envelope, kind, announced, eager ? LONG : LONG | AWAITS_CLEAR, stream, mode);
        if (eager) {
            add(outgoing, sender.number());
        }
        return sending;
    }

    void put(
            Rank sender,
            int receiver,
            Envelope envelope,
            Wire.Kind kind,
            MemorySegment contents,
            int flags,
            int stream,
            Rank.Mode mode) {
        boolean asks = false;
        for (int tries = 0; !tryPut(sender.number(), receiver, envelope, kind, contents, flags, stream); tries++) {
            world.check();
            var _ = world.poll(sender.number(), null, null);
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else {
                if (tries >= SPINS + NAPS && !mode.mayWait()) {
                    asks = true;
                    outMessages.ask(true);
                    world.wakeAttendantOf(other);
                }
                ringAll();
                sender.mailbox().lendAndNap(writing.holder());
            }
        }
        if (asks) {
            outMessages.ask(false);
        }
        world.bellOf(receiver).ring();
    }

    /**
     * There is no room: any rank there may make some, also for what others of them do not want yet, and all that wait may have fallen
     * asleep before what has come since.
     */
    private void ringAll() {
        Layout layout = world.layout();
        for (int rank = layout.first(other); rank < layout.first(other + 1); rank++) {
            world.bellOf(rank).ring();
        }
    }

    /** False: the ring is full, or too full for a message that is not short, or another thread writes. */
    private boolean tryPut(
            int sender,
            int receiver,
            Envelope envelope,
            Wire.Kind kind,
            MemorySegment contents,
            int flags,
            int stream) {
        if (!writing.take(sender)) {
            return false;
        }
        try {
            long size = contents.byteSize();
            long slot = size <= SHORT || outMessages.hasFew() ? outMessages.claim(size) : Ring.FULL;
            if (slot == Ring.FULL) {
                return false;
            }
            boolean inParts = size > FIRST_PART && kind.type() != null;
            long first = inParts ? FIRST_PART : size;
            MemorySegment.copy(contents, 0, Memory.ALL, outMessages.room(slot, size), first);
            int what = kind.number() | envelope.priority() << PRIORITY_SHIFT | flags;
            outMessages.set(slot, Ring.STREAM, stream);
            outMessages.set(slot, Ring.KIND, inParts ? what | IN_PARTS : what);
            outMessages.set(slot, Ring.RECEIVER, receiver);
            outMessages.set(slot, Ring.SOURCE, envelope.source());
            outMessages.set(slot, Ring.CONTEXT, envelope.context());
            outMessages.set(slot, Ring.TAG, envelope.tag());
            outMessages.set(slot, Ring.LENGTH, (int) size);
            if (inParts) {
                outMessages.show(slot, FIRST_PART, envelope.priority());
                outMessages.commitInParts(slot, contents, FIRST_PART, PART);
            } else {
                outMessages.commit(slot, size, envelope.priority());
            }
            return true;
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        } finally {
            writing.drop();
        }
    }

    private void add(Outgoing outgoing, int rank) {
        count(fresh, outgoing);
        var _ = pump(rank);
    }

    /** Counted first: who moves on what is there may be done with it at once. */
    private <T> void count(Queue<T> queue, T something) {
        pending.incrementAndGet();
        try {
            queue.add(something);
        } catch (OutOfMemoryError e) {
            pending.decrementAndGet();
            throw e;
        }
    }

    /**
     * Says that a very long message is wanted. Never waits: who does this may be polling.
     *
     * @param rank whose thread it is
     */
    void clear(int stream, int sender, int rank) {
        count(notes, new Note(stream, sender));
        var _ = pump(rank);
        if (!notes.isEmpty()) {
            world.wakeAttendant(); // the ranks may compute from now on, or be asleep already
        }
    }

    /** If something has to go. */
    boolean isPending() {
        return pending.get() != 0;
    }

    /**
     * Moves on some of what has to go, unless another thread does.
     *
     * @param rank whose thread it is, or {@link Baton#SOMEBODY}
     * @return if pieces have gone: there may be more
     */
    boolean pump(int rank) {
        if (pending.get() == 0) {
            return false;
        }
        int before = gone;
        var _ = pumping.pass(pump, rank);
        return gone != before;
    }

    private void pump() {
        while (!notes.isEmpty() && tryPutNote()) {
            // the next one
        }
        for (int left = PIECES; left > 0; left--) {
            for (Outgoing next = fresh.poll(); next != null; next = fresh.poll()) {
                ready.add(next);
            }
            if (ready.isEmpty()) {
                return;
            }
            boolean isTurnOfOldest = gone % Arrivals.MOST_OVERTAKING == 0;
            if (!pump(isTurnOfOldest ? Collections.min(ready, Outgoing.AGE) : ready.element())) {
                return;
            }
        }
    }

    /** Puts the first note. False: the ring is full, or another thread writes. */
    private boolean tryPutNote() {
        if (!writing.take(pumping.holder())) {
            return false;
        }
        Note note = null;
        try {
            long slot = outMessages.claim(0);
            if (slot != Ring.FULL) {
                note = requireNonNull(notes.poll());
                outMessages.set(slot, Ring.STREAM, note.stream());
                outMessages.set(slot, Ring.KIND, Wire.Kind.CLEAR.number());
                outMessages.set(slot, Ring.LENGTH, 0);
                outMessages.commit(slot, 0);
            }
        } finally {
            writing.drop();
        }
        if (note == null) {
            ringAll();
            return false;
        }
        pending.decrementAndGet();
        world.bellOf(note.sender()).ring();
        return true;
    }

    /** Moves a piece on. False: there is no room. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one pumps at a time
    private boolean pump(Outgoing outgoing) {
        long size = outgoing.memory.byteSize();
        long length = Math.min(size <= EAGER ? EAGER_PIECE : PIECE, size - outgoing.gone);
        long slot = outPieces.claim(length);
        if (slot == Ring.FULL) {
            ringAll();
            return false;
        }
        JException broken = null;
        try {
            Fault.copy(outgoing.memory, outgoing.gone, Memory.ALL, outPieces.room(slot, length), length);
        } catch (IllegalStateException e) {
            broken = Receive.gone(e);
        } catch (InternalError e) {
            broken = Fault.of(e); // its sender's, not of the one that happens to move it on
        }
        outPieces.set(slot, Ring.STREAM, outgoing.stream);
        outPieces.set(slot, Ring.LENGTH, (int) length);
        outPieces.set(slot, Ring.KIND, broken == null ? WHOLE : BROKEN);
        outPieces.commit(slot, length);
        gone++;
        outgoing.gone += length;
        world.bellOf(outgoing.receiver).ring();
        if (broken != null || outgoing.gone == size) {
            ready.remove(outgoing);
            pending.decrementAndGet();
            if (broken == null) {
                outgoing.sending.complete();
            } else {
                outgoing.sending.fail(broken);
            }
        }
        return true;
    }

    // Receiving.

    /** The rank whose thread is about what others may wait for. */
    int busy() {
        int busy = hasInput() ? polling.holder() : Baton.SOMEBODY;
        if (busy == Baton.SOMEBODY && isPending()) {
            busy = pumping.holder();
            return busy == Baton.SOMEBODY ? writing.holder() : busy;
        }
        return busy;
    }

    /** If something has come that nobody looks at. */
    boolean isLeft() {
        return hasInput() && polling.isFree();
    }

    /** If something has come that has not been taken in. */
    boolean hasInput() {
        return hasMessages() || inPieces.next() != Ring.FULL;
    }

    /** If somebody there is not to wait until a rank here makes room. */
    boolean isAsked() {
        return inMessages.isAsked();
    }

    /** If messages have come that have not been taken in. */
    boolean hasMessages() {
        return inMessages.next() != Ring.FULL;
    }

    /** See {@link World#mostImportant}. */
    int mostImportant() {
        long slot = inMessages.next();
        if (slot == Ring.FULL) {
            return 0;
        }
        int what = inMessages.get(slot, Ring.KIND);
        boolean isKnown = !inMessages.isOvertaken() && Wire.Kind.of(what & BYTE) != Wire.Kind.CLEAR;
        return isKnown ? (what >> PRIORITY_SHIFT) & BYTE : Thread.MAX_PRIORITY + 1;
    }

    /**
     * Takes in messages that have come, or else a piece, unless another thread does; also a piece now and then if there are always messages.
     *
     * @param rank whose thread it is, or {@link Baton#SOMEBODY}
     * @param tended the mailbox that the calling thread tends, if it does
     * @param leading see {@link Mailbox#taker}
     * @return if something has been taken in: there may be more
     */
    boolean poll(int rank, @Nullable Mailbox tended, @Nullable Receive leading) {
        if (!hasInput() || !polling.take(rank)) {
            return false;
        }
        try {
            int left = BUDGET;
            while (left > 0 && !(leading != null && leading.isDone()) && pollMessage(tended, leading)) {
                left--;
            }
            boolean any = left < BUDGET;
            sincePiece += BUDGET - left;
            if (any && sincePiece < BUDGET) {
                return true; // who polls may want a message, and looks again before the next piece
            }
            sincePiece = 0;
            return pollPiece() || any;
        } finally {
            polling.drop();
        }
    }

    private boolean pollMessage(@Nullable Mailbox tended, @Nullable Receive leading) {
        long slot = inMessages.next();
        if (slot == Ring.FULL) {
            return false;
        }
        int what = inMessages.get(slot, Ring.KIND);
        int stream = inMessages.get(slot, Ring.STREAM);
        int length = inMessages.get(slot, Ring.LENGTH);
        Wire.Kind kind = Wire.Kind.of(what & BYTE);
        if (kind == Wire.Kind.CLEAR) {
            add(requireNonNull(unwanted.get(stream)), Baton.SOMEBODY); // for which there may be no memory
            var _ = unwanted.remove(stream);
        } else {
            arrive(slot, what, stream, kind, length, tended, leading);
        }
        inMessages.advance(length);
        return true;
    }

    private void arrive(
            long slot,
            int what,
            int stream,
            Wire.Kind kind,
            int length,
            @Nullable Mailbox tended,
            @Nullable Receive leading) {
        int context = inMessages.get(slot, Ring.CONTEXT);
        int source = inMessages.get(slot, Ring.SOURCE);
        int tag = inMessages.get(slot, Ring.TAG);
        int priority = (what >> PRIORITY_SHIFT) & BYTE;
        Mailbox mailbox = world.rank(inMessages.get(slot, Ring.RECEIVER)).mailbox();
        JType type = kind.type();
        boolean isNow = mailbox == tended && mailbox.isCaughtUp(leading);
        boolean isWhole = (what & LONG) == 0;
        boolean isPosted = (what & POSTED) != 0;
        boolean isDirect = isWhole && !isPosted && (type != null || kind == Wire.Kind.OBJECT);
        if (isNow && isDirect) {
            Receive taker = mailbox.taker(leading, isFirst(leading), context, source, tag);
            if (taker != null) {
                taker.take(source, tag, priority, kind, length, this, slot);
                return;
            }
        }
        Posting posting =
                isPosted ? new Posting(mailbox, tag, requireNonNull(inBoard), said(slot, length), kind) : null;
        Object body = posting != null
                ? posting.body()
                : isWhole ? body(slot, stream, kind, length) : announced(slot, what, stream, kind, length);
        Message message = new Message(context, source, tag, priority, body, posting);
        if (isNow && isWhole && !isDirect) {
            Receive taker = mailbox.taker(leading, isFirst(leading), context, source, tag);
            if (taker != null) {
                taker.take(message);
                return;
            }
        }
        if (isNow) {
            mailbox.arrive(message, leading);
        } else {
            mailbox.hand(message);
        }
    }

    /** If none of those behind the next message, or of other JVMs, is to be preferred to it by a receive that has not looked at them. */
    private boolean isFirst(@Nullable Receive leading) {
        return leading == null
                || leading.standing != Receive.Standing.NEW
                || (leading.sender == Receive.ANY
                        ? inMessages.isLast() && !world.hasMessages(this)
                        : !inMessages.isOvertaken());
    }

    private @Nullable Object body(long slot, int stream, Wire.Kind kind, int length) {
        Object array = kind.newArray(length);
        if (copy(slot, length, kind.memoryOf(array)) == null) {
            return kind.message(array);
        }
        Incoming broken = new Incoming(this, stream, Incoming.said(length, Baton.SOMEBODY), kind, false);
        broken.breakOff();
        return broken;
    }

    private MemorySegment said(long slot, int length) {
        return Memory.ALL.asSlice(inMessages.nextContents(slot, length), length);
    }

    private Incoming announced(long slot, int what, int stream, Wire.Kind kind, int length) {
        Incoming in = new Incoming(this, stream, said(slot, length), kind, (what & AWAITS_CLEAR) != 0);
        incoming.put(stream, in);
        return in;
    }

    /**
     * Copies all that the next message holds. By who polls.
     *
     * @return why it is not all there; null: it is
     */
    @Nullable
    JException copy(long slot, int length, MemorySegment into) {
        long contents = inMessages.nextContents(slot, length);
        boolean inParts = (inMessages.get(slot, Ring.KIND) & IN_PARTS) != 0;
        int done = 0;
        do {
            int there = inParts ? awaitMore(slot, done) : length;
            if (there == Ring.BROKEN) {
                return Incoming.closed();
            }
            if (length > SHORT) {
                Fault.copy(Memory.ALL, contents + done, into, done, there - done);
            } else {
                MemorySegment.copy(Memory.ALL, contents + done, into, done, there - done);
            }
            done = there;
        } while (done < length);
        return null;
    }

    /** How much of it is there, if that is more; its sender is about to copy the rest, unless it has lost its CPU. */
    private int awaitMore(long slot, int done) {
        int there = Ring.shown(slot);
        for (int tries = 0; there == done; tries++) {
            if (tries >= SPINS) {
                world.check();
            }
            // A virtual thread that let go of its carrier might not get one again, and others want what it has taken.
            if (tries < SPINS || Thread.currentThread().isVirtual()) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(World.NAP_NANOS);
            }
            there = Ring.shown(slot);
        }
        return there;
    }

    private boolean pollPiece() {
        long slot = inPieces.next();
        if (slot == Ring.FULL) {
            return false;
        }
        Incoming in = incoming.get(inPieces.get(slot, Ring.STREAM));
        if (in == null) {
            return true; // announced after this thread had looked for messages: they come first
        }
        int length = inPieces.get(slot, Ring.LENGTH);
        if (inPieces.get(slot, Ring.KIND) == BROKEN) {
            in.breakOff();
            incoming.remove(inPieces.get(slot, Ring.STREAM));
        } else if (in.add(Memory.ALL, inPieces.nextContents(slot, length), length)) {
            incoming.remove(inPieces.get(slot, Ring.STREAM));
        }
        inPieces.advance(length);
        return true;
    }
}
