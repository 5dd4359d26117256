package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an empty call takes until its answer is there: in one JVM against hand-overs through queues of the JDK, and between two
 * processes, where each {@link Peer} is one way. Ways take turns; a ratio is the median over rounds.
 */
final class RoundTrips implements Measurement {
    private static final int ROUNDS = 5;
    private static final int CALLS = 20_000;
    private static final int SHORT_CALLS = 200;
    /** Of one way in one round. */
    private static final long LIMIT_SECONDS = 60;

    private static final int CLIENT_CPU = 0;
    private static final int SERVER_CPU = 1;

    private static final List<String> IN_ONE_JVM = List.of("Endpoint", "SynchronousQueue", "LinkedTransferQueue");

    private static final List<Claim> CLAIMS = List.of(
            new Claim(Where.JVM_ON_TWO_CPUS, "Endpoint", "SynchronousQueue", 1.0),
            new Claim(Where.JVM_ON_TWO_CPUS, "Endpoint", "LinkedTransferQueue", 1.0),
            new Claim(Where.PROCESSES, "SharedEndpoint", "futex", 1.1),
            new Claim(Where.PROCESSES, "SharedEndpoint", "Unix socket", 1.0),
            new Claim(Where.PROCESSES, "SharedEndpoint", "Unix socket in Java", 1.0),
            new Claim(Where.PROCESSES, "SharedEndpoint", "D-Bus", 1.0),
            new Claim(Where.PROCESSES, "SharedEndpoint", "iceoryx2", 1.0),
            new Claim(Where.PROCESSES, "SharedEndpoint with a gigabyte", "SharedEndpoint", 1.1));

    /** Of a round trip of who has a CPU to give on each side, nanoseconds. */
    private static final double POLLING_AT_MOST = 500;

    /** Where client and server are. */
    private enum Where {
        JVM_ON_TWO_CPUS("one JVM on two CPUs"),
        JVM_ON_ONE_CPU("one JVM on one CPU"),
        PROCESSES("two processes on two CPUs");

        private final String label;

        Where(String label) {
            this.label = label;
        }
    }

    /** Of both sides, with all their threads. */
    private enum Policy {
        ORDINARY("ordinary threads", ""),
        REAL_TIME("SCHED_RR 20", " chrt -r 20");

        private final String label;
        private final String change;

        Policy(String label, String change) {
            this.label = label;
            this.change = change;
        }

        /** What stands before a command that shall run there. */
        List<String> on(String cpus) {
            return List.of(("taskset -c " + cpus + change).split(" "));
        }

        boolean refused() throws IOException, InterruptedException {
            List<String> trial = new ArrayList<>(on(Integer.toString(SERVER_CPU)));
            trial.add("true");
            return new ProcessBuilder(trial)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    != 0;
        }
    }

    /** One's median is at most so many times the other's. */
    private record Claim(Where where, String ours, String other, double atMost) {}

    /** To call and be answered. */
    private record Way(String name, Run run) {}

    @FunctionalInterface
    private interface Run {
        Load.Outcome calls(Policy policy, int warmUp, int calls) throws IOException, InterruptedException;
    }

    /** Nanoseconds. */
    private record Times(double median, double p99) {}

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            Bench.say("needs two CPUs");
            return false;
        }
        Jdk jdk = bench.ofLibrary();
        Map<Where, List<Way>> ways = new LinkedHashMap<>();
        ways.put(Where.JVM_ON_TWO_CPUS, inOneJvm(jdk, CLIENT_CPU, SERVER_CPU));
        ways.put(Where.JVM_ON_ONE_CPU, inOneJvm(jdk, Bench.oneCpu(), Bench.oneCpu()));
        ways.put(Where.PROCESSES, betweenProcesses(peers(bench, jdk)));
        Bench.say(
                "JDK %s: µs an empty call, median (99 %% are quicker than), %d calls after as many to warm up; medians of %d"
                        + " rounds",
                jdk.label(), bench.count(CALLS, SHORT_CALLS), bench.pairCount(ROUNDS));
        boolean held = true;
        try (Csv csv = bench.folder()
                .csv("roundtrip", "where,policy,way,round,calls,median_ns,p90_ns,p99_ns,p999_ns,max_ns")) {
            for (Policy policy : Policy.values()) {
                if (policy == Policy.REAL_TIME && policy.refused()) {
                    Bench.say(
                            "%s is left out: needs root, CAP_SYS_NICE or RLIMIT_RTPRIO; see ayatori doctor",
                            policy.label);
                    continue;
                }
                for (Map.Entry<Where, List<Way>> entry : ways.entrySet()) {
                    held &= measure(bench, entry.getKey(), policy, entry.getValue(), csv);
                }
            }
        }
        return held;
    }

    private static List<Way> inOneJvm(Jdk jdk, int client, int server) {
        List<Way> ways = new ArrayList<>();
        for (String name : IN_ONE_JVM) {
            ways.add(new Way(
                    name,
                    (policy, warmUp, calls) -> Load.of(jdk, "HandOvers", name, client, server, warmUp, calls)
                            .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
                            .by(policy.on(CLIENT_CPU + "," + SERVER_CPU).toArray(String[]::new))
                            .run(LIMIT_SECONDS)));
        }
        return ways;
    }

    private static List<Peer> peers(Bench bench, Jdk jdk) throws IOException, InterruptedException {
        List<Peer> peers = new ArrayList<>();
        peers.add(Peer.ofJvms("SharedEndpoint", jdk, "SharedCalls", "blocking"));
        peers.add(Peer.ofJvms("SharedEndpoint with a gigabyte", jdk, "SharedCalls", "gigabyte"));
        peers.add(Peer.ofJvms("SharedEndpoint polling", jdk, "SharedCalls", "polling"));
        peers.add(Peer.ofJvms("Unix socket in Java", jdk, "SocketCalls"));
        peers.addAll(PeerPrograms.build(bench.shortened()));
        return peers;
    }

    private static List<Way> betweenProcesses(List<Peer> peers) {
        List<Way> ways = new ArrayList<>();
        for (Peer peer : peers) {
            ways.add(new Way(
                    peer.name(),
                    (policy, warmUp, calls) -> peer.calls(
                            policy.on(Integer.toString(SERVER_CPU)),
                            policy.on(Integer.toString(CLIENT_CPU)),
                            warmUp,
                            calls,
                            LIMIT_SECONDS)));
        }
        return ways;
    }

    /** All rounds of the ways that are compared with each other. */
    private static boolean measure(Bench bench, Where where, Policy policy, List<Way> ways, Csv csv)
            throws IOException, InterruptedException {
        int calls = bench.count(CALLS, SHORT_CALLS);
        boolean good = true;
        Map<String, Map<Integer, Times>> times = new LinkedHashMap<>();
        ways.forEach(way -> times.put(way.name(), new TreeMap<>()));
        List<Way> turn = new ArrayList<>(ways);
        for (int round = 1; round <= bench.pairCount(ROUNDS); round++) {
            for (Way way : turn) {
                Load.Outcome outcome = way.run().calls(policy, calls, calls);
                double[] nanos = outcome.values("call", 1);
                if (!outcome.good() || nanos.length != calls) {
                    good = false;
                    Bench.say(
                            "%s: %s has not ended well in round %d: %s",
                            where.label, way.name(), round, String.join("; ", outcome.messages()));
                    continue;
                }
                times.getOrDefault(way.name(), Map.of()).put(round, keep(where, policy, way, round, nanos, csv));
            }
            Collections.rotate(turn, 1);
        }
        say(where, policy, times);
        boolean held = where != Where.PROCESSES || polling(times);
        for (Claim claim : CLAIMS) {
            if (claim.where() == where) {
                held &= verdict(claim, times);
            }
        }
        return good && (held || bench.shortened());
    }

    private static Times keep(Where where, Policy policy, Way way, int round, double[] nanos, Csv csv)
            throws IOException {
        double median = Statistics.median(nanos);
        double p99 = Statistics.quantile(0.99, nanos);
        csv.row(
                where.label,
                policy.label,
                way.name(),
                round,
                nanos.length,
                median,
                Statistics.quantile(0.9, nanos),
                p99,
                Statistics.quantile(0.999, nanos),
                Arrays.stream(nanos).max().orElseThrow());
        return new Times(median, p99);
    }

    private static void say(Where where, Policy policy, Map<String, Map<Integer, Times>> times) {
        List<String> columns = new ArrayList<>();
        times.forEach((way, rounds) -> {
            double[] medians =
                    rounds.values().stream().mapToDouble(Times::median).toArray();
            double[] p99s = rounds.values().stream().mapToDouble(Times::p99).toArray();
            if (medians.length > 0) {
                columns.add(String.format(
                        Locale.ROOT,
                        "%s %.2f (%.2f)",
                        way,
                        Statistics.median(medians) / 1e3,
                        Statistics.median(p99s) / 1e3));
            }
        });
        Bench.say("%s, %s: %s", where.label, policy.label, String.join(", ", columns));
    }

    private static boolean polling(Map<String, Map<Integer, Times>> times) {
        double median = Statistics.median(times.getOrDefault("SharedEndpoint polling", Map.of()).values().stream()
                .mapToDouble(Times::median)
                .toArray());
        boolean held = median <= POLLING_AT_MOST;
        Bench.say("   polling %.0f ns; asked: <= %.0f %s", median, POLLING_AT_MOST, Bench.held(held));
        return held;
    }

    /** A peer that was left out is compared with nothing. */
    private static boolean verdict(Claim claim, Map<String, Map<Integer, Times>> times) {
        Map<Integer, Times> ours = times.getOrDefault(claim.ours(), Map.of());
        Map<Integer, Times> others = times.getOrDefault(claim.other(), Map.of());
        List<Double> ratios = new ArrayList<>();
        ours.forEach((round, one) -> {
            Times other = others.get(round);
            if (other != null) {
                ratios.add(one.median() / other.median());
            }
        });
        if (ratios.isEmpty()) {
            Bench.say("   %s is not compared with %s", claim.ours(), claim.other());
            return true;
        }
        double ratio = Statistics.median(ratios);
        boolean held = ratio <= claim.atMost();
        Bench.say(
                "   %s to %s %.2f asked: <= %.1f %s",
                claim.ours(), claim.other(), ratio, claim.atMost(), Bench.held(held));
        return held;
    }
}
