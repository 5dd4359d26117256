package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The paper's table 4: what it costs on this kernel to wake and to raise a thread of another CPU, and what it saves to do both at
 * once. The load IntercoreOperations under the agent's policy static.
 */
final class IntercoreCost implements Measurement {
    private static final int ROUNDS = 1000;
    private static final int SHORT_ROUNDS = 30;
    private static final int CLIENTS_CPU = 0;
    private static final long LIMIT_SECONDS = 300;
    private static final String CALL = "call that wakes nobody, nobody beside";
    private static final String CALL_THAT_WAKES = "call that wakes the server, a low thread beside";

    /** Medians, microseconds. */
    private record Cost(double caller, double done) {}

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Bench.oneCpu() == CLIENTS_CPU) {
            Bench.say("needs two CPUs");
            return false;
        }
        Load.Outcome outcome = Load.of(
                        bench.ofLibrary(),
                        "IntercoreOperations",
                        bench.count(ROUNDS, SHORT_ROUNDS),
                        CLIENTS_CPU,
                        Bench.oneCpu())
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
                .withAgent("policy=static")
                .run(LIMIT_SECONDS);
        if (!outcome.good()) {
            throw new IOException("the operations did not end well: " + outcome.messages());
        }
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        tell(keep(bench, outcome));
        double wakes = outcome.value("wakes", 2);
        if (wakes != 0) {
            Bench.say("  %.0f of the calls that are to wake nobody woke the server", wakes);
        }
        return true;
    }

    /** Raw results, and the medians by operation. */
    private static Map<String, Cost> keep(Bench bench, Load.Outcome outcome) throws IOException {
        Map<String, List<double[]>> all = new LinkedHashMap<>();
        try (Csv csv = bench.folder().csv("intercore-rounds", "operation,beside,caller_ns,done_ns")) {
            for (List<String> fields : outcome.results()) {
                if (fields.size() == 4) {
                    csv.row(fields.toArray());
                    all.computeIfAbsent(fields.get(0) + ", " + fields.get(1) + " beside", any -> new ArrayList<>())
                            .add(new double[] {Double.parseDouble(fields.get(2)), Double.parseDouble(fields.get(3))});
                }
            }
        }
        Map<String, Cost> costs = new LinkedHashMap<>();
        try (Csv csv = bench.folder().csv("intercore", "operation,caller_us,done_us,rounds")) {
            for (Map.Entry<String, List<double[]>> entry : all.entrySet()) {
                List<double[]> values = entry.getValue();
                Cost cost = new Cost(median(values, 0), median(values, 1));
                costs.put(entry.getKey(), cost);
                csv.row(entry.getKey(), cost.caller(), cost.done(), values.size());
            }
        }
        return costs;
    }

    private static double median(List<double[]> values, int column) {
        return Statistics.median(
                        values.stream().mapToDouble(value -> value[column]).toArray())
                / 1e3;
    }

    private static Cost of(Map<String, Cost> costs, String operation) {
        return costs.getOrDefault(operation, new Cost(Double.NaN, Double.NaN));
    }

    private static void tell(Map<String, Cost> costs) {
        Bench.say("µs, medians: the caller's time; until it is done and the thread runs, or was interrupted for");
        costs.forEach((operation, cost) -> Bench.say("  %-62s %6.2f %6.2f", operation, cost.caller(), cost.done()));
        for (String beside : List.of("a low thread", "a middle thread")) {
            double one = of(costs, "raise then wake, " + beside + " beside").done();
            double two = of(costs, "wake then raise, " + beside + " beside").done();
            Bench.say(
                    "wake and raise, %s computing there: in one operation, raised before it wakes, %.2f µs; as two %.2f: %+.2f",
                    beside, one, two, two - one);
        }
        double call = of(costs, CALL).done();
        double saved = of(costs, CALL_THAT_WAKES).done() - call;
        Bench.say(
                "one saved inter-core operation, a wake: %.2f µs, %.0f %% of a call that wakes nobody (%.2f µs); the paper: 0.93"
                        + " µs, 13 %%",
                saved, 100 * saved / call, call);
    }
}
