package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Half a round trip between two JVMs of one machine by JPI, and by other message passing for Java: Aeron IPC, PCJ and MPJ Express.
 * Bytes out of arrays into arrays. Each round starts fresh JVMs, and who is measured takes turns. Nothing is asked.
 */
final class PeerSpeed implements Measurement {
    private static final int ROUNDS = 5;
    private static final int WARM_UP_MILLIS = 5000;
    private static final int BUDGET_MILLIS = 300;
    private static final int SHORT_BUDGET_MILLIS = 1;
    private static final long LIMIT_SECONDS = 120;
    private static final List<Integer> SIZES = List.of(8, 256, 4 << 10, 64 << 10, 1 << 20);

    private static final String AERON = "Aeron IPC";
    private static final String PCJ = "PCJ";

    /** Someone who is measured. */
    private record Way(String name, Run run) {}

    @FunctionalInterface
    private interface Run {
        Load.Outcome outcome() throws IOException, InterruptedException;
    }

    /** Microseconds by way and size. */
    private final Map<String, Map<Integer, List<Double>>> micros = new TreeMap<>();

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            Bench.say("needs two CPUs");
            return false;
        }
        Jdk jdk = bench.ofLibrary();
        List<Way> ways = ways(bench, jdk);
        List<Way> turn = new ArrayList<>(ways);
        int rounds = bench.pairCount(ROUNDS);
        Bench.say("JDK %s: µs, half a round trip between two JVMs; medians of %d rounds", jdk.label(), rounds);
        boolean good = true;
        try (Csv csv = bench.folder().csv("peers-times", "round,way,bytes,median_us,p10_us")) {
            for (int round = 1; round <= rounds; round++) {
                for (Way way : turn) {
                    good &= measure(way, round, csv);
                }
                Collections.rotate(turn, 1);
            }
        }
        say(bench, ways.stream().map(Way::name).skip(1).toList());
        return good;
    }

    /** JPI first. */
    private static List<Way> ways(Bench bench, Jdk jdk) throws IOException, InterruptedException {
        List<Object> words = new ArrayList<>(List.of("-np", 2, "ayatori.bench.load.JpiTimes"));
        words.addAll(words(bench));
        List<Way> ways = new ArrayList<>();
        ways.add(new Way(
                MessageSpeed.JPI,
                () -> Load.of(jdk, "jpi.JRun", words.toArray()).run(LIMIT_SECONDS)));
        // It reads and writes memory by what the JDK keeps to itself; without its checks, as its own measurements have
        // it.
        Load aeron = Load.of(jdk, "AeronTimes")
                .withJvm(
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dagrona.disable.bounds.checks=true");
        ways.add(way(bench, new Peer(AERON, aeron.command())));
        ways.add(way(bench, new Peer(PCJ, Load.of(jdk, "PcjTimes").command())));
        MpjExpress.build(jdk).ifPresent(peer -> ways.add(way(bench, peer)));
        return ways;
    }

    private static Way way(Bench bench, Peer peer) {
        return new Way(peer.name(), () -> peer.meet(List.of(), List.of(), LIMIT_SECONDS, words(bench)));
    }

    private static List<String> words(Bench bench) {
        List<String> words = new ArrayList<>();
        words.add(Integer.toString(bench.count(WARM_UP_MILLIS, 0)));
        words.add(Integer.toString(bench.count(BUDGET_MILLIS, SHORT_BUDGET_MILLIS)));
        SIZES.forEach(bytes -> words.add(bytes.toString()));
        return words;
    }

    private boolean measure(Way way, int round, Csv csv) throws IOException, InterruptedException {
        Load.Outcome outcome = way.run().outcome();
        int rows = 0;
        for (List<String> fields : outcome.results()) {
            if (!fields.getFirst().equals("trip")) {
                continue;
            }
            int bytes = Integer.parseInt(fields.get(1));
            double median = Double.parseDouble(fields.get(2));
            csv.row(round, way.name(), bytes, median, Double.parseDouble(fields.get(3)));
            micros.computeIfAbsent(way.name(), w -> new TreeMap<>())
                    .computeIfAbsent(bytes, b -> new ArrayList<>())
                    .add(median);
            rows++;
        }
        if (outcome.good() && rows == SIZES.size()) {
            return true;
        }
        Bench.say("%s has not ended well in round %d: %s", way.name(), round, String.join("; ", outcome.messages()));
        return false;
    }

    private void say(Bench bench, List<String> peers) throws IOException {
        try (Csv csv = bench.folder().csv("peers", "panel,group,series,value,unit")) {
            for (int bytes : SIZES) {
                double ours = middle(MessageSpeed.JPI, bytes);
                StringBuilder line = new StringBuilder("%8d B  %s %.2f µs".formatted(bytes, MessageSpeed.JPI, ours));
                for (String peer : peers) {
                    double theirs = middle(peer, bytes);
                    double ratio = ours / theirs;
                    line.append("  %s %.2f µs, ratio %.3f".formatted(peer, theirs, ratio));
                    if (!Double.isNaN(ratio)) {
                        csv.row("to " + peer, bytes + " B", MessageSpeed.JPI, ratio, "times " + peer);
                    }
                }
                Bench.say("%s", line);
            }
        }
        PlotPage.write(
                bench.folder(),
                "bars.html",
                "peers",
                "JPI beside other message passing for Java: 1 is as good, less is better");
    }

    private double middle(String way, int bytes) {
        return Statistics.median(micros.getOrDefault(way, Map.of()).getOrDefault(bytes, List.of()));
    }
}
