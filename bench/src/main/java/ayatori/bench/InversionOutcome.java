package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What came of the loads CallInversion and ProcessInversion, which tell of each call the same. */
record InversionOutcome(Load.Outcome outcome) {
    /** Of the file that {@link #write} writes to for calls in one JVM; what stands for a way names its column. */
    static String columns(String way) {
        return "rights," + way + ",requester,before,round,middle_ns,call_ns,middle_kept_ns";
    }

    /** The same for calls between processes. */
    static String columnsOfProcesses(String way) {
        return columns(way) + ",orders,loans";
    }

    /** What a call took beside a middle thread that was to compute for so long, median, microseconds. */
    double call(Object way, long middle) {
        return median(way, middle, 2);
    }

    /** For how long such a middle thread was kept from the CPU, median, microseconds. */
    double kept(Object way, long middle) {
        return median(way, middle, 3);
    }

    /** How often a client in another process ordered the server's to raise it, of a call, without a middle thread. */
    double orders(Object way) {
        return mean(way, 4);
    }

    /** How often such a client lent its priority through the kernel. */
    double loans(Object way) {
        return mean(way, 5);
    }

    private double mean(Object way, int field) {
        return Arrays.stream(values(way, 0, field)).average().orElse(Double.NaN);
    }

    private double median(Object way, long middle, int field) {
        return Statistics.median(values(way, middle, field)) / 1e3;
    }

    private double[] values(Object way, long middle, int field) {
        return outcome.results().stream()
                .filter(fields ->
                        fields.get(0).equals(way.toString()) && fields.get(1).equals(Long.toString(middle)))
                .mapToDouble(fields -> Double.parseDouble(fields.get(field)))
                .toArray();
    }

    /** How many interrupts from other CPUs the server's had in each call beside the middle thread that was counted. */
    double[] interrupts(Object way) {
        return outcome.results().stream()
                .filter(fields -> isCount(fields) && fields.get(0).equals(way.toString()))
                .mapToDouble(fields -> Double.parseDouble(fields.get(2)))
                .toArray();
    }

    private static boolean isCount(List<String> fields) {
        return fields.get(1).equals("interrupts");
    }

    /** Tells what the load complained of, and keeps all calls. */
    InversionOutcome write(Csv csv, boolean agent, int requester, int before) throws IOException {
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        int round = 0;
        for (List<String> fields : outcome.results()) {
            if (isCount(fields)) {
                continue;
            }
            List<Object> row =
                    new ArrayList<>(List.of(agent ? "agent" : "none", fields.get(0), requester, before, round++));
            row.addAll(fields.subList(1, fields.size()));
            csv.row(row.toArray());
        }
        return this;
    }
}
