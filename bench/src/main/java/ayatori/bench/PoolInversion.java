package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.List;

/**
 * The load Inversion on one CPU under the agent's policy static: an urgent thread waits for a task that is queued behind a low
 * one while a middle thread computes; with our pool, and with ThreadPoolExecutor, whose thread has the low priority.
 */
final class PoolInversion implements Measurement {
    private static final int ROUNDS = 200;
    private static final int SHORT_ROUNDS = 20;
    private static final long LIMIT_SECONDS = 120;
    private static final double EXTRA_MS = 1;

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        int rounds = bench.count(ROUNDS, SHORT_ROUNDS);
        try (Csv csv = bench.folder()
                .csv("inversion", "pool,urgent_waits,round,waited_ns,low_rest_ns,own_work_ns,middle_kept_ns")) {
            double[] ours = extra(measure(bench, "ours", rounds, true, csv));
            double[] theirs = extra(measure(bench, "ThreadPoolExecutor", rounds, true, csv));
            double kept = kept(measure(bench, "ours", rounds, false, csv));
            double keptByTheirs = kept(measure(bench, "ThreadPoolExecutor", rounds, false, csv));
            boolean urgentHeld = ours.length == rounds && Statistics.median(ours) <= EXTRA_MS;
            boolean middleHeld = kept <= EXTRA_MS;
            Bench.say(
                    "urgent get() of a task queued behind a low one, a middle thread computing, one CPU: beyond the low task's"
                            + " rest and its own work the median is %.3f ms; asked: <= %.0f ms %s. ThreadPoolExecutor:"
                            + " %.3f ms",
                    Statistics.median(ours), EXTRA_MS, Bench.held(urgentHeld), Statistics.median(theirs));
            Bench.say(
                    "without the urgent waiter the middle thread is kept from the CPU for %.3f ms of 25 (median; asked: <= %.0f"
                            + " ms) %s. ThreadPoolExecutor: %.3f ms",
                    kept, EXTRA_MS, Bench.held(middleHeld), keptByTheirs);
            return urgentHeld && middleHeld;
        }
    }

    private static List<List<String>> measure(Bench bench, String pool, int rounds, boolean waits, Csv csv)
            throws IOException, InterruptedException {
        Load load = Load.of(bench.newest(), "Inversion", pool, rounds, waits ? "wait" : "alone")
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
                .withAgent("policy=static")
                .onCpu(Bench.oneCpu());
        Load.Outcome outcome = load.run(LIMIT_SECONDS);
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        int round = 0;
        for (List<String> fields : outcome.results()) {
            csv.row(pool, waits, round++, fields.get(1), fields.get(2), fields.get(3), fields.get(4));
        }
        return outcome.results();
    }

    /** What each wait took beyond the low task's rest and the task's own work, in milliseconds. */
    private static double[] extra(List<List<String>> rounds) {
        return rounds.stream()
                .mapToDouble(fields -> (Double.parseDouble(fields.get(1))
                                - Double.parseDouble(fields.get(2))
                                - Double.parseDouble(fields.get(3)))
                        / 1e6)
                .toArray();
    }

    private static double kept(List<List<String>> rounds) {
        return Statistics.median(rounds.stream()
                .mapToDouble(fields -> Double.parseDouble(fields.get(4)) / 1e6)
                .toArray());
    }
}
