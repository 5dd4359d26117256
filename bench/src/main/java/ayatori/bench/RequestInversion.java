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
    private static final double ADDED_BY_A_RAISE_MICROS = 1.5;

    /** Medians, microseconds. */
    private record Times(double call, double middleKept) {}

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Bench.oneCpu() == CLIENTS_CPU) {
            Bench.say("needs two CPUs");
            return false;
        }
        try (Csv csv =
                bench.folder().csv("requests", "protocol,middle_ns,requester,lowers,round,call_ns,middle_kept_ns")) {
            Times alone = measure(bench, "VPSET", 0, URGENT, true, csv);
            Times none = measure(bench, "NONE", MIDDLE_NANOS, URGENT, true, csv);
            Times get = measure(bench, "VPGET", MIDDLE_NANOS, URGENT, true, csv);
            Times set = measure(bench, "VPSET", MIDDLE_NANOS, URGENT, true, csv);
            Times low = measure(bench, "VPSET", MIDDLE_NANOS, LOW, true, csv);
            double ratio = set.call() / alone.call();
            boolean held = ratio <= INVERTED;
            Bench.say(
                    "a request of 100 µs, a middle thread computing 1 ms on the server's CPU: no protocol %.0f µs, VPGET %.0f,"
                            + " VPSET %.0f; without the middle thread %.0f: %.2f times that; asked: <= %.2f %s",
                    none.call(), get.call(), set.call(), alone.call(), ratio, INVERTED, Bench.held(held));
            boolean lowHeld = low.middleKept() <= alone.call() / 10;
            Bench.say(
                    "a low request keeps the middle thread from its CPU for %.1f µs; asked: <= %.1f %s",
                    low.middleKept(), alone.call() / 10, Bench.held(lowHeld));
            boolean addedHeld = added(bench, csv);
            return (held && lowHeld && addedHeld) || bench.shortened();
        }
    }

    private static boolean added(Bench bench, Csv csv) throws IOException, InterruptedException {
        Times none = measure(bench, "NONE", 0, URGENT, false, csv);
        Times level = measure(bench, "VPSET", 0, URGENT, false, csv);
        Times noneLowered = measure(bench, "NONE", 0, URGENT, true, csv);
        Times raised = measure(bench, "VPSET", 0, URGENT, true, csv);
        double ratio = level.call() / none.call();
        double more = raised.call() - noneLowered.call();
        boolean ratioHeld = ratio <= ADDED;
        boolean moreHeld = more <= ADDED_BY_A_RAISE_MICROS;
        Bench.say(
                "nobody in the way, nothing to be raised: %.1f µs by VPSET, %.1f without a protocol: %.3f; asked: <= %.2f %s",
                level.call(), none.call(), ratio, ADDED, Bench.held(ratioHeld));
        Bench.say(
                "nobody in the way, the server raised each time: %.1f µs by VPSET, %.1f without a protocol: %.1f more; asked:"
                        + " <= %.1f %s",
                raised.call(), noneLowered.call(), more, ADDED_BY_A_RAISE_MICROS, Bench.held(moreHeld));
        return ratioHeld && moreHeld;
    }

    private static Times measure(Bench bench, String protocol, long middle, int requester, boolean lowers, Csv csv)
            throws IOException, InterruptedException {
        Load.Outcome outcome = Load.of(
                        bench.newest(),
                        "CallInversion",
                        protocol,
                        middle,
                        requester,
                        lowers,
                        bench.count(ROUNDS, SHORT_ROUNDS),
                        CLIENTS_CPU,
                        Bench.oneCpu())
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
                .withAgent("policy=static")
                .run(LIMIT_SECONDS);
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        int round = 0;
        for (List<String> fields : outcome.results()) {
            csv.row(protocol, middle, requester, lowers, round++, fields.get(1), fields.get(2));
        }
        return new Times(
                Statistics.median(outcome.values("round", 1)) / 1e3,
                Statistics.median(outcome.values("round", 2)) / 1e3);
    }
}
