package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The evaluation that the paper left open (section 4): how many threads pools have under loads of several kinds, and how many
 * they start and end meanwhile. Real pools, real threads, real time; {@code load/Reclaiming} has the loads.
 */
final class ThreadReclaiming implements Measurement {
    private static final List<String> POOLS = List.of(
            "ours-1",
            "ours-4",
            "ours-8",
            "paper-1",
            "paper-4",
            "paper-8",
            "tpe-queue",
            "tpe-queue-timeout",
            "tpe-synchronous",
            "fjp",
            "folly");
    private static final List<String> FEW_POOLS = List.of("ours-1", "ours-8", "paper-1");
    /** Of what is asked. */
    private static final String OURS = "ours-";

    private static final int DOWN_BOUND = 200;
    /** Threads a swing. */
    private static final double SWING_BOUND = 1;

    private static final int SWINGS_TO_LEARN_FROM = 3;
    private static final long LIMIT_SECONDS = 120;

    /** Arguments of the load by its name in the results. */
    private static Map<String, String> demands(boolean shortened) {
        Map<String, String> demands = new LinkedHashMap<>();
        if (shortened) {
            demands.put("burst", "burst 220 1000");
            demands.put("swing-50", "swing 10 50 500");
            return demands;
        }
        demands.put("burst", "burst 400 10000");
        demands.put("swing-20", "swing 40 20 2000");
        demands.put("swing-100", "swing 30 100 2000");
        demands.put("swing-500", "swing 16 500 1000");
        demands.put("swing-slow", "swing 8 150 10000");
        demands.put("steady", "steady 4000");
        demands.put("diurnal", "diurnal 8000 4000");
        demands.put("fluctuating", "fluctuating 6000");
        return demands;
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.ofLibrary();
        boolean held = true;
        Bench.say(
                "JDK %s, at most 64 threads, keep-alive of the others 1 s: threads over the time, started and ended",
                jdk.label());
        try (Csv samples = bench.folder().csv("reclaim", "demand,pool,submissions,millis,threads,started,ended");
                Csv sums = bench.folder()
                        .csv(
                                "reclaim-sums",
                                "jdk,demand,arguments,pool,submissions,most,mean,last,started,ended,down_after,"
                                        + "started_a_swing")) {
            for (Map.Entry<String, String> demand : demands(bench.shortened()).entrySet()) {
                Bench.say("%s (%s)", demand.getKey(), demand.getValue());
                for (String pool : bench.shortened() ? FEW_POOLS : POOLS) {
                    ReclaimingRun run = ReclaimingRun.of(jdk, pool, demand.getValue(), LIMIT_SECONDS);
                    run.keep(samples, demand.getKey());
                    held &= tell(sums, jdk, demand.getKey(), demand.getValue(), run);
                }
            }
        }
        PlotPage.write(bench.folder(), "reclaim.html", "reclaim", "JDK " + jdk.version());
        return held;
    }

    private static boolean tell(Csv sums, Jdk jdk, String demand, String arguments, ReclaimingRun run)
            throws IOException {
        boolean asked = run.pool().startsWith(OURS);
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "  %-17s threads: most %2d, mean %4.1f, at last %2d; started %3d, ended %3d",
                run.pool(),
                run.most(),
                run.mean(),
                run.last(),
                run.started(),
                run.ended()));
        boolean held = true;
        Object down = "";
        Object swing = "";
        if (demand.equals("burst")) {
            int after = run.downAfter();
            down = after;
            line.append("; down to the play after ")
                    .append(after < 0 ? "more than was submitted" : after + " submissions");
            if (asked) {
                held = after >= 0 && after <= DOWN_BOUND;
                line.append("; asked: <= ").append(DOWN_BOUND).append(' ').append(Bench.held(held));
            }
        } else if (demand.startsWith("swing")) {
            double each = run.startedASwing(SWINGS_TO_LEARN_FROM);
            swing = each;
            line.append(String.format(Locale.ROOT, "; a swing, after three: %.2f started", each));
            if (asked) {
                held = each < SWING_BOUND;
                line.append(String.format(Locale.ROOT, "; asked: < %.0f ", SWING_BOUND))
                        .append(Bench.held(held));
            }
        }
        Bench.say("%s", line);
        sums.row(
                jdk.version(),
                demand,
                arguments,
                run.pool(),
                run.submissions(),
                run.most(),
                run.mean(),
                run.last(),
                run.started(),
                run.ended(),
                down,
                swing);
        return held;
    }
}
