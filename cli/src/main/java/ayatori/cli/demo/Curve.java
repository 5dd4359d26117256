package ayatori.cli.demo;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The counters of a run over time: the samples between gate and last end, and the exact ends that the threads saw.
 *
 * @param elapsed nanoseconds since the gate was opened, ascending
 * @param counters of T1 to T4 at these times
 */
@SuppressWarnings("ArrayRecordComponent") // plain columns, never compared
record Curve(long[] elapsed, long[][] counters) {

    /** Shorter holes are the sampler's own. */
    private static final long SHORTEST_STALL_NANOS = 15_000_000;

    static Curve of(RunRecord run) {
        List<RunRecord.Counted> threads = run.threads();
        TreeMap<Long, long[]> rows = new TreeMap<>();
        rows.put(0L, new long[threads.size()]);
        long last = 0;
        for (RunRecord.Counted counted : threads) {
            long end = counted.ended() - run.opened();
            rows.put(end, counted.others().stream().mapToLong(Long::longValue).toArray());
            last = Math.max(last, end);
        }
        Samples samples = run.samples();
        for (int at = 0; at < samples.size(); at++) {
            long time = samples.time(at) - run.opened();
            if (time > 0 && time < last) {
                int index = at;
                rows.put(
                        time,
                        IntStream.range(0, threads.size())
                                .mapToLong(thread -> samples.counter(thread, index))
                                .toArray());
            }
        }
        long[] elapsed = rows.keySet().stream().mapToLong(Long::longValue).toArray();
        long[][] counters = new long[threads.size()][];
        for (int thread = 0; thread < counters.length; thread++) {
            int column = thread;
            counters[thread] =
                    rows.values().stream().mapToLong(row -> row[column]).toArray();
        }
        return new Curve(elapsed, counters);
    }

    /**
     * When no real-time thread counted although one had not ended: from, to, from, to, … as nanoseconds since the gate
     * was opened. Such a hole is the kernel's real-time throttling.
     */
    long[] stalls(RunRecord run) {
        LongStream.Builder holes = LongStream.builder();
        int from = 0;
        for (int at = 1; at < elapsed.length; at++) {
            if (realTimeMoved(run, at)) {
                add(holes, from, at - 1);
                from = at;
            }
        }
        return holes.build().toArray();
    }

    private void add(LongStream.Builder holes, int from, int to) {
        if (elapsed[to] - elapsed[from] >= SHORTEST_STALL_NANOS) {
            holes.add(elapsed[from]).add(elapsed[to]);
        }
    }

    private boolean realTimeMoved(RunRecord run, int at) {
        for (int thread = 0; thread < counters.length; thread++) {
            RunRecord.Counted counted = run.threads().get(thread);
            if (counted.realTime() && counters[thread][at] != counters[thread][at - 1]) {
                return true;
            }
        }
        return false;
    }
}
