package ayatori.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** Runs with figures that a test can compute by hand: a count a nanosecond, a target of 100. */
final class SyntheticRun {
    static final int TARGET = 100;
    private static final long OPENED = 1_000;

    private SyntheticRun() {}

    /** T4 counts first, then T3, T2, T1, as on one CPU under real priorities; 100 ns each, 20 ns throttled before T1. */
    static RunRecord strict(Configuration configuration, int round) {
        List<RunRecord.Counted> threads = List.of(
                counted("RR 2", 420, 100, 100, 100, 100),
                counted("RR 6", 300, 0, 100, 100, 100),
                counted("RR 14", 200, 0, 0, 100, 100),
                counted("RR 18", 100, 0, 0, 0, 100));
        return run(configuration, 1, round, threads);
    }

    /** All four share one CPU evenly and end one after another within the last 4 ns; others took 40 ns. */
    static RunRecord shared(Configuration configuration, int round) {
        List<RunRecord.Counted> threads = List.of(
                counted("nice 0", 437, 100, 99, 98, 97),
                counted("nice 0", 438, 100, 100, 98, 97),
                counted("nice 0", 439, 100, 100, 100, 99),
                counted("nice 0", 440, 100, 100, 100, 100));
        return run(configuration, 1, round, threads);
    }

    /** Two CPUs: T4 and T3 first, T3 ends first; then T2 and T1. */
    static RunRecord onTwoCpus(Configuration configuration) {
        List<RunRecord.Counted> threads = List.of(
                counted("RR 2", 205, 100, 100, 100, 100),
                counted("RR 6", 200, 95, 100, 100, 100),
                counted("RR 14", 100, 0, 0, 100, 98),
                counted("RR 18", 102, 1, 2, 100, 100));
        return run(configuration, 2, 1, threads);
    }

    private static RunRecord.Counted counted(String scheduling, long ended, long... others) {
        List<Long> counters = new ArrayList<>();
        for (long other : others) {
            counters.add(other);
        }
        return new RunRecord.Counted(
                scheduling, !scheduling.startsWith("nice"), OPENED + ended, TARGET, ended - TARGET, counters);
    }

    private static RunRecord run(Configuration configuration, int cpus, int round, List<RunRecord.Counted> threads) {
        return new RunRecord(
                configuration, cpus, round, TARGET, OPENED, threads, 0, 0, new Samples(1, threads.size()), List.of());
    }
}
