package ayatori.bench.load;

import java.util.Arrays;
import java.util.List;
import jpi.JBuffer;
import jpi.JOperation;

/** IS: the ranks of small integer keys, by a bucket sort; each rank gets the keys of a range of buckets. */
public final class NasIs extends NasKernel {
    private static final int ITERATIONS = 10;

    /**
     * A key whose rank is published.
     *
     * @param place where it is in the sequence of keys
     * @param rank its rank, were there an iteration 0
     * @param drift what each iteration adds to it, since each changes two keys
     */
    private record Probe(int place, int rank, int drift) {}

    private static final List<Probe> PROBES_OF_S = List.of(
            new Probe(48427, 0, 1),
            new Probe(17148, 18, 1),
            new Probe(23627, 346, 1),
            new Probe(62548, 64917, -1),
            new Probe(4431, 65463, -1));
    private static final List<Probe> PROBES_OF_W = List.of(
            new Probe(357773, 1249 - 2, 1),
            new Probe(934767, 11698 - 2, 1),
            new Probe(875723, 1039987, -1),
            new Probe(898999, 1043896, -1),
            new Probe(404505, 1048018, -1));
    private static final List<Probe> PROBES_OF_A = List.of(
            new Probe(2112377, 104 - 1, 1),
            new Probe(662041, 17523 - 1, 1),
            new Probe(5336171, 123928 - 1, 1),
            new Probe(3642833, 8288932 + 1, -1),
            new Probe(4250760, 8388264 + 1, -1));

    private List<Probe> probes = List.of();
    private int keyLimit;
    private int buckets;
    /** A key's upper bits, that is all but so many, are its bucket. */
    private int shift;

    private int[] keys = {};
    private int[] byBucket = {};
    private int[] received = {};
    /** How many of the keys of this rank's buckets are at most as large, by key. */
    private int[] population = {};

    // Keys in each bucket, and behind them those of the probes.
    private int[] mine = {};
    private int[] all = {};

    // Of the last iteration.
    private int receivedKeys;
    private int lowest;
    private int beyond;
    private int lesser;
    private int wrong;

    @Override
    int mostRanks() {
        return 128;
    }

    @Override
    void prepare(NasClass size) {
        switch (size) {
            case S -> set(16, 11, 9, PROBES_OF_S);
            case W -> set(20, 16, 10, PROBES_OF_W);
            case A -> set(23, 19, 10, PROBES_OF_A);
        }
    }

    private void set(int keysLog, int limitLog, int bucketsLog, List<Probe> some) {
        probes = some;
        keyLimit = 1 << limitLog;
        buckets = 1 << bucketsLog;
        shift = limitLog - bucketsLog;
        keys = new int[(1 << keysLog) / ranks];
        byBucket = new int[keys.length];
        received = new int[keys.length];
        population = new int[keyLimit];
        mine = new int[buckets + probes.size()];
        all = new int[mine.length];
    }

    @Override
    void begin() {
        NasRandom random = new NasRandom(NasRandom.SEED, 4L * keys.length * me);
        for (int i = 0; i < keys.length; i++) {
            double sum = random.next();
            sum += random.next();
            sum += random.next();
            sum += random.next();
            keys[i] = (int) (keyLimit / 4.0 * sum);
        }
        wrong = 0;
    }

    @Override
    void run() {
        for (int iteration = 1; iteration <= ITERATIONS; iteration++) {
            if (me == 0) {
                keys[iteration] = iteration;
                keys[iteration + ITERATIONS] = keyLimit - iteration;
            }
            countBuckets();
            int[] firstBuckets = shareOut();
            exchange(firstBuckets);
            countKeys();
            check(iteration);
        }
    }

    private void countBuckets() {
        Arrays.fill(mine, 0);
        for (int key : keys) {
            mine[key >> shift]++;
        }
        for (int i = 0; i < probes.size(); i++) {
            int place = probes.get(i).place() - me * keys.length;
            if (place >= 0 && place < keys.length) {
                mine[buckets + i] = keys[place]; // zero on all other ranks, and so in the sum
            }
        }
        comm.allreduce(JBuffer.of(mine), JBuffer.of(all), JOperation.SUM);
    }

    /** @return each rank's first bucket, and behind them that after the last: as many keys for each as whole buckets allow */
    private int[] shareOut() {
        int[] first = new int[ranks + 1];
        long total = (long) keys.length * ranks;
        long before = 0;
        int rank = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            // A bucket is with who has its middle.
            while (rank < ranks - 1 && (before + all[bucket] / 2) * ranks >= total * (rank + 1)) {
                first[++rank] = bucket;
            }
            before += all[bucket];
        }
        while (rank < ranks) {
            first[++rank] = buckets;
        }
        lowest = first[me] << shift;
        beyond = first[me + 1] << shift;
        return first;
    }

    private void exchange(int[] firstBuckets) {
        int[] next = new int[buckets];
        for (int bucket = 1; bucket < buckets; bucket++) {
            next[bucket] = next[bucket - 1] + mine[bucket - 1];
        }
        int[] sendCounts = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            for (int bucket = firstBuckets[rank]; bucket < firstBuckets[rank + 1]; bucket++) {
                sendCounts[rank] += mine[bucket];
            }
        }
        for (int key : keys) {
            byBucket[next[key >> shift]++] = key;
        }
        int[] receiveCounts = new int[ranks];
        comm.alltoall(JBuffer.of(sendCounts), JBuffer.of(receiveCounts));
        receivedKeys = Arrays.stream(receiveCounts).sum();
        if (received.length < receivedKeys) {
            received = new int[receivedKeys];
        }
        comm.alltoallv(JBuffer.of(byBucket), sendCounts, null, JBuffer.of(received), receiveCounts, null);
        lesser = 0;
        for (int bucket = 0; bucket < firstBuckets[me]; bucket++) {
            lesser += all[bucket];
        }
    }

    private void countKeys() {
        Arrays.fill(population, 0, beyond - lowest, 0);
        for (int i = 0; i < receivedKeys; i++) {
            population[received[i] - lowest]++;
        }
        for (int i = 1; i < beyond - lowest; i++) {
            population[i] += population[i - 1];
        }
    }

    /** Compares the ranks of the probes that have come here. */
    private void check(int iteration) {
        for (int i = 0; i < probes.size(); i++) {
            int key = all[buckets + i];
            if (key < lowest || key >= beyond) {
                continue;
            }
            Probe probe = probes.get(i);
            int rank = lesser + (key > lowest ? population[key - lowest - 1] : 0);
            int published = probe.rank() + probe.drift() * iteration;
            if (rank != published) {
                System.out.println("IS's rank of key " + key + " is " + rank + ", not " + published);
                wrong++;
            }
        }
    }

    /** All probes were right, and the ranks of the last iteration do sort the keys. */
    @Override
    boolean verify() {
        int[] sorted = new int[receivedKeys];
        for (int i = 0; i < receivedKeys; i++) {
            int key = received[i];
            sorted[--population[key - lowest]] = key;
        }
        for (int i = 1; i < receivedKeys; i++) {
            wrong += sorted[i - 1] > sorted[i] ? 1 : 0;
        }
        int[] ends = receivedKeys == 0 ? new int[0] : new int[] {sorted[0], sorted[receivedKeys - 1]};
        int last = -1;
        for (int[] others : comm.allgather(ends)) {
            if (others.length > 0) {
                wrong += last > others[0] ? 1 : 0;
                last = others[1];
            }
        }
        int keysOfAll = comm.allreduce(receivedKeys, JOperation.SUM);
        return comm.allreduce(wrong, JOperation.SUM) == 0 && keysOfAll == keys.length * ranks;
    }

    @Override
    double operations() {
        return (double) ITERATIONS * keys.length * ranks;
    }
}
