package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
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
    /**
     * Long enough that the client waits in any case, whatever strace takes for the server's other system calls: for those by which
     * the server asks for its CPU time, too, so that it lasts ten times that.
     */
    private static final long TRACED_NANOS = 500_000;

    private static final long MIDDLE_NANOS = 1_000_000;
    private static final int CLIENTS_CPU = 0;
    private static final int URGENT = 9;
    private static final int LOW = 2;
    private static final double INVERTED = 1.10;
    private static final double ADDED = 1.02;

    /** A protocol, who raises the server, and how many threads serve. */
    private record Way(String protocol, String raises, int threads) {
        String label() {
            return (protocol.equals("VPSET") ? "VPSET by the " + raises : protocol)
                    + (threads == 1 ? "" : ", " + threads + " server threads");
        }

        @Override
        public String toString() {
            return protocol + ":" + raises + ":" + threads;
        }
    }

    private static final Way NONE = new Way("NONE", "kernel", 1);
    private static final Way VPGET = new Way("VPGET", "kernel", 1);
    private static final Way KERNEL = new Way("VPSET", "kernel", 1);
    private static final Way ITSELF = new Way("VPSET", "server", 1);
    private static final Way NONE_OF_TWO = new Way("NONE", "kernel", 2);
    private static final Way SEVERAL = new Way("VPSET", "server", 2);

    private static final List<Way> RAISING = List.of(KERNEL, ITSELF);
    private static final String READY = "ready by itself before the call";

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Bench.oneCpu() == CLIENTS_CPU) {
            Bench.say("needs two CPUs");
            return false;
        }
        boolean held = true;
        try (Csv csv = bench.folder().csv("processes", InversionOutcome.columnsOfProcesses("way"));
                Csv interrupts = bench.folder().csv("processes-interrupts", "rights,way,interrupts")) {
            held &= beside(bench, csv, interrupts, true, List.of(NONE, VPGET, KERNEL, ITSELF, SEVERAL));
            held &= low(bench, csv, LOW);
            held &= low(bench, csv, URGENT);
            held &= level(bench, csv);
            held &= raised(bench, csv, true, NONE, RAISING, READY);
            held &= raised(bench, csv, true, NONE_OF_TWO, List.of(SEVERAL), READY);
            if (Nobody.canBe()) {
                held &= beside(bench, csv, interrupts, false, List.of(NONE, KERNEL));
                held &= raised(bench, csv, false, NONE, List.of(KERNEL), "raised by the kernel's loan");
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

    private static boolean level(Bench bench, Csv csv) throws IOException, InterruptedException {
        InversionOutcome outcome = measure(bench, csv, List.of(NONE, KERNEL, ITSELF), true, 0, URGENT, 0);
        boolean held = true;
        for (Way way : RAISING) {
            double ratio = outcome.call(way, 0) / outcome.call(NONE, 0);
            boolean good = ratio <= ADDED;
            Bench.say(
                    "  %s: nobody in the way, nothing to be raised: %.1f µs, %.1f without a protocol: %.3f; asked: <="
                            + " %.2f %s",
                    way.label(), outcome.call(way, 0), outcome.call(NONE, 0), ratio, ADDED, Bench.held(good));
            held &= good;
        }
        return held;
    }

    /**
     * What an urgent call after a low one takes more than the same without a protocol.
     *
     * @param how the server comes up, in words; what the client counts stands beside it
     */
    private static boolean raised(Bench bench, Csv csv, boolean agent, Way none, List<Way> ways, String how)
            throws IOException, InterruptedException {
        List<Way> all = new ArrayList<>(List.of(none));
        all.addAll(ways);
        InversionOutcome outcome = measure(bench, csv, all, agent, 0, URGENT, LOW);
        RaiseCost cost = new RaiseCost(bench, calls(bench, agent, none));
        boolean held = true;
        for (Way way : ways) {
            double more = outcome.call(way, 0) - outcome.call(none, 0);
            Bench.say(
                    "  %s: nobody in the way, after a low request, the server %s: %.1f µs, %.1f without a protocol: %.1f"
                            + " more; %.2f orders and %.2f loans a call",
                    way.label(),
                    how,
                    outcome.call(way, 0),
                    outcome.call(none, 0),
                    more,
                    outcome.orders(way),
                    outcome.loans(way));
            held &= cost.held(more, calls(bench, agent, way));
        }
        return held;
    }

    private static SystemCallCount.Traced calls(Bench bench, boolean agent, Way way) throws IOException {
        return SystemCallCount.of(
                peer(bench, List.of(way), agent, 0, URGENT, LOW, TRACED_NANOS), server(agent), client(agent));
    }

    private static List<String> server(boolean agent) {
        return agent ? List.of() : Nobody.ordinary();
    }

    private static List<String> client(boolean agent) {
        return agent ? List.of() : Nobody.realTime();
    }

    private static InversionOutcome measure(
            Bench bench, Csv csv, List<Way> ways, boolean agent, long middle, int requester, int before)
            throws IOException, InterruptedException {
        Peer peer = peer(bench, ways, agent, middle, requester, before, REQUEST_NANOS);
        int rounds = bench.count(ROUNDS, SHORT_ROUNDS);
        Load.Outcome outcome =
                peer.calls(server(agent), client(agent), Math.min(WARM_UP, rounds), rounds, LIMIT_SECONDS);
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
