package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.List;

/**
 * The load CallInversion under the agent's policy static, clients on one CPU, the server and a middle thread on another: by
 * protocol, what a call of 100 µs takes with and without the middle thread, and what it takes more where nobody is in the way.
 */
final class RequestInversion implements Measurement {
    private static final int ROUNDS = 2000;
    private static final int SHORT_ROUNDS = 50;
    private static final long LIMIT_SECONDS = 120;
    private static final long MIDDLE_NANOS = 1_000_000;
    private static final int CLIENTS_CPU = 0;
    private static final int URGENT = 9;
    private static final int LOW = 2;
    private static final double INVERTED = 1.10;
    private static final double ADDED = 1.02;

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Bench.oneCpu() == CLIENTS_CPU) {
            Bench.say("needs two CPUs");
            return false;
        }
        try (Csv csv =
                bench.folder().csv("requests", "protocol,middle_ns,requester,lowers,round,call_ns,middle_kept_ns")) {
            boolean besideHeld = beside(bench, csv);
            boolean addedHeld = added(bench, csv);
            return (besideHeld && addedHeld) || bench.shortened();
        }
    }

    private static boolean beside(Bench bench, Csv csv) throws IOException, InterruptedException {
        Load.Outcome middle = measure(bench, "NONE,VPGET,VPSET", MIDDLE_NANOS, URGENT, true, csv);
        double alone = call(measure(bench, "VPSET", 0, URGENT, true, csv), "VPSET");
        double ratio = call(middle, "VPSET") / alone;
        boolean held = ratio <= INVERTED;
        Bench.say(
                "a request of 100 µs, a middle thread computing 1 ms on the server's CPU: no protocol %.0f µs, VPGET %.0f,"
                        + " VPSET %.0f; without the middle thread %.0f: %.2f times that; asked: <= %.2f %s",
                call(middle, "NONE"),
                call(middle, "VPGET"),
                call(middle, "VPSET"),
                alone,
                ratio,
                INVERTED,
                Bench.held(held));
        Load.Outcome low = measure(bench, "VPSET", MIDDLE_NANOS, LOW, true, csv);
        double kept = Statistics.median(low.values("VPSET", 2)) / 1e3;
        boolean lowHeld = kept <= alone / 10;
        Bench.say(
                "a low request keeps the middle thread from its CPU for %.1f µs; asked: <= %.1f %s",
                kept, alone / 10, Bench.held(lowHeld));
        return held && lowHeld;
    }

    private static boolean added(Bench bench, Csv csv) throws IOException, InterruptedException {
        Load.Outcome level = measure(bench, "NONE,VPSET", 0, URGENT, false, csv);
        Load.Outcome raised = measure(bench, "NONE,VPSET", 0, URGENT, true, csv);
        double ratio = call(level, "VPSET") / call(level, "NONE");
        double more = call(raised, "VPSET") - call(raised, "NONE");
        boolean ratioHeld = ratio <= ADDED;
        Bench.say(
                "nobody in the way, nothing to be raised: %.1f µs by VPSET, %.1f without a protocol: %.3f; asked: <= %.2f %s",
                call(level, "VPSET"), call(level, "NONE"), ratio, ADDED, Bench.held(ratioHeld));
        Bench.say(
                "nobody in the way, the server raised each time: %.1f µs by VPSET, %.1f without a protocol: %.1f more",
                call(raised, "VPSET"), call(raised, "NONE"), more);
        boolean moreHeld = RaiseCost.held(bench, more, calls(bench, "NONE"), calls(bench, "VPSET"));
        return ratioHeld && moreHeld;
    }

    private static SystemCallCount.Traced calls(Bench bench, String protocol) {
        return (count, calls) -> load(bench, protocol, 0, URGENT, true, calls)
                .by(count.strace().toArray(String[]::new))
                .run(LIMIT_SECONDS);
    }

    /** What a call took, median, microseconds. */
    private static double call(Load.Outcome outcome, String protocol) {
        return Statistics.median(outcome.values(protocol, 1)) / 1e3;
    }

    /** Protocols in one run take turns. */
    private static Load.Outcome measure(
            Bench bench, String protocols, long middle, int requester, boolean lowers, Csv csv)
            throws IOException, InterruptedException {
        Load.Outcome outcome = load(bench, protocols, middle, requester, lowers, bench.count(ROUNDS, SHORT_ROUNDS))
                .run(LIMIT_SECONDS);
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        int round = 0;
        for (List<String> fields : outcome.results()) {
            csv.row(fields.get(0), middle, requester, lowers, round++, fields.get(1), fields.get(2));
        }
        return outcome;
    }

    private static Load load(Bench bench, String protocols, long middle, int requester, boolean lowers, int rounds) {
        return Load.of(
                        bench.newest(),
                        "CallInversion",
                        protocols,
                        middle,
                        requester,
                        lowers,
                        rounds,
                        CLIENTS_CPU,
                        Bench.oneCpu())
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
                .withAgent("policy=static");
    }
}
