package jpi.internal.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rank in the {@link Timeline}. Each of its threads has a track of its own, since on one track slices only nest.
 *
 * <p>Both ends of a message number it for themselves, and need not tell each other: messages of one source, tag and priority keep
 * their order. Between several threads of a rank that send such at once there is none, and the arrows may be crossed.
 */
final class Track {
    /** Of so many kinds of messages the last number is known; each collective operation has a kind of its own, so that old ones go. */
    private static final int KINDS = 4096;

    private final Timeline timeline;
    private final int rank;

    // Guarded by this object.
    private final List<Lane> lanes = new ArrayList<>(1);
    private @Nullable Numbers sent;
    private @Nullable Numbers taken;

    private record Lane(Thread thread, int track) {}

    /** Messages that keep their order among themselves. */
    private record Kind(int receiver, int context, int source, int tag, int priority) {
        /** Of one of them: 53 bits, which JSON's numbers hold for certain. */
        long flow(int number) {
            long mixed = mix(mix(mix(mix(mix(receiver) ^ context) ^ source) ^ tag) ^ priority);
            return Math.max(1, mix(mixed ^ number) >>> 11);
        }

        /** Any change changes about half of the bits: as SplittableRandom does it. */
        private static long mix(long value) {
            long mixed = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
            return mixed ^ mixed >>> 31;
        }
    }

    /** How many there have been of each kind. */
    private static final class Numbers extends LinkedHashMap<Kind, Integer> {
        private static final long serialVersionUID = 1;

        Numbers() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Integer> eldest) {
            return size() > KINDS;
        }

        long next(Kind kind) {
            return kind.flow(merge(kind, 1, Integer::sum));
        }
    }

    Track(Timeline timeline, int rank) {
        this.timeline = timeline;
        this.rank = rank;
    }

    /** The track of the calling thread. The first that asks has the rank's first. */
    synchronized int ofCurrent() {
        Thread current = Thread.currentThread();
        int free = -1;
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            if (lane.thread == current) {
                return lane.track;
            }
            if (free < 0 && i > 0 && !lane.thread.isAlive()) {
                free = i;
            }
        }
        if (free < 0) {
            lanes.add(new Lane(current, timeline.newTrack(rank, lanes.size())));
            return lanes.getLast().track;
        }
        lanes.set(free, new Lane(current, lanes.get(free).track));
        return lanes.get(free).track;
    }

    /** The flow of the message that has just been sent. */
    synchronized long sent(int receiver, Envelope envelope) {
        if (timeline.isFull()) {
            return 0;
        }
        sent = sent == null ? new Numbers() : sent;
        return sent.next(
                new Kind(receiver, envelope.context(), envelope.source(), envelope.tag(), envelope.priority()));
    }

    /** The flow of the message that is just being taken. */
    synchronized long taken(Envelope envelope) {
        if (timeline.isFull()) {
            return 0;
        }
        taken = taken == null ? new Numbers() : taken;
        return taken.next(new Kind(rank, envelope.context(), envelope.source(), envelope.tag(), envelope.priority()));
    }

    boolean isFull() {
        return timeline.isFull();
    }

    /** Adds a slice if there is room. */
    void add(Slice slice) {
        timeline.add(slice);
    }

    /** There is one that has no room. */
    void drop() {
        timeline.drop();
    }
}
