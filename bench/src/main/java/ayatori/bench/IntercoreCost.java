package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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

    /**
     * Of an operation.
     *
     * @param caller microseconds, a median; so is {@code done}
     * @param rescheduling interrupts of the servers' CPU by others, on average; so are {@code functionCalls}
     */
    private record Cost(double caller, double done, double rescheduling, double functionCalls) {
        double interrupts() {
            return rescheduling + functionCalls;
        }
    }

    /** Rows by operation. */
    private static final class Rows {
        private final Map<String, List<double[]>> all = new LinkedHashMap<>();

        void add(String operation, String first, String second) {
            all.computeIfAbsent(operation, any -> new ArrayList<>())
                    .add(new double[] {Double.parseDouble(first), Double.parseDouble(second)});
        }

        double[] column(String operation, int number) {
            return all.getOrDefault(operation, List.of()).stream()
                    .mapToDouble(row -> row[number])
                    .toArray();
        }
    }

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

    /** Raw results, and what comes of them by operation. */
    private static Map<String, Cost> keep(Bench bench, Load.Outcome outcome) throws IOException {
        Rows times = new Rows();
        Rows interrupts = new Rows();
        try (Csv timed = bench.folder().csv("intercore-rounds", "operation,beside,caller_ns,done_ns");
                Csv counted =
                        bench.folder().csv("intercore-interrupts", "operation,beside,rescheduling,function_calls")) {
            for (List<String> fields : outcome.results()) {
                String operation = fields.get(0) + ", " + fields.get(1) + " beside";
                if (fields.size() == 4) {
                    timed.row(fields.toArray());
                    times.add(operation, fields.get(2), fields.get(3));
                } else if (fields.size() == 5) {
                    counted.row(fields.get(0), fields.get(1), fields.get(3), fields.get(4));
                    interrupts.add(operation, fields.get(3), fields.get(4));
                }
            }
        }
        Map<String, Cost> costs = new LinkedHashMap<>();
        try (Csv csv = bench.folder()
                .csv(
                        "intercore",
                        "operation,caller_us,done_us,rounds,rescheduling_interrupts,function_call_interrupts")) {
            for (String operation : times.all.keySet()) {
                double[] caller = times.column(operation, 0);
                Cost cost = new Cost(
                        Statistics.median(caller) / 1e3,
                        Statistics.median(times.column(operation, 1)) / 1e3,
                        mean(interrupts.column(operation, 0)),
                        mean(interrupts.column(operation, 1)));
                costs.put(operation, cost);
                csv.row(
                        operation,
                        cost.caller(),
                        cost.done(),
                        caller.length,
                        cost.rescheduling(),
                        cost.functionCalls());
            }
        }
        return costs;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    private static Cost of(Map<String, Cost> costs, String operation) {
        return costs.getOrDefault(operation, new Cost(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
    }

    private static void tell(Map<String, Cost> costs) {
        Bench.say("µs, medians: the caller's time; until it is done and the thread runs, or was interrupted for;");
        Bench.say("interrupts of the servers' CPU by others, means: rescheduling; function calls");
        costs.forEach((operation, cost) -> Bench.say(
                "  %-62s %6.2f %6.2f  %5.2f %5.2f",
                operation, cost.caller(), cost.done(), cost.rescheduling(), cost.functionCalls()));
        for (String beside : List.of("a low thread", "a middle thread")) {
            Cost one = of(costs, "raise then wake, " + beside + " beside");
            Cost two = of(costs, "wake then raise, " + beside + " beside");
            Bench.say(
                    "wake and raise, %s computing there: in one operation, raised before it wakes, %.2f µs, %.2f interrupts;"
                            + " as two %.2f: %+.2f, %.2f",
                    beside, one.done(), one.interrupts(), two.done(), two.done() - one.done(), two.interrupts());
        }
        double call = of(costs, CALL).done();
        double saved = of(costs, CALL_THAT_WAKES).done() - call;
        Bench.say(
                "one saved inter-core operation, a wake: %.2f µs, %.0f %% of a call that wakes nobody (%.2f µs); the paper: 0.93"
                        + " µs, 13 %%",
                saved, 100 * saved / call, call);
    }
}
