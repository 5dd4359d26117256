package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The load ProcessInversion: what a call to a server in another process takes beside a middle thread on the server's CPU and without
 * it, by protocol and by who raises the server; under the agent as root, and by a client and a server without any right.
 */
final class ProcessRequests implements Measurement {
    private static final int ROUNDS = 1000;
    private static final int SHORT_ROUNDS = 50;
    private static final int WARM_UP = 500;
    private static final long LIMIT_SECONDS = 300;
    private static final long REQUEST_NANOS = 100_000;
    /** Long enough that the client waits in any case, whatever strace takes for the server's other system calls. */
    private static final long TRACED_NANOS = 2_000_000;

    private static final long MIDDLE_NANOS = 1_000_000;
    private static final int CLIENTS_CPU = 0;
    private static final int URGENT = 9;
    private static final int LOW = 2;
    private static final double INVERTED = 1.10;
    private static final double ADDED = 1.02;

    /** A protocol, and who raises the server. */
    private record Way(String protocol, String raises) {
        String label() {
            return protocol.equals("VPSET") ? "VPSET by the " + raises : protocol;
        }

        @Override
        public String toString() {
            return protocol + ":" + raises;
        }
    }

    private static final Way NONE = new Way("NONE", "kernel");
    private static final Way VPGET = new Way("VPGET", "kernel");
    private static final Way KERNEL = new Way("VPSET", "kernel");
    private static final Way ITSELF = new Way("VPSET", "server");
    private static final List<Way> RAISING = List.of(KERNEL, ITSELF);

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Bench.oneCpu() == CLIENTS_CPU) {
            Bench.say("needs two CPUs");
            return false;
        }
        boolean held = true;
        try (Csv csv = bench.folder().csv("processes", InversionOutcome.columns("way"));
                Csv interrupts = bench.folder().csv("processes-interrupts", "rights,way,interrupts")) {
            held &= beside(bench, csv, interrupts, true, List.of(NONE, VPGET, KERNEL, ITSELF));
            held &= low(bench, csv, LOW);
            held &= low(bench, csv, URGENT);
            held &= added(bench, csv);
            if (Nobody.canBe()) {
                held &= beside(bench, csv, interrupts, false, List.of(NONE, KERNEL));
            }
        }
        return held || bench.shortened();
    }

    private static boolean beside(Bench bench, Csv csv, Csv interrupts, boolean agent, List<Way> ways)
            throws IOException, InterruptedException {
        Bench.say(
                agent ? "under the agent, policy static, as root:" : "client and server without any right, no agent:");
        InversionOutcome outcome = measure(bench, csv, ways, agent, MIDDLE_NANOS, URGENT, LOW);
        boolean held = true;
        for (Way way : ways) {
            double alone = outcome.call(way, 0);
            double beside = outcome.call(way, MIDDLE_NANOS);
            boolean asked = way.protocol.equals("VPSET");
            boolean good = beside <= INVERTED * alone;
            Bench.say(
                    "  %s: a request of 100 µs beside a middle thread computing 1 ms %.0f µs, without it %.0f: %.2f times"
                            + " that%s",
                    way.label(),
                    beside,
                    alone,
                    beside / alone,
                    asked ? String.format("; asked: <= %.2f %s", INVERTED, Bench.held(good)) : "");
            held &= good || !asked;
        }
        held &= interrupted(outcome, interrupts, agent, ways);
        return held;
    }

    private static boolean interrupted(InversionOutcome outcome, Csv csv, boolean agent, List<Way> ways)
            throws IOException {
        boolean held = true;
        for (Way way : ways) {
            double[] interrupts = outcome.interrupts(way);
            for (double count : interrupts) {
                csv.row(agent ? "agent" : "none", way, (long) count);
            }
            boolean asked = way.protocol.equals("VPSET");
            boolean good = Statistics.median(interrupts) <= 1;
            Bench.say(
                    "  %s: such a call beside the middle thread interrupts the server's CPU %.2f times%s",
                    way.label(),
                    Arrays.stream(interrupts).average().orElse(Double.NaN),
                    asked ? String.format("; asked: once (median) %s", Bench.held(good)) : "");
            held &= good || !asked;
        }
        return held;
    }

    /** After an urgent request a server sleeps where that had it, and begins there with the next one. */
    private static boolean low(Bench bench, Csv csv, int before) throws IOException, InterruptedException {
        boolean held = true;
        InversionOutcome outcome = measure(bench, csv, RAISING, true, MIDDLE_NANOS, LOW, before);
        for (Way way : RAISING) {
            double kept = outcome.kept(way, MIDDLE_NANOS);
            double asked = outcome.call(way, 0) / 10;
            boolean good = kept <= asked;
            Bench.say(
                    "  %s: a low request%s keeps the middle thread from its CPU for %.1f µs; asked: <= %.1f %s",
                    way.label(), before == URGENT ? " after an urgent one" : "", kept, asked, Bench.held(good));
            held &= good;
        }
        return held;
    }

    private static boolean added(Bench bench, Csv csv) throws IOException, InterruptedException {
        List<Way> ways = List.of(NONE, KERNEL, ITSELF);
        InversionOutcome level = measure(bench, csv, ways, true, 0, URGENT, 0);
        InversionOutcome raised = measure(bench, csv, ways, true, 0, URGENT, LOW);
        boolean held = true;
        for (Way way : RAISING) {
            double ratio = level.call(way, 0) / level.call(NONE, 0);
            boolean good = ratio <= ADDED;
            Bench.say(
                    "  %s: nobody in the way, nothing to be raised: %.1f µs, %.1f without a protocol: %.3f; asked: <="
                            + " %.2f %s",
                    way.label(), level.call(way, 0), level.call(NONE, 0), ratio, ADDED, Bench.held(good));
            double more = raised.call(way, 0) - raised.call(NONE, 0);
            Bench.say(
                    "  %s: nobody in the way, the server raised each time: %.1f µs, %.1f without a protocol: %.1f more",
                    way.label(), raised.call(way, 0), raised.call(NONE, 0), more);
            boolean little = RaiseCost.held(bench, more, calls(bench, NONE), calls(bench, way));
            held &= good && little;
        }
        return held;
    }

    private static SystemCallCount.Traced calls(Bench bench, Way way) throws IOException {
        return SystemCallCount.of(peer(bench, List.of(way), true, 0, URGENT, LOW, TRACED_NANOS));
    }

    private static InversionOutcome measure(
            Bench bench, Csv csv, List<Way> ways, boolean agent, long middle, int requester, int before)
            throws IOException, InterruptedException {
        Peer peer = peer(bench, ways, agent, middle, requester, before, REQUEST_NANOS);
        int rounds = bench.count(ROUNDS, SHORT_ROUNDS);
        Load.Outcome outcome = peer.calls(
                agent ? List.of() : Nobody.ordinary(),
                agent ? List.of() : Nobody.realTime(),
                Math.min(WARM_UP, rounds),
                rounds,
                LIMIT_SECONDS);
        if (!outcome.good()) {
            throw new IOException(
                    (outcome.ended() ? "the calls failed: " : "the calls did not end within " + LIMIT_SECONDS + " s ")
                            + String.join("; ", outcome.messages()));
        }
        return new InversionOutcome(outcome).write(csv, agent, requester, before);
    }

    private static Peer peer(
            Bench bench, List<Way> ways, boolean agent, long middle, int requester, int before, long request)
            throws IOException {
        Load load = Load.of(
                        bench.ofLibrary(),
                        "ProcessInversion",
                        ways.stream().map(Way::toString).collect(Collectors.joining(",")),
                        agent,
                        middle,
                        requester,
                        before,
                        request,
                        CLIENTS_CPU,
                        Bench.oneCpu())
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC");
        return new Peer("ProcessInversion", (agent ? load.withAgent("policy=static") : load).command());
    }
}
