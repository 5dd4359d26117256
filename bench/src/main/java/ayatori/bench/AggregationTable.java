package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What came of the turns of one load, as the paper's table 2: by number of VMs and way, over the repeats. */
final class AggregationTable {
    static final String COLUMNS =
            "vms,repeat,way,elapsed_mean_s,elapsed_last_s,behind,work_per_s,slowest,cpu_s,probe_p50_us,probe_p99_us,switches_per_s,spaces_per_s,elapsed_each_s";

    private static final String BASE = "eevdf";
    /** What there is to gain where a VM's threads cost each other nothing. */
    private static final String SINGLE = "single";

    /** So many, and {@link #MOST_VMS}, are to have fewer switches. */
    private static final int FEWER_VMS = 4;

    private static final int MOST_VMS = 7;
    private static final double FEWER_SPACES = 10;
    private static final double GAIN = 1.11;
    private static final double BEHIND = 0.05;
    private static final double LATER = 2;
    private static final double CPU = 0.8;

    private final String load;
    private final boolean late;
    private final String ours;
    private final Map<Integer, Map<String, List<AggregationTurn>>> turns = new TreeMap<>();

    /**
     * A table.
     *
     * @param late if how late the probe wakes means something
     * @param ours the way of which something is asked
     */
    AggregationTable(String load, boolean late, String ours) {
        this.load = load;
        this.late = late;
        this.ours = ours;
    }

    void add(int vms, List<AggregationTurn> more) {
        for (AggregationTurn turn : more) {
            turns.computeIfAbsent(vms, any -> new LinkedHashMap<>())
                    .computeIfAbsent(turn.way(), any -> new ArrayList<>())
                    .add(turn);
        }
    }

    void keep(Csv csv, int vms, int repeat, List<AggregationTurn> turns) throws IOException {
        for (AggregationTurn turn : turns) {
            csv.row(
                    vms,
                    repeat,
                    turn.way(),
                    turn.meanElapsed(),
                    turn.lastElapsed(),
                    turn.behind(),
                    turn.allWork(),
                    turn.slowest(),
                    turn.cpu(),
                    turn.median(),
                    turn.late(),
                    turn.switches(),
                    turn.spaces(),
                    turn.eachElapsed());
        }
    }

    private static double median(List<AggregationTurn> turns, ToDoubleFunction<AggregationTurn> of) {
        return Statistics.median(turns.stream().mapToDouble(of).toArray());
    }

    /** The median, and from where to where. */
    private static String spread(List<AggregationTurn> turns, ToDoubleFunction<AggregationTurn> of) {
        double[] values = turns.stream().mapToDouble(of).toArray();
        return String.format(
                Locale.ROOT,
                "%.2f (%.2f-%.2f)",
                Statistics.median(values),
                Statistics.quantile(0, values),
                Statistics.quantile(1, values));
    }

    /** Prints it, and whether what is asked is held. */
    boolean tell() {
        Bench.say(
                "%s, medians over repeats (from-to): mean elapsed of the VMs; gained on EEVDF; CPU of all; last VM behind the"
                        + " mean; address-space switches a second%s%s",
                load,
                late ? "; the probe's median and 99 %" : "",
                beams()
                        ? "; work done a second while all are at it, by EEVDF's; the slowest VM there below the mean"
                        : "");
        turns.forEach((vms, ways) -> {
            List<AggregationTurn> bases = ways.getOrDefault(BASE, List.of());
            double base = median(bases, AggregationTurn::meanElapsed);
            ways.keySet().stream().sorted().forEach(way -> {
                List<AggregationTurn> all = ways.getOrDefault(way, List.of());
                double elapsed = median(all, AggregationTurn::meanElapsed);
                Bench.say(
                        "  %d %-6s %19s s  %+6.1f %%  %19s s  %5.1f %%  %8.0f/s%s%s",
                        vms,
                        way,
                        spread(all, AggregationTurn::meanElapsed),
                        100 * (base / elapsed - 1),
                        spread(all, AggregationTurn::cpu),
                        100 * median(all, AggregationTurn::behind),
                        median(all, AggregationTurn::spaces),
                        late ? lateness(all) : "",
                        beams() ? workDone(all, bases) : "");
            });
        });
        return !beams() || judge();
    }

    private boolean beams() {
        return load.startsWith("beam");
    }

    private static String workDone(List<AggregationTurn> turns, List<AggregationTurn> base) {
        return String.format(
                Locale.ROOT, "  %5.3f %5.1f %%", work(turns, base), 100 * median(turns, AggregationTurn::slowest));
    }

    private static String lateness(List<AggregationTurn> turns) {
        return String.format(
                Locale.ROOT,
                "  %6.0f µs %8.0f µs",
                median(turns, AggregationTurn::median),
                median(turns, AggregationTurn::late));
    }

    private List<AggregationTurn> turns(int vms, String way) {
        return turns.getOrDefault(vms, Map.of()).getOrDefault(way, List.of());
    }

    /** What is asked of BEAMs, nearly all of it of seven. */
    private boolean judge() {
        List<AggregationTurn> base = turns(MOST_VMS, BASE);
        List<AggregationTurn> own = turns(MOST_VMS, ours);
        if (base.isEmpty() || own.isEmpty()) {
            Bench.say("nothing is asked of fewer than %d", MOST_VMS);
            return true;
        }
        if (ours.equals("plain")) {
            return verdict(
                    MOST_VMS,
                    "CPU of --without-bpf by the default's",
                    1 / ratio(base, own, AggregationTurn::cpu),
                    "at most",
                    CPU);
        }
        if (late) {
            double median = 1 / ratio(base, own, AggregationTurn::median);
            boolean held = verdict(MOST_VMS, "the probe's median by EEVDF's", median, "at most", LATER);
            double worst = 1 / ratio(base, own, AggregationTurn::late);
            return verdict(MOST_VMS, "its 99 % by EEVDF's", worst, "at most", LATER) && held;
        }
        boolean held = hasFewerSwitches(FEWER_VMS);
        held &= hasFewerSwitches(MOST_VMS);
        held &= verdict(MOST_VMS, "work done while all are at it, by EEVDF's", work(own, base), "at least", GAIN);
        List<AggregationTurn> single = turns(MOST_VMS, SINGLE);
        if (!single.isEmpty()) {
            Bench.say(
                    "  %d BEAMs with one scheduler each, which contend with nobody, under EEVDF: %.2f",
                    MOST_VMS, work(single, base));
        }
        double behind = median(own, AggregationTurn::behind);
        return verdict(MOST_VMS, "the last VM behind the mean", behind, "at most", BEHIND) && held;
    }

    private boolean hasFewerSwitches(int vms) {
        List<AggregationTurn> base = turns(vms, BASE);
        List<AggregationTurn> own = turns(vms, ours);
        return base.isEmpty()
                || own.isEmpty()
                || verdict(
                        vms,
                        "address-space switches, EEVDF's by ours",
                        ratio(base, own, AggregationTurn::spaces),
                        "at least",
                        FEWER_SPACES);
    }

    private static double work(List<AggregationTurn> of, List<AggregationTurn> by) {
        return ratio(of, by, AggregationTurn::allWork);
    }

    private static double ratio(
            List<AggregationTurn> base, List<AggregationTurn> own, ToDoubleFunction<AggregationTurn> of) {
        return median(base, of) / median(own, of);
    }

    private static boolean verdict(int vms, String what, double value, String side, double asked) {
        boolean held = side.equals("at most") ? value <= asked : value >= asked;
        Bench.say("  %d BEAMs: %s: %.2f; asked: %s %.2f: %s", vms, what, value, side, asked, Bench.held(held));
        return held;
    }
}
