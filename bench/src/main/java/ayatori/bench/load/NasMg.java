package ayatori.bench.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.DoubleStream;
import jpi.JOperation;

/**
 * MG: V-cycles over grids of a periodic cube, for Poisson's equation with ten positive and ten negative point charges. Slabs of
 * planes, whose outer ones are exchanged with the neighbours; the coarsest grids are whole on each rank, which spares messages.
 */
public final class NasMg extends NasKernel {
    private static final double TOLERANCE = 1e-8;
    private static final int CHARGES = 10;
    /** The finest grid that is whole on each rank has at least 2 to this many points a side. */
    private static final int WHOLE_LEVEL = 3;

    private int finest;
    private int cycles;
    private double publishedNorm;
    private int whole;

    private final List<MgGrid> residuals = new ArrayList<>();
    private final List<MgGrid> solutions = new ArrayList<>();
    private MgGrid charges = new MgGrid(1, 1, false, comm);
    private double norm;

    @Override
    int mostRanks() {
        return 16;
    }

    @Override
    void prepare(NasClass size) {
        switch (size) {
            case S -> set(5, 4, 0.5307707005734e-4);
            case W -> set(7, 4, 0.6467329375339e-5);
            case A -> set(8, 4, 0.2433365309069e-5);
        }
        // Each rank has at least one plane of it, and two of the next.
        whole = Math.max(WHOLE_LEVEL, Integer.numberOfTrailingZeros(ranks));
        for (int level = 0; level <= finest; level++) {
            residuals.add(grid(level));
            solutions.add(grid(level));
        }
        charges = grid(finest);
    }

    private void set(int finestLevel, int cycleCount, double published) {
        finest = finestLevel;
        cycles = cycleCount;
        publishedNorm = published;
    }

    private MgGrid grid(int level) {
        int points = 1 << level;
        return level <= whole
                ? new MgGrid(points, points, false, comm)
                : new MgGrid(points, points / ranks, ranks > 1, comm);
    }

    @Override
    void begin() {
        solutions.get(finest).clear();
        charges.clear();
        charge(1);
        charge(-1);
        charges.exchange();
    }

    /** Sets the value where the largest random numbers are, of a sequence that is laid over the cube; with -1 the smallest. */
    private void charge(int value) {
        int side = 1 << finest;
        int planes = side / ranks;
        int count = side * side * planes;
        NasRandom random = new NasRandom(NasRandom.SEED, (long) count * me);
        Largest mine = new Largest();
        for (int i = 0; i < count; i++) {
            mine.offer(value * random.next(), count * me + i);
        }
        Largest all = new Largest();
        for (double[] spots : comm.allgather(mine.flat())) {
            for (int i = 0; i < spots.length; i += 2) {
                all.offer(spots[i], (int) spots[i + 1]);
            }
        }
        for (Spot spot : all.spots) {
            int plane = spot.place() / (side * side) - planes * me;
            if (plane >= 0 && plane < planes) {
                charges.set(spot.place() % side + 1, spot.place() / side % side + 1, plane + 1, value);
            }
        }
    }

    /** A random number and where in the sequence it is. */
    private record Spot(double number, int place) {}

    /** As many spots as there are charges, those with the largest numbers of all that were offered. */
    private static final class Largest {
        private final PriorityQueue<Spot> spots = new PriorityQueue<>(Comparator.comparingDouble(Spot::number));
        private double least = Double.NEGATIVE_INFINITY;

        void offer(double number, int place) {
            if (number <= least) {
                return;
            }
            spots.add(new Spot(number, place));
            if (spots.size() > CHARGES) {
                var _ = spots.remove();
            }
            if (spots.size() == CHARGES) {
                least = spots.element().number();
            }
        }

        /** Numbers and places in turn; as doubles places are exact. */
        double[] flat() {
            return spots.stream()
                    .flatMapToDouble(spot -> DoubleStream.of(spot.number(), spot.place()))
                    .toArray();
        }
    }

    @Override
    void run() {
        residuals.get(finest).residual(solutions.get(finest), charges);
        for (int cycle = 0; cycle < cycles; cycle++) {
            cycle();
            residuals.get(finest).residual(solutions.get(finest), charges);
        }
        double points = Math.pow(1 << finest, 3);
        double sum = comm.allreduce(residuals.get(finest).squares(), JOperation.SUM);
        norm = Math.sqrt(sum / points);
    }

    private void cycle() {
        for (int level = finest - 1; level >= 1; level--) {
            restrict(level);
        }
        solutions.get(1).clear();
        solutions.get(1).smooth(residuals.get(1));
        for (int level = 2; level <= finest; level++) {
            MgGrid solution = solutions.get(level);
            MgGrid residual = residuals.get(level);
            if (level < finest) {
                solution.clear();
            }
            // Of a grid that is whole, this rank's planes.
            int firstPlane = level == whole + 1 ? (1 << whole) / ranks * me : 0;
            solution.addInterpolated(solutions.get(level - 1), firstPlane);
            residual.residual(solution, level < finest ? residual : charges);
            solution.smooth(residual);
        }
    }

    private void restrict(int level) {
        MgGrid coarse = residuals.get(level);
        if (level == whole && ranks > 1) {
            int planes = (1 << level) / ranks;
            coarse.restrict(residuals.get(level + 1), planes * me, planes);
            coarse.gather(planes);
        } else {
            coarse.restrict(residuals.get(level + 1), 0, coarse.planes());
        }
        coarse.exchange();
    }

    @Override
    boolean verify() {
        return close("MG's norm", norm, publishedNorm, TOLERANCE);
    }

    @Override
    double operations() {
        return 58.0 * cycles * Math.pow(1 << finest, 3);
    }
}
