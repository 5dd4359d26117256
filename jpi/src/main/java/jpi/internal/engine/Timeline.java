package jpi.internal.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What the ranks of this worker did, in the Trace Event Format; handed over every now and then, so that little is missing if this
 * JVM is killed. Times are those of System.nanoTime: on Linux CLOCK_MONOTONIC, and so the same for all JVMs of a machine.
 */
public final class Timeline {
    /** So many slices all workers have together, the first ones: more than this viewers open slowly, or not at all. */
    private static final int MOST = 500_000;
    /** So many wait to be handed over, before those who have more wait. */
    private static final int MOST_QUEUED = 1 << 15;

    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long HANDED_OVER_MILLIS = 100;
    private static final int PART_LENGTH = 1 << 20;

    private final long pid = ProcessHandle.current().pid();
    private final Layout layout;
    private final Consumer<Part> collector;
    private final int most;
    private final Queue<Slice> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicInteger tracks = new AtomicInteger();

    // Guarded by this object.
    private final TraceText text = new TraceText();
    private long droppedTold;

    private volatile boolean closed;

    /**
     * A part of it.
     *
     * @param lines of the array, each after its comma
     * @param dropped slices so far for which there was no room
     */
    public record Part(String lines, long dropped) {}

    /**
     * One of a worker.
     *
     * @param collector gets each part; called by one thread at a time, which may wait there
     */
    public Timeline(Layout layout, Consumer<Part> collector) {
        this(layout, collector, MOST);
    }

    Timeline(Layout layout, Consumer<Part> collector, int mostOfAll) {
        this.layout = layout;
        this.collector = collector;
        most = mostOfAll / layout.workers();
        text.processName(pid, "worker " + layout.worker());
        text.processOrder(pid, layout.worker());
    }

    /** From now on it is handed over as it grows. */
    void start() {
        var _ = Thread.ofPlatform().daemon().name("jpi-timeline").start(() -> {
            while (!closed) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(HANDED_OVER_MILLIS));
                flush();
            }
        });
    }

    /** Hands over what there is. */
    public synchronized void flush() {
        for (Slice slice = queue.poll(); slice != null; slice = queue.poll()) {
            queued.decrementAndGet();
            slice.write(text, pid);
            if (text.length() > PART_LENGTH) {
                hand();
            }
        }
        if (text.length() > 0 || dropped.get() != droppedTold) {
            hand();
        }
    }

    private synchronized void hand() {
        droppedTold = dropped.get();
        collector.accept(new Part(text.take(), droppedTold));
    }

    /** Hands over what there is, for the last time. */
    void close() {
        closed = true;
        flush();
    }

    /** If there is no room for more. */
    boolean isFull() {
        return added.get() >= most;
    }

    /** There is one that has no room. */
    void drop() {
        dropped.incrementAndGet();
    }

    /** Adds a slice if there is room. The calling thread may wait, and must not hold anything that others want. */
    void add(Slice slice) {
        if (isFull() || added.getAndIncrement() >= most) {
            drop();
            return;
        }
        if (queued.incrementAndGet() > MOST_QUEUED) {
            boolean interrupted = false;
            while (queued.get() > MOST_QUEUED && !closed) {
                LockSupport.parkNanos(ROOM_NANOS);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        queue.add(slice);
    }

    /**
     * Begins a track.
     *
     * @param lane 0: that of the rank's own thread; larger: of another one that works for it
     * @return its number, which no other track of any worker has
     */
    int newTrack(int rank, int lane) {
        int track = lane == 0
                ? rank + 1 // 0 is no thread to viewers
                : layout.ranks() + 1 + layout.worker() + layout.workers() * tracks.getAndIncrement();
        synchronized (this) {
            text.track(
                    pid,
                    track,
                    "rank " + rank + (lane == 0 ? "" : ", thread " + (lane + 1)),
                    (long) rank * Short.MAX_VALUE + lane);
        }
        return track;
    }
}
