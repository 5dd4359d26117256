package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.bench.jetty.LoadedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * A Jetty server on one CPU with its own pool and with ours, under the agent and without: how soon urgent requests are answered
 * beside bursts of bulk ones, and how many threads are left when the bursts are over. The clients are on another CPU, with
 * the agent in every case, so that it is the server that is measured.
 */
final class LoadedServers implements Measurement {
    private static final int URGENT_MICROS = 200;
    private static final int BULK_MICROS = 8000;
    private static final int BULK_CLIENTS = 48;
    /** More than the bulk clients, and fewer. */
    private static final int[] MAXIMA = {200, 16};

    private static final int LEAST_JDK = 25;
    private static final long LIMIT_SECONDS = 120;
    private static final String DECISIVE = "99.0";
    private static final List<String> PERCENTILES = List.of("50.0", "90.0", "99.0", "100.0");

    /** The first is what the others are compared with. */
    private static final List<Way> WAYS = List.of(
            new Way("Jetty's pool", "queued", ""),
            new Way("Jetty's pool, mixed", "queued", "policy=mixed"),
            new Way("ours", "reusable", ""),
            new Way("ours, mixed", "reusable", "policy=mixed"),
            new Way("ours, static", "reusable", "policy=static"));

    /** @param agent options of the agent in the server; "" for stock */
    private record Way(String name, String pool, String agent) {}

    /** @param nanos by kind of request and percentile */
    private record Outcome(Map<String, Map<String, Double>> nanos, long peak, long left) {
        double millis(String kind, String percentile) {
            return nanos.getOrDefault(kind, Map.of()).getOrDefault(percentile, Double.NaN) / 1e6;
        }
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.newest();
        if (jdk.feature() < LEAST_JDK) {
            Bench.say("JDK %s: our pool needs JDK %d", jdk.label(), LEAST_JDK);
            return true;
        }
        Bench.say(
                "latencies in ms of a Jetty server on one CPU: urgent requests (%.1f ms of CPU, 200 a second) while %d bulk ones "
                        + "(%d ms of CPU each, all at once, each second) are under way, and while none is; threads, "
                        + "and what is left of them in the quiet after that",
                URGENT_MICROS / 1e3, BULK_CLIENTS, BULK_MICROS / 1000);
        try (Csv latencies = bench.folder().csv("server", "jdk,maximum,way,round,kind,percentile,nanos,count");
                Csv threads = bench.folder().csv("server-threads", "jdk,maximum,way,round,millis,total,idle")) {
            for (int maximum : MAXIMA) {
                Map<Way, Outcome> outcomes = new LinkedHashMap<>();
                for (Way way : WAYS) {
                    outcomes.put(way, medians(bench, jdk, way, maximum, latencies, threads));
                    print(outcomes, way, maximum);
                }
            }
        }
        return true;
    }

    private static void print(Map<Way, Outcome> outcomes, Way way, int maximum) {
        Outcome outcome = outcomes.get(way);
        Outcome first = outcomes.get(WAYS.getFirst());
        if (outcome == null || first == null) {
            return;
        }
        StringBuilder row = new StringBuilder();
        for (String percentile : PERCENTILES) {
            row.append(String.format(
                    " %s %7.2f",
                    percentile.equals("100.0") ? "max" : "p" + percentile.replace(".0", ""),
                    outcome.millis("beside", percentile)));
        }
        Bench.say(
                "%3d threads at most, %-20s %s (p%s 1/%.1f) | alone p99 %6.2f | bulk p50 %4.0f max %4.0f | threads %3d, then %3d",
                maximum,
                way.name(),
                row,
                DECISIVE.replace(".0", ""),
                first.millis("beside", DECISIVE) / outcome.millis("beside", DECISIVE),
                outcome.millis("alone", "99.0"),
                outcome.millis("bulk", "50.0"),
                outcome.millis("bulk", "100.0"),
                outcome.peak(),
                outcome.left());
    }

    private static Outcome medians(Bench bench, Jdk jdk, Way way, int maximum, Csv latencies, Csv threads)
            throws IOException, InterruptedException {
        List<Outcome> rounds = new ArrayList<>();
        for (int round = 1; round <= bench.pairCount(1); round++) {
            rounds.add(measure(bench, jdk, way, maximum, round, latencies, threads));
        }
        Map<String, Map<String, Double>> nanos = new LinkedHashMap<>();
        rounds.getFirst()
                .nanos()
                .forEach((kind, values) -> values.keySet()
                        .forEach(percentile -> nanos.computeIfAbsent(kind, k -> new LinkedHashMap<>())
                                .put(
                                        percentile,
                                        1e6
                                                * Statistics.median(rounds.stream()
                                                        .mapToDouble(outcome -> outcome.millis(kind, percentile))
                                                        .toArray()))));
        return new Outcome(nanos, median(rounds, Outcome::peak), median(rounds, Outcome::left));
    }

    private static long median(List<Outcome> rounds, ToLongFunction<Outcome> what) {
        return (long)
                Statistics.median(rounds.stream().mapToDouble(what::applyAsLong).toArray());
    }

    private static Outcome measure(Bench bench, Jdk jdk, Way way, int maximum, int round, Csv latencies, Csv threads)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("ayatori-bench", ".out");
        Process server = Load.of(jdk, LoadedServer.class.getName(), way.pool(), maximum, URGENT_MICROS, BULK_MICROS)
                .withJvm(
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dslf4j.internal.verbosity=ERROR")
                .withAgent(way.agent().isEmpty() ? null : way.agent())
                .onCpu(Bench.oneCpu())
                .start(output);
        try {
            Load.Outcome clients = Load.of(
                            jdk,
                            "HttpClients",
                            awaitPort(server, output),
                            BULK_CLIENTS,
                            bench.count(3, 1),
                            bench.count(6, 1),
                            bench.count(4, 1))
                    .withJvm("-Xmx256m", "-XX:+UseSerialGC")
                    .withAgent("policy=mixed")
                    .onCpu(0)
                    .run(LIMIT_SECONDS);
            if (!clients.good() || clients.value("failed", 1) != 0) {
                throw new IOException(way.name() + " did not serve well: " + clients.messages());
            }
            server.getOutputStream().close();
            server.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            return keep(jdk, way, maximum, round, clients, Load.outcome(true, 0, output), latencies, threads);
        } finally {
            server.destroyForcibly().waitFor();
            Files.delete(output);
        }
    }

    private static int awaitPort(Process server, Path output) throws IOException, InterruptedException {
        for (long i = 0; i < LIMIT_SECONDS * 100; i++) {
            double[] port = Load.outcome(true, 0, output).values("port", 1);
            if (port.length > 0) {
                return (int) port[0];
            }
            if (server.waitFor(10, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new IOException("the server did not start: " + Files.readString(output));
    }

    private static Outcome keep(
            Jdk jdk,
            Way way,
            int maximum,
            int round,
            Load.Outcome clients,
            Load.Outcome server,
            Csv latencies,
            Csv threads)
            throws IOException {
        Map<String, Map<String, Double>> nanos = new LinkedHashMap<>();
        for (List<String> result : clients.results()) {
            if (result.get(0).equals("raw")) {
                latencies.row(
                        jdk.version(),
                        maximum,
                        way.name(),
                        round,
                        result.get(1),
                        result.get(2),
                        result.get(3),
                        result.get(4));
            } else if (result.get(0).equals("percentile")) {
                nanos.computeIfAbsent(result.get(1), kind -> new LinkedHashMap<>())
                        .put(result.get(2), Double.valueOf(result.get(3)));
            }
        }
        double begun = clients.value("span", 1);
        double over = clients.value("span", 2) - begun;
        long peak = 0;
        long left = 0;
        for (List<String> result : server.results()) {
            if (!result.get(0).equals("threads")) {
                continue;
            }
            double since = Double.parseDouble(result.get(1)) - begun;
            threads.row(jdk.version(), maximum, way.name(), round, (long) since, result.get(2), result.get(3));
            if (since >= 0 && since <= over) {
                left = Long.parseLong(result.get(2));
                peak = Math.max(peak, left);
            }
        }
        return new Outcome(nanos, peak, left);
    }
}
