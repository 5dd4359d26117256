package ayatori.bench;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of one turn of {@code papers/004-thread-aggregation/turn}: VMs that do the same work at once.
 *
 * @param elapsed of each VM from the common start, seconds
 * @param work that each VM did a second while all were at it; empty where VMs do not tell
 * @param cpu seconds that all VMs ran
 * @param median how late the probe woke, microseconds; so is {@code late}, the 99th percentile; NaN: there was none
 * @param switches to threads of processes, a second; {@code spaces} of these to another address space
 */
record AggregationTurn(
        String way,
        List<Double> elapsed,
        List<Double> work,
        double cpu,
        double median,
        double late,
        double switches,
        double spaces) {

    /** Of the output of several: {@code turn WAY}, its records, {@code code N}. One that could not be made is left out. */
    static List<AggregationTurn> read(List<String> lines) {
        List<AggregationTurn> turns = new ArrayList<>();
        Records records = new Records("");
        for (String line : lines) {
            String[] fields = line.split(" ", -1);
            switch (fields[0]) {
                case "turn" -> records = new Records(fields[1]);
                case "vm", "progress", "probe", "switches" -> records.add(fields);
                case "code" ->
                    (fields[1].equals("0") ? records.turn() : Optional.<AggregationTurn>empty()).ifPresent(turns::add);
                default -> {} // what a VM or the kernel says
            }
        }
        return turns;
    }

    /** Those of one turn. */
    private static final class Records {
        private final String way;
        private final List<Double> elapsed = new ArrayList<>();
        /** By the VM's number: work done until when, nanoseconds. */
        private final Map<String, NavigableMap<Long, Long>> progress = new TreeMap<>();

        private double cpu;
        private double[] probe = {Double.NaN, Double.NaN};
        private double[] rates = {};

        Records(String way) {
            this.way = way;
        }

        void add(String[] fields) {
            switch (fields[0]) {
                case "vm" -> {
                    elapsed.add(number(fields[2]) / 1e9);
                    cpu += number(fields[3]) / 1e9;
                }
                case "progress" ->
                    progress.computeIfAbsent(fields[1], any -> new TreeMap<>())
                            .put(Long.parseLong(fields[2]), Long.parseLong(fields[3]));
                case "probe" -> probe = new double[] {number(fields[2]) / 1e3, number(fields[3]) / 1e3};
                default -> {
                    double seconds = number(fields[3]) / 1e9;
                    rates = new double[] {number(fields[1]) / seconds, number(fields[2]) / seconds};
                }
            }
        }

        /** Of each VM, from when the last one began to when the first one was done. */
        private List<Double> work() {
            var begun =
                    progress.values().stream().mapToLong(NavigableMap::firstKey).max();
            var done =
                    progress.values().stream().mapToLong(NavigableMap::lastKey).min();
            if (begun.isEmpty() || begun.getAsLong() >= done.getAsLong()) {
                return List.of();
            }
            double seconds = (done.getAsLong() - begun.getAsLong()) / 1e9;
            return progress.values().stream()
                    .map(of -> (doneUntil(of, done.getAsLong()) - doneUntil(of, begun.getAsLong())) / seconds)
                    .toList();
        }

        /** Between two moments in proportion to the time. */
        private static double doneUntil(NavigableMap<Long, Long> progress, long moment) {
            var before = progress.floorEntry(moment);
            var after = progress.ceilingEntry(moment);
            long between = after.getKey() - before.getKey();
            double part = between == 0 ? 0 : (double) (moment - before.getKey()) / between;
            return before.getValue() + part * (after.getValue() - before.getValue());
        }

        private static double number(String field) {
            return Double.parseDouble(field);
        }

        Optional<AggregationTurn> turn() {
            return elapsed.isEmpty() || rates.length == 0
                    ? Optional.empty()
                    : Optional.of(new AggregationTurn(
                            way, List.copyOf(elapsed), work(), cpu, probe[0], probe[1], rates[0], rates[1]));
        }
    }

    private DoubleSummaryStatistics all() {
        return summary(elapsed);
    }

    private static DoubleSummaryStatistics summary(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
    }

    /** Over the VMs: what the paper's table 2 has. */
    double meanElapsed() {
        return all().getAverage();
    }

    /** When the last VM was done. */
    double lastElapsed() {
        return all().getMax();
    }

    /** When each VM was done, with spaces between: a field of a CSV. */
    String eachElapsed() {
        return elapsed.stream()
                .map(seconds -> String.format(Locale.ROOT, "%.3f", seconds))
                .collect(Collectors.joining(" "));
    }

    /** How much later than the mean the last one was done, as a part of the mean. */
    double behind() {
        return lastElapsed() / meanElapsed() - 1;
    }

    /** That all VMs did together a second, while all were at it. */
    double allWork() {
        return work.isEmpty() ? Double.NaN : summary(work).getSum();
    }

    /** How much less than the mean the slowest one did meanwhile, as a part of the mean. */
    double slowest() {
        return work.isEmpty()
                ? Double.NaN
                : 1 - summary(work).getMin() / summary(work).getAverage();
    }
}
