package jpi.internal.engine;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sees what a rank does, for all who want to know: a flight recording, the statistics, the timeline. */
final class Watch {
    private static final int NONE = -1;

    private final Rank rank;
    private final @Nullable Tally tally;
    private final @Nullable Track track;

    private record Begin(int track, long nanos) {
        static final Begin NOWHERE = new Begin(0, 0);
    }

    /** What all threads of a rank do. */
    Watch(Rank rank, boolean counting, @Nullable Timeline timeline) {
        this.rank = rank;
        tally = counting ? new Tally() : null;
        track = timeline == null ? null : new Track(timeline, rank.number());
    }

    /** If somebody wants to know from the beginning to the end. */
    boolean isWanted() {
        return tally != null || track != null;
    }

    /** The rank's own thread begins. */
    void begin() {
        if (track != null) {
            var _ = track.ofCurrent();
        }
    }

    Usage usage() {
        return tally == null ? new Usage(rank.number(), 0, 0, 0, 0, 0) : tally.usage(rank.number());
    }

    /** Sends a message. */
    @Nullable
    Sending send(int destination, Envelope envelope, @Nullable Object body, Rank.Mode mode) {
        RankEvents.Send event = new RankEvents.Send();
        Begin begin = beginning();
        event.begin();
        Route route = rank.world().route(destination);
        Sending sending;
        long bytes;
        if (route instanceof Remote remote) {
            Wire wire = Wire.of(body, rank.world().codec());
            bytes = wire.size();
            sending = remote.send(rank, envelope, wire, mode);
        } else {
            bytes = Message.bytes(body);
            sending = route.send(rank, envelope, body, mode);
        }
        event.end();
        if (tally != null) {
            tally.sent(bytes);
        }
        if (event.shouldCommit()) {
            tell(event, destination, envelope, bytes);
            event.commit();
        }
        add(
                Slice.Kind.SEND,
                begin,
                destination,
                envelope,
                bytes,
                track == null ? 0 : track.sent(destination, envelope));
        return sending;
    }

    /** A message is just being taken, in the order in which it was sent. */
    long taken(Envelope envelope, long bytes) {
        if (tally != null) {
            tally.taken(bytes);
        }
        return track == null ? 0 : track.taken(envelope);
    }

    /** Waits, if need be. */
    void await(Completion wanted) {
        watch(wanted, !wanted.isDone(), () -> rank.mailbox().await(wanted));
    }

    /** Begins a receive and waits for its end. */
    void fetch(Receive receive) {
        watch(receive, true, () -> rank.mailbox().fetch(receive));
    }

    private void watch(Completion wanted, boolean waits, Runnable wait) {
        RankEvents.Receive received = new RankEvents.Receive();
        RankEvents.Wait waited = new RankEvents.Wait();
        Begin begin = beginning();
        received.begin();
        waited.begin();
        try {
            if (waits) {
                wait.run();
            }
        } finally {
            if (waits && tally != null && !Errand.isCurrent()) { // whoever waits for an errand waits for its waits
                tally.waited(System.nanoTime() - begin.nanos);
            }
            if (wanted instanceof Receive receive && receive.isNews()) {
                received.end();
                tell(received, receive, begin);
            } else if (waits) {
                waited.end();
                tell(waited, wanted, begin);
            }
        }
    }

    /**
     * Where and when something has begun, if that is needed: events have their own time. The track is taken at the beginning, so that
     * none is lent to another thread while the end of a slice on it is to come.
     */
    private Begin beginning() {
        if (track != null && !track.isFull()) {
            return new Begin(track.ofCurrent(), System.nanoTime());
        }
        return tally == null ? Begin.NOWHERE : new Begin(0, System.nanoTime());
    }

    /** Where a slice goes; null: nobody wants one, or there is no room for it. */
    private @Nullable Track trackWithRoom() {
        if (track != null && track.isFull()) {
            track.drop();
            return null;
        }
        return track;
    }

    private void tell(RankEvents.Receive event, Receive receive, Begin begin) {
        if (!event.shouldCommit() && track == null) {
            return;
        }
        Envelope envelope = receive.envelope();
        int sender = sender(receive, envelope);
        if (event.shouldCommit()) {
            tell(event, sender, envelope, receive.bytes());
            event.commit();
        }
        add(Slice.Kind.RECEIVE, begin, sender, envelope, receive.bytes(), receive.flow());
    }

    private int sender(Receive receive, Envelope envelope) {
        if (receive.sender != Receive.ANY) {
            return receive.sender;
        }
        Communicator communicator = rank.communicator(envelope.context());
        return communicator == null ? NONE : communicator.number(envelope.source());
    }

    private void tell(RankEvents.Wait event, Completion wanted, Begin begin) {
        int peer = NONE;
        int tag = NONE;
        if (wanted instanceof Receive receive) {
            peer = receive.sender;
            tag = receive.tag;
        } else if (wanted instanceof Sending sending) {
            peer = sending.receiver();
            tag = sending.tag();
        }
        if (event.shouldCommit()) {
            event.rank = rank.number();
            event.what = wanted.description();
            event.peer = peer;
            event.tag = tag;
            event.commit();
        }
        Track open = trackWithRoom();
        if (open != null) {
            open.add(new Slice(
                    begin.track,
                    Slice.Kind.WAIT,
                    begin.nanos,
                    System.nanoTime(),
                    wanted.description(),
                    peer,
                    tag,
                    0,
                    NONE,
                    "",
                    0));
        }
    }

    private void tell(RankEvents.Passing event, int peer, Envelope envelope, long bytes) {
        event.rank = rank.number();
        event.peer = peer;
        event.tag = envelope.tag();
        event.bytes = bytes;
        event.priority = envelope.priority();
        event.communicator = rank.nameOf(envelope.context());
        event.collective = Rank.isCollective(envelope.context());
    }

    private void add(Slice.Kind kind, Begin begin, int peer, Envelope envelope, long bytes, long flow) {
        Track open = trackWithRoom();
        if (open != null) {
            open.add(new Slice(
                    begin.track,
                    kind,
                    begin.nanos,
                    System.nanoTime(),
                    "",
                    peer,
                    envelope.tag(),
                    envelope.priority(),
                    bytes,
                    rank.nameOf(envelope.context()),
                    flow));
        }
    }

    /** Does a collective operation. */
    <T extends @Nullable Object> T collective(Operation operation, Supplier<? extends T> steps) {
        RankEvents.Collective event = new RankEvents.Collective();
        Begin begin = beginning();
        event.begin();
        try {
            return steps.get();
        } finally {
            event.end();
            if (event.shouldCommit()) {
                event.rank = rank.number();
                event.operation = operation.name();
                event.communicator = operation.communicator();
                event.ranks = operation.ranks();
                event.root = operation.root();
                event.number = operation.number();
                event.bytes = operation.bytes();
                event.priority = operation.priority();
                event.commit();
            }
            Track open = trackWithRoom();
            if (open != null) {
                open.add(new Slice(
                        begin.track,
                        Slice.Kind.COLLECTIVE,
                        begin.nanos,
                        System.nanoTime(),
                        operation.name(),
                        operation.root(),
                        operation.number(),
                        operation.priority(),
                        operation.bytes(),
                        operation.communicator(),
                        0));
            }
        }
    }
}
