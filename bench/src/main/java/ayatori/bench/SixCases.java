package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The paper's tables 2 and 3: by case and protocol, how long a request waits while a thread that is less important computes on
 * the server's CPU, what the protocol adds, and the response time. The load RequestCases under the agent's policy static.
 */
final class SixCases implements Measurement {
    private static final List<String> TITLES = List.of(
            "no wake, AP_r <= OS",
            "no wake, AP_r > OS, AP_o < OS",
            "no wake, AP_r > OS, AP_o > OS",
            "wake, AP_r <= OS",
            "wake, AP_r > OS, AP_o < OS",
            "wake, AP_r > OS, AP_o > OS");
    private static final List<String> PROTOCOLS = List.of("NONE", "VPGET", "VPSET");
    /** In which a thread between client and server keeps the server from its CPU. */
    private static final List<Integer> INVERTED = List.of(3, 6);

    private static final List<Long> MIDDLE_NANOS = List.of(100_000L, 1_000_000L);
    private static final int ROUNDS = 1000;
    private static final int SHORT_ROUNDS = 20;
    private static final int CLIENTS_CPU = 0;
    private static final double BOUND = 1.10;
    private static final long LIMIT_SECONDS = 900;

    /** One request. */
    private record Request(double response, double own, double inversion) {
        /** What was neither the request's own work nor AP_o's. */
        double rest() {
            return response - own - inversion;
        }
    }

    /** What was measured under the same conditions. */
    private record Cell(int number, String protocol, long middleNanos) {}

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Bench.oneCpu() == CLIENTS_CPU) {
            Bench.say("needs two CPUs");
            return false;
        }
        Map<Cell, List<Request>> requests = measure(bench);
        boolean held = true;
        try (Csv csv = bench.folder().csv("cases", "panel,group,series,value,unit,inversion_us,overhead_us,requests")) {
            for (long middle : MIDDLE_NANOS) {
                Bench.say(
                        "a request of 100 µs, AP_o computes %d µs: t_inv + overhead = response, µs, medians of %d rounds",
                        middle / 1000, bench.count(ROUNDS, SHORT_ROUNDS));
                for (int number = 1; number <= TITLES.size(); number++) {
                    tell(csv, requests, number, middle);
                }
                for (int number : INVERTED) {
                    held &= judge(requests, number, middle);
                }
            }
        }
        PlotPage.write(
                bench.folder(),
                "bars.html",
                "cases",
                "Response time of a request of 100 µs in the paper's six cases; JDK "
                        + bench.newest().version());
        return held || bench.shortened();
    }

    private static Map<Cell, List<Request>> measure(Bench bench) throws IOException, InterruptedException {
        Load.Outcome outcome = Load.of(
                        bench.ofLibrary(),
                        "RequestCases",
                        bench.count(ROUNDS, SHORT_ROUNDS),
                        "0,100000,1000000",
                        CLIENTS_CPU,
                        Bench.oneCpu())
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
                .withAgent("policy=static")
                .run(LIMIT_SECONDS);
        if (!outcome.good()) {
            throw new IOException("the six cases did not end well: " + outcome.messages());
        }
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        Map<Cell, List<Request>> requests = new HashMap<>();
        int others = 0;
        try (Csv csv = bench.folder()
                .csv("cases-rounds", "case,protocol,middle_ns,response_ns,own_ns,inversion_ns,wakes,raises")) {
            for (List<String> fields : outcome.results()) {
                csv.row(fields.toArray());
                int number = Integer.parseInt(fields.get(0));
                if (Integer.parseInt(fields.get(6)) != (number > 3 ? 1 : 0)) {
                    others++; // the server had not fallen asleep yet
                    continue;
                }
                Cell cell = new Cell(number, fields.get(1), Long.parseLong(fields.get(2)));
                requests.computeIfAbsent(cell, any -> new ArrayList<>())
                        .add(new Request(
                                Double.parseDouble(fields.get(3)) / 1e3,
                                Double.parseDouble(fields.get(4)) / 1e3,
                                Double.parseDouble(fields.get(5)) / 1e3));
            }
        }
        if (others > 0) {
            Bench.say(
                    "  %d of %d requests left out: of another case",
                    others, outcome.results().size());
        }
        return requests;
    }

    private static double median(Map<Cell, List<Request>> requests, Cell cell, ToDoubleFunction<Request> part) {
        return Statistics.median(requests.getOrDefault(cell, List.of()).stream()
                .mapToDouble(part)
                .toArray());
    }

    private static void tell(Csv csv, Map<Cell, List<Request>> requests, int number, long middle) throws IOException {
        // The plain path: nobody is woken, nothing raised, no order kept.
        double plain = median(requests, new Cell(1, "NONE", middle), Request::rest);
        StringBuilder line =
                new StringBuilder(String.format(Locale.ROOT, "  (%d) %-30s", number, TITLES.get(number - 1)));
        for (String protocol : PROTOCOLS) {
            Cell cell = new Cell(number, protocol, middle);
            double inversion = median(requests, cell, Request::inversion);
            double overhead = median(requests, cell, Request::rest) - plain;
            double response = median(requests, cell, Request::response);
            line.append(
                    String.format(Locale.ROOT, "  %s %6.1f %+6.1f = %6.1f", protocol, inversion, overhead, response));
            csv.row(
                    "AP_o computes " + middle / 1000 + " µs",
                    "(" + number + ") " + TITLES.get(number - 1),
                    protocol,
                    response,
                    "µs",
                    inversion,
                    overhead,
                    requests.getOrDefault(cell, List.of()).size());
        }
        Bench.say("%s", line);
    }

    private static boolean judge(Map<Cell, List<Request>> requests, int number, long middle) {
        double beside = median(requests, new Cell(number, "VPSET", middle), Request::response);
        double alone = median(requests, new Cell(number, "VPSET", 0), Request::response);
        boolean held = beside / alone <= BOUND;
        Bench.say(
                "  (%d) by VPSET %.1f µs, without AP_o %.1f: %.2f times that; asked: <= %.2f %s",
                number, beside, alone, beside / alone, BOUND, Bench.held(held));
        return held;
    }
}
