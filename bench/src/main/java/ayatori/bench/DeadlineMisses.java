package ayatori.bench;

import ayatori.bench.DeadlineRun.Missed;
import ayatori.bench.DeadlineRun.Way;
import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The paper's second experiment: how many periods of a millisecond four threads of priorities 2, 4, 6 and 8 miss while they
 * make objects, on one CPU, alone and beside a program that computes there. papers/000-thread-priorities has the reading.
 *
 * <p>A today's CPU makes the paper's 400 to 800 objects in no time. Each of them is therefore so many Strings that the four
 * threads together take the same share of the CPU on every machine: one factor, measured before and printed.
 */
final class DeadlineMisses implements Measurement {
    static final String COLLECTOR = "Serial";
    static final String[] HEAP = {"-XX:+Use" + COLLECTOR + "GC", "-Xms256m", "-Xmx256m", "-Xmn64m"};

    private static final List<Integer> OBJECTS = List.of(400, 500, 600, 700, 800);
    private static final List<Integer> UPPER = List.of(6, 8);

    /**
     * At 600 objects, the middle of the paper's range, with a String at its dearest: on a virtual CPU the same work takes up
     * to twice as long at one time as at another, and real-time threads that fill it are throttled.
     */
    private static final double SHARE = 0.5;

    /** A smoke test is to end on a busy machine too, where threads without placement that fill the CPU may not. */
    private static final double SHORT_SHARE = 0.1;

    private static final int SHARE_OBJECTS = 600;
    private static final double PERIOD_NANOS = 1e6;

    private static final double MISS_BOUND = 0.005;
    private static final double STOCK_BOUND = 10;
    private static final double NAIVE_BOUND = 5;
    private static final int COLLECTIONS_BOUND = 20;
    /** What other programs may have of the CPU. */
    private static final double QUIET = 0.05;

    private static final long COST_LIMIT_SECONDS = 60;

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        List<Integer> objects = bench.shortened() ? List.of(SHARE_OBJECTS) : OBJECTS;
        int periods = bench.count(5000, 500);
        for (Jdk jdk : bench.jdks()) {
            int factor = factor(bench, jdk);
            List<DeadlineRun> runs = new ArrayList<>();
            String name = "deadline-jdk" + jdk.label();
            try (Csv csv = bench.folder()
                    .csv(
                            name,
                            "jdk,collector,strings_an_object,hog,way,objects,round,priority,level,periods,missed,"
                                    + "lost_to_host,collections,stolen,throttled,others")) {
                for (int round = 1; round <= bench.pairCount(2); round++) {
                    for (boolean hog : new boolean[] {false, true}) {
                        for (int count : objects) {
                            for (Way way : Way.ALL) {
                                DeadlineRun run =
                                        DeadlineRun.of(jdk, way, hog, count, factor, round, periods, warmUp(bench));
                                runs.add(run);
                                keep(csv, jdk, factor, run);
                            }
                        }
                    }
                }
            }
            PlotPage.write(
                    bench.folder(),
                    "deadline.html",
                    name,
                    "JDK " + jdk.version() + ", " + COLLECTOR + " collector, one CPU; " + factor
                            + " Strings for each of the paper's objects");
            for (boolean hog : new boolean[] {false, true}) {
                List<DeadlineRun> same =
                        runs.stream().filter(run -> run.hog() == hog).toList();
                table(same, objects, hog);
                held &= verdict(same, objects, hog) || bench.shortened();
            }
        }
        return held;
    }

    /** Periods. */
    private static int warmUp(Bench bench) {
        return bench.count(1000, 200);
    }

    /**
     * Strings an object, by the dearest String of five JVMs: work that has a deadline is measured by what it takes at worst.
     */
    private static int factor(Bench bench, Jdk jdk) throws IOException, InterruptedException {
        double share = bench.shortened() ? SHORT_SHARE : SHARE;
        double[] costs = new double[bench.count(5, 1)];
        for (int i = 0; i < costs.length; i++) {
            Load.Outcome outcome = Load.of(jdk, "Deadlines", "cost", warmUp(bench))
                    .withJvm(HEAP)
                    .onCpu(Bench.oneCpu())
                    .run(COST_LIMIT_SECONDS);
            if (!outcome.good()) {
                throw new IOException("the cost of a String could not be measured: " + outcome.messages());
            }
            costs[i] = outcome.value("cost", 1);
        }
        double nanos = Statistics.quantile(1, costs);
        int threads = DeadlineRun.PRIORITIES.size();
        int factor = (int) Math.max(1, Math.round(share * PERIOD_NANOS / (threads * SHARE_OBJECTS * nanos)));
        Bench.say(
                "JDK %s, %s collector: a String takes %.1f ns; %d Strings for each of the paper's objects, so that %d objects "
                        + "of %d threads take %.0f %% of the CPU",
                jdk.label(),
                COLLECTOR,
                nanos,
                factor,
                SHARE_OBJECTS,
                threads,
                factor * nanos * SHARE_OBJECTS * threads / PERIOD_NANOS * 100);
        return factor;
    }

    private static void keep(Csv csv, Jdk jdk, int factor, DeadlineRun run) throws IOException {
        for (Missed thread : run.threads()) {
            csv.row(
                    jdk.version(),
                    COLLECTOR,
                    factor,
                    run.hog() ? "hog" : "none",
                    run.way().key(),
                    run.objects(),
                    run.round(),
                    thread.priority(),
                    thread.level(),
                    run.periods(),
                    thread.own(),
                    thread.lost(),
                    run.collections(),
                    run.stolen(),
                    run.throttled(),
                    run.others());
        }
    }

    private static void table(List<DeadlineRun> runs, List<Integer> objects, boolean hog) {
        Bench.say(
                "%s: periods missed, %% (and lost to steal or throttling), at %s objects",
                hog ? "beside a program that computes on the same CPU" : "alone on the CPU",
                String.join(", ", objects.stream().map(String::valueOf).toList()));
        for (Way way : Way.ALL) {
            List<DeadlineRun> same = of(runs, way);
            for (int priority : DeadlineRun.PRIORITIES.reversed()) {
                StringBuilder row = new StringBuilder();
                for (int count : objects) {
                    List<DeadlineRun> point =
                            same.stream().filter(run -> run.objects() == count).toList();
                    row.append(String.format(
                            " %7.2f (%5.2f)",
                            mean(point, run -> run.missed(priority)) * 100,
                            mean(point, run -> (double) run.of(priority).lost() / run.periods()) * 100));
                }
                Bench.say(
                        "  %-36s priority %d %-8s%s",
                        way.title(), priority, same.getFirst().of(priority).level(), row);
            }
            Bench.say(
                    "  %-36s collections %d to %d a point; CPU stolen %.1f %%, throttled %.1f %%, others had %.1f %% (most %.1f %%)",
                    "",
                    same.stream().mapToLong(DeadlineRun::collections).min().orElse(0),
                    same.stream().mapToLong(DeadlineRun::collections).max().orElse(0),
                    mean(same, DeadlineRun::stolen) * 100,
                    mean(same, DeadlineRun::throttled) * 100,
                    mean(same, DeadlineRun::others) * 100,
                    same.stream().mapToDouble(DeadlineRun::others).max().orElse(0) * 100);
        }
    }

    private static boolean verdict(List<DeadlineRun> runs, List<Integer> objects, boolean hog) {
        String where = hog ? "beside a hog" : "alone";
        double worst = 0;
        for (int count : objects) {
            for (int priority : UPPER) {
                worst = Math.max(
                        worst,
                        mean(
                                of(runs, Way.STATIC).stream()
                                        .filter(run -> run.objects() == count)
                                        .toList(),
                                run -> run.missed(priority)));
            }
        }
        long least = runs.stream().mapToLong(DeadlineRun::collections).min().orElse(0);
        boolean few = worst <= MISS_BOUND;
        boolean collected = least >= COLLECTIONS_BOUND;
        Bench.say(
                "%s, the two upper threads under static: at most %.2f %% missed at any count of objects; asked: <= %.1f %% %s",
                where, worst * 100, MISS_BOUND * 100, Bench.held(few));
        Bench.say(
                "%s: at least %d collections a point; asked: %d %s",
                where, least, COLLECTIONS_BOUND, Bench.held(collected));
        double others = mean(runs, DeadlineRun::others);
        if (others > QUIET) {
            Bench.say(
                    "%s: other programs had %.0f %% of this CPU meanwhile; ordinary threads share it with them, so some of "
                            + "stock's misses are theirs: measure on a quiet machine",
                    where, others * 100);
        }
        // All are told, whatever the first is.
        boolean stock = fewer(runs, objects, where, Way.STOCK, STOCK_BOUND);
        boolean naive = fewer(runs, objects, where, Way.NAIVE, NAIVE_BOUND);
        return few && collected && stock && naive;
    }

    /** Over all counts of objects: where the other way misses nothing either, there is nothing to be better than. */
    private static boolean fewer(List<DeadlineRun> runs, List<Integer> objects, String where, Way other, double bound) {
        long ours = upper(of(runs, Way.STATIC));
        long theirs = upper(of(runs, other));
        boolean good = theirs >= bound * Math.max(1, ours);
        StringBuilder each = new StringBuilder();
        for (int count : objects) {
            each.append(each.isEmpty() ? "" : ", ")
                    .append(upper(of(runs, other).stream()
                            .filter(run -> run.objects() == count)
                            .toList()))
                    .append(':')
                    .append(upper(of(runs, Way.STATIC).stream()
                            .filter(run -> run.objects() == count)
                            .toList()));
        }
        Bench.say(
                "%s, the two upper threads: %s misses %s times as many periods as static (%d:%d; by objects %s); asked: >= %.0f %s",
                where,
                other.key(),
                ours == 0 ? "over " + theirs : String.format("%.1f", (double) theirs / ours),
                theirs,
                ours,
                each,
                bound,
                Bench.held(good));
        return good;
    }

    private static long upper(List<DeadlineRun> runs) {
        return runs.stream()
                .mapToLong(run -> UPPER.stream()
                        .mapToLong(priority -> run.of(priority).own())
                        .sum())
                .sum();
    }

    private static List<DeadlineRun> of(List<DeadlineRun> runs, Way way) {
        return runs.stream().filter(run -> run.way().equals(way)).toList();
    }

    private static double mean(List<DeadlineRun> runs, ToDoubleFunction<DeadlineRun> value) {
        return runs.stream().mapToDouble(value).average().orElse(Double.NaN);
    }
}
