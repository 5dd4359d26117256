package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;

/**
 * The load CallInversion, clients on one CPU, the server and a middle thread on another: by protocol, what a call of 100 µs takes
 * with and without the middle thread, under the agent's policy static and by a user without any right; and what it takes more where
 * nobody is in the way.
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
        boolean held;
        try (Csv csv = bench.folder().csv("requests", InversionOutcome.columns("protocol"))) {
            held = beside(bench, csv, true);
            held &= low(bench, csv);
            held &= added(bench, csv);
            if (Nobody.canBe()) {
                held &= beside(bench, csv, false);
            }
        }
        return held || bench.shortened();
    }

    private static boolean beside(Bench bench, Csv csv, boolean agent) throws IOException, InterruptedException {
        Bench.say(agent ? "under the agent, policy static, as root:" : "without any right, no agent:");
        InversionOutcome outcome =
                measure(bench, csv, agent, agent ? "NONE,VPGET,VPSET" : "NONE,VPSET", MIDDLE_NANOS, URGENT, LOW);
        double beside = outcome.call("VPSET", MIDDLE_NANOS);
        double alone = outcome.call("VPSET", 0);
        boolean held = beside <= INVERTED * alone;
        Bench.say(
                "  a request of 100 µs, a middle thread computing 1 ms on the server's CPU: no protocol %.0f µs%s, VPSET %.0f;"
                        + " without the middle thread %.0f: %.2f times that; asked: <= %.2f %s",
                outcome.call("NONE", MIDDLE_NANOS),
                agent ? String.format(", VPGET %.0f", outcome.call("VPGET", MIDDLE_NANOS)) : "",
                beside,
                alone,
                beside / alone,
                INVERTED,
                Bench.held(held));
        return held;
    }

    private static boolean low(Bench bench, Csv csv) throws IOException, InterruptedException {
        boolean held = true;
        for (int before : new int[] {LOW, URGENT}) {
            InversionOutcome outcome = measure(bench, csv, true, "VPSET", MIDDLE_NANOS, LOW, before);
            double kept = outcome.kept("VPSET", MIDDLE_NANOS);
            double asked = outcome.call("VPSET", 0) / 10;
            boolean good = kept <= asked;
            Bench.say(
                    "  a low request%s keeps the middle thread from its CPU for %.1f µs; asked: <= %.1f %s",
                    before == URGENT ? " after an urgent one" : "", kept, asked, Bench.held(good));
            held &= good;
        }
        return held;
    }

    private static boolean added(Bench bench, Csv csv) throws IOException, InterruptedException {
        InversionOutcome level = measure(bench, csv, true, "NONE,VPSET", 0, URGENT, 0);
        InversionOutcome raised = measure(bench, csv, true, "NONE,VPSET", 0, URGENT, LOW);
        double ratio = level.call("VPSET", 0) / level.call("NONE", 0);
        double more = raised.call("VPSET", 0) - raised.call("NONE", 0);
        boolean ratioHeld = ratio <= ADDED;
        Bench.say(
                "  nobody in the way, nothing to be raised: %.1f µs by VPSET, %.1f without a protocol: %.3f; asked: <="
                        + " %.2f %s",
                level.call("VPSET", 0), level.call("NONE", 0), ratio, ADDED, Bench.held(ratioHeld));
        Bench.say(
                "  nobody in the way, the server raised by the client each time: %.1f µs by VPSET, %.1f without a protocol: %.1f more",
                raised.call("VPSET", 0), raised.call("NONE", 0), more);
        boolean moreHeld = new RaiseCost(bench, calls(bench, "NONE")).held(more, calls(bench, "VPSET"));
        return ratioHeld && moreHeld;
    }

    private static SystemCallCount.Traced calls(Bench bench, String protocol) {
        return (count, calls) -> load(bench, true, protocol, 0, URGENT, LOW, calls)
                .by(count.strace().toArray(String[]::new))
                .run(LIMIT_SECONDS);
    }

    /** Protocols take turns, and so do the middle thread and none. */
    private static InversionOutcome measure(
            Bench bench, Csv csv, boolean agent, String protocols, long middle, int requester, int before)
            throws IOException, InterruptedException {
        Load load = load(bench, agent, protocols, middle, requester, before, bench.count(ROUNDS, SHORT_ROUNDS));
        return new InversionOutcome(load.run(LIMIT_SECONDS)).write(csv, agent, requester, before);
    }

    private static Load load(
            Bench bench, boolean agent, String protocols, long middle, int requester, int before, int rounds) {
        Load load = Load.of(
                        bench.newest(),
                        "CallInversion",
                        protocols,
                        agent,
                        middle,
                        requester,
                        before,
                        rounds,
                        CLIENTS_CPU,
                        Bench.oneCpu())
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC");
        return agent
                ? load.withAgent("policy=static")
                : load.by(Nobody.realTime().toArray(String[]::new));
    }
}
