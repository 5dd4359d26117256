package ayatori.bench.load;

import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JType;
import jpi.JWindow;
import org.jspecify.annotations.Nullable;

/**
 * What a cache line takes from one CPU to another and nothing else: two ranks write numbers into a line in turn. A message cannot be
 * quicker. Of more ranks that share two CPUs two go to one each for as long. Does what {@code bench/src/main/c/line.c} does, step by
 * step.
 */
final class Line implements AutoCloseable {
    /** The quickest of so many bursts counts: the others may have been disturbed. */
    private static final int BURSTS = 8;

    private static final int TIMES = 500;
    /** So often something is measured, if the CPUs have come nearer meanwhile, or have gone farther. */
    private static final int MOST_TRIES = 3;
    /** A line, and the one that its CPU may fetch with it; and as much again, to begin where one begins. */
    private static final int APART = 128;

    private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();

    /** What something takes, and what a line took before and after, the longer of both; NaN: that is not known. */
    record Beside<T>(T measured, double nanos) {}

    private final JComm comm;
    /** That more ranks than two share. */
    private final @Nullable BitSet cpus;

    private final JWindow window;
    private final MemorySegment memory;
    private final boolean leads;
    private final double[] shared = new double[1];
    private long number;

    /** By both ranks of two. */
    Line(JComm comm) {
        this(comm, null);
    }

    private Line(JComm comm, @Nullable BitSet cpus) {
        this.comm = comm;
        this.cpus = cpus;
        window = comm.window(JType.LONG, 2 * APART / Long.BYTES);
        MemorySegment part = window.memory(0);
        memory = part.asSlice(-part.address() & (APART - 1), Long.BYTES);
        leads = comm.rank() == 0;
    }

    /**
     * By all ranks.
     *
     * @return null: they are more than two, and have more CPUs than two, or one, so that there is no one distance
     */
    static @Nullable Line of(JComm comm) {
        if (comm.size() == 2) {
            return new Line(comm);
        }
        BitSet cpus;
        try {
            cpus = Sched.getAffinity(0);
        } catch (KernelException e) {
            throw new IllegalStateException(e);
        }
        return cpus.cardinality() == 2 ? new Line(comm, cpus) : null;
    }

    /** Nanoseconds one way, of use to rank 0. By all at the same time. */
    double nanos() {
        if (cpus == null) {
            return quickest();
        }
        if (comm.rank() > 1) {
            return Double.NaN;
        }
        PinnedWork.moveTo(leads ? cpus.nextSetBit(0) : cpus.length() - 1);
        try {
            return quickest();
        } finally {
            PinnedWork.moveTo(cpus);
        }
    }

    private double quickest() {
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < BURSTS; i++) {
            long start = System.nanoTime();
            play();
            quickest = Math.min(quickest, System.nanoTime() - start);
        }
        return quickest / (2.0 * TIMES);
    }

    /** The same on all ranks, by all at the same time; NaN if there is no line. */
    static double shared(@Nullable Line line) {
        if (line == null) {
            return Double.NaN;
        }
        line.shared[0] = line.nanos();
        line.comm.bcast(JBuffer.of(line.shared), 0);
        return line.shared[0];
    }

    /**
     * Measures something between CPUs that stay where they are, if they do for as long.
     *
     * @param line what a line takes now, the same for all who take part; NaN: that is not known
     */
    static <T> Beside<T> beside(DoubleSupplier line, Supplier<T> something) {
        double before = line.getAsDouble();
        for (int i = 1; ; i++) {
            T measured = something.get();
            double after = line.getAsDouble();
            if (Distance.of(before) == Distance.of(after) || i == MOST_TRIES) {
                return new Beside<>(measured, Math.max(before, after));
            }
            before = after;
        }
    }

    private void play() {
        for (int i = 0; i < TIMES; i++) {
            if (leads) {
                NUMBER.setRelease(memory, 0L, ++number);
                await(++number);
            } else {
                await(++number);
                NUMBER.setRelease(memory, 0L, ++number);
            }
        }
    }

    private void await(long wanted) {
        while ((long) NUMBER.getAcquire(memory, 0L) != wanted) {
            ; // the sooner it is seen, the better
        }
    }

    @Override
    public void close() {
        window.close();
    }
}
