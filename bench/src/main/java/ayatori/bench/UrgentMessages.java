package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How long an urgent message of 8 bytes takes while an unimportant one of 64 MB is under way between the same two ranks, beside what
 * it takes when nothing is, in the same run: it may have to wait for one piece of the large one, not for the whole.
 */
final class UrgentMessages implements Measurement {
    private static final int ROUNDS = 10;
    private static final int TRANSFERS = 100;
    private static final int SHORT_TRANSFERS = 2;
    /** Some five seconds: as long as the compilers go on, which take CPUs from the two ranks. */
    private static final int WARM_UP = 500;

    private static final long LIMIT_SECONDS = 120;
    /** Times the latency when idle; and one piece beside. */
    private static final double IDLE_AT_MOST = 2.0;

    /** Where the two ranks are. */
    private record Place(String label, int jvms) {}

    private static final List<Place> PLACES = List.of(new Place("two JVMs", 2), new Place("two threads", 1));

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            Bench.say("needs two CPUs");
            return false;
        }
        boolean held = true;
        try (Csv csv =
                bench.folder().csv("urgent", "round,place,idle_us,idle_p99_us,urgent_us,urgent_p99_us,piece_us")) {
            for (Place place : PLACES) {
                held &= run(bench, place, csv);
            }
        }
        return held;
    }

    private static boolean run(Bench bench, Place place, Csv csv) throws IOException, InterruptedException {
        int rounds = bench.pairCount(ROUNDS);
        List<double[]> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            Load.Outcome outcome = Load.of(
                            bench.ofLibrary(),
                            "jpi.JRun",
                            "-np",
                            place.jvms(),
                            "-nt",
                            2,
                            "ayatori.bench.load.UrgentTimes",
                            bench.count(TRANSFERS, SHORT_TRANSFERS),
                            bench.count(WARM_UP, 0))
                    .run(LIMIT_SECONDS);
            if (!outcome.good()) {
                Bench.say("%s: has not ended well in round %d: %s", place.label(), round, outcome.messages());
                return false;
            }
            double[] values = {
                outcome.value("idle", 1),
                outcome.value("idle", 2),
                outcome.value("urgent", 1),
                outcome.value("urgent", 2),
                outcome.value("piece", 1)
            };
            csv.row(round, place.label(), values[0], values[1], values[2], values[3], values[4]);
            all.add(values);
        }
        double[] middle = new double[all.getFirst().length];
        for (int i = 0; i < middle.length; i++) {
            int column = i;
            middle[i] = Statistics.median(
                    all.stream().mapToDouble(values -> values[column]).toArray());
        }
        double atMost = IDLE_AT_MOST * middle[0] + middle[4];
        boolean held = middle[2] <= atMost;
        Bench.say(
                "%s: µs of an urgent message of 8 B, idle %.2f (p99 %.2f), while 64 MB are under way %.2f (p99 %.2f), a piece"
                        + " %.2f; asked: <= %.1f × idle + a piece = %.2f %s",
                place.label(),
                middle[0],
                middle[1],
                middle[2],
                middle[3],
                middle[4],
                IDLE_AT_MOST,
                atMost,
                Bench.held(held));
        return held || bench.shortened();
    }
}
