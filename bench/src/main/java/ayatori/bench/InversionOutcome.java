package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.List;

/** What came of the loads CallInversion and ProcessInversion, which tell of each call the same. */
record InversionOutcome(Load.Outcome outcome) {
    /** Of the file that {@link #write} writes to; what stands for a way names its column. */
    static String columns(String way) {
        return "rights," + way + ",requester,before,round,middle_ns,call_ns,middle_kept_ns";
    }

    /** What a call took beside a middle thread that was to compute for so long, median, microseconds. */
    double call(Object way, long middle) {
        return median(way, middle, 2);
    }

    /** For how long such a middle thread was kept from the CPU, median, microseconds. */
    double kept(Object way, long middle) {
        return median(way, middle, 3);
    }

    private double median(Object way, long middle, int field) {
        return Statistics.median(outcome.results().stream()
                        .filter(fields -> fields.get(0).equals(way.toString())
                                && fields.get(1).equals(Long.toString(middle)))
                        .mapToDouble(fields -> Double.parseDouble(fields.get(field)))
                        .toArray())
                / 1e3;
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
            csv.row(
                    agent ? "agent" : "none",
                    fields.get(0),
                    requester,
                    before,
                    round++,
                    fields.get(1),
                    fields.get(2),
                    fields.get(3));
        }
        return this;
    }
}
