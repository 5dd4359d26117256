package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.bench.load.Distance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

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

    /** Of one round, microseconds. */
    private record Times(double idle, double idle99, double urgent, double urgent99, double piece, double lineNanos) {
        static Times of(Load.Outcome outcome) {
            return new Times(
                    outcome.value("idle", 1),
                    outcome.value("idle", 2),
                    outcome.value("urgent", 1),
                    outcome.value("urgent", 2),
                    outcome.value("piece", 1),
                    outcome.value("line", 1));
        }
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            Bench.say("needs two CPUs");
            return false;
        }
        boolean held = true;
        try (Csv csv = bench.folder()
                .csv("urgent", "round,place,idle_us,idle_p99_us,urgent_us,urgent_p99_us,piece_us,line_ns")) {
            for (Place place : PLACES) {
                held &= run(bench, place, csv);
            }
        }
        return held || bench.shortened();
    }

    private static boolean run(Bench bench, Place place, Csv csv) throws IOException, InterruptedException {
        int rounds = bench.pairCount(ROUNDS);
        Map<Distance, List<Times>> all = new EnumMap<>(Distance.class);
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
            Times times = Times.of(outcome);
            csv.row(
                    round,
                    place.label(),
                    times.idle,
                    times.idle99,
                    times.urgent,
                    times.urgent99,
                    times.piece,
                    times.lineNanos);
            all.computeIfAbsent(Distance.of(times.lineNanos), d -> new ArrayList<>())
                    .add(times);
        }
        boolean held = true;
        for (Map.Entry<Distance, List<Times>> entry : all.entrySet()) {
            held &= say(place.label() + ", CPUs " + entry.getKey().label(), entry.getValue());
        }
        return held;
    }

    private static boolean say(String where, List<Times> rounds) {
        double idle = middle(rounds, Times::idle);
        double urgent = middle(rounds, Times::urgent);
        double piece = middle(rounds, Times::piece);
        double atMost = IDLE_AT_MOST * idle + piece;
        boolean held = urgent <= atMost;
        Bench.say(
                "%s, %d rounds: µs of an urgent message of 8 B, idle %.2f (p99 %.2f), while 64 MB are under way %.2f (p99 %.2f),"
                        + " a piece %.2f; asked: <= %.1f × idle + a piece = %.2f %s",
                where,
                rounds.size(),
                idle,
                middle(rounds, Times::idle99),
                urgent,
                middle(rounds, Times::urgent99),
                piece,
                IDLE_AT_MOST,
                atMost,
                Bench.held(held));
        return held;
    }

    private static double middle(List<Times> rounds, ToDoubleFunction<Times> what) {
        return Statistics.median(rounds.stream().mapToDouble(what).toArray());
    }
}
