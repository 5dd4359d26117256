package ayatori.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** All runs of a demo, put together by configuration and number of CPUs. */
final class Summary {
    /** No lower thread may count more than this share of its target while a higher one can run. */
    static final double LOWER_PROGRESS_LIMIT = 0.01;

    private final List<RunRecord> runs;
    private final List<Unended> unended;

    Summary(List<RunRecord> runs, List<Unended> unended) {
        this.runs = List.copyOf(runs);
        this.unended = List.copyOf(unended);
    }

    /** The runs that are in no line, because they had to be stopped. */
    List<Unended> unended() {
        return unended;
    }

    /**
     * One line of the table; each figure is the median over the rounds, but for lowerProgress, the largest.
     *
     * @param ratio time until all ended against stock policy 0, the median of the rounds' own ratios; less what
     *     throttling and other processes took, on both sides; empty if stock ran in none of its rounds
     * @param shown the run whose time until all ended is the median: the one that is plotted
     */
    record Line(
            Configuration configuration,
            int cpus,
            String order,
            boolean inPriorityOrder,
            List<Double> lowerProgress,
            double allEnded,
            double throttled,
            double elsewhere,
            OptionalDouble ratio,
            RunRecord shown) {

        double largestLowerProgress() {
            return Figures.largest(lowerProgress);
        }

        /** From the highest thread that has any above it down to T1: "0.00 0.00 59.1 %". */
        String lowerShares() {
            List<String> shares = new ArrayList<>();
            for (int thread = lowerProgress.size() - 2; thread >= 0; thread--) {
                double share = lowerProgress.get(thread);
                shares.add(Double.isNaN(share) ? "-" : TerminalView.percent(share));
            }
            return String.join(" ", shares);
        }

        boolean held() {
            return inPriorityOrder && largestLowerProgress() <= LOWER_PROGRESS_LIMIT;
        }
    }

    /** One line per configuration that ran on so many CPUs, in the order of {@link Configuration#ALL}. */
    List<Line> lines(int cpus) {
        List<Line> lines = new ArrayList<>();
        for (Configuration configuration : Configuration.ALL) {
            List<RunRecord> same = of(configuration, cpus);
            if (!same.isEmpty()) {
                lines.add(line(configuration, cpus, same));
            }
        }
        return lines;
    }

    private Line line(Configuration configuration, int cpus, List<RunRecord> same) {
        List<Figures> figures = same.stream().map(Figures::of).toList();
        List<String> orders = figures.stream().map(Figures::order).distinct().toList();
        double allEnded = median(figures, Figures::allEnded);
        RunRecord shown = same.stream()
                .min((a, b) -> Double.compare(
                        Math.abs(Figures.of(a).allEnded() - allEnded),
                        Math.abs(Figures.of(b).allEnded() - allEnded)))
                .orElseThrow();
        return new Line(
                configuration,
                cpus,
                orders.size() == 1 ? orders.getFirst() : "varies",
                figures.stream().allMatch(each -> each.inPriorityOrder(cpus)),
                IntStream.range(0, Experiment.THREADS)
                        .mapToObj(thread -> figures.stream()
                                .mapToDouble(each -> each.lowerProgress().get(thread))
                                .max()
                                .orElseThrow())
                        .toList(),
                allEnded,
                median(figures, Figures::throttled),
                median(figures, Figures::elsewhere),
                ratio(same, of(Configuration.STOCK, cpus)),
                shown);
    }

    private static OptionalDouble ratio(List<RunRecord> same, List<RunRecord> stock) {
        double[] ratios = same.stream()
                .flatMapToDouble(run -> stock.stream()
                        .filter(other -> other.round() == run.round())
                        .mapToDouble(other -> net(run) / net(other)))
                .toArray();
        return ratios.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(ratios));
    }

    private static double net(RunRecord run) {
        return Figures.of(run).net(run.cpus());
    }

    private List<RunRecord> of(Configuration configuration, int cpus) {
        return runs.stream()
                .filter(run -> run.cpus() == cpus && run.configuration().equals(configuration))
                .toList();
    }

    private static double median(List<Figures> figures, ToDoubleFunction<Figures> figure) {
        return median(figures.stream().mapToDouble(figure).toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The table as users see it; a thread counts early while so many higher ones count that each CPU could have one. */
    List<String> table(int cpus) {
        String format = "%-9s %-11s %22s %9s %9s %6s %7s";
        List<String> text = new ArrayList<>();
        text.add(String.format(
                format,
                "on " + TerminalView.cpus(cpus),
                "ends",
                "counted early by",
                "all ended",
                "throttled",
                "others",
                "against"));
        text.add(String.format(format, "", "", "T3, T2, T1", "after", "", "took", "stock"));
        for (Line line : lines(cpus)) {
            text.add(String.format(
                    format,
                    line.configuration().key(),
                    line.order(),
                    line.lowerShares(),
                    TerminalView.seconds((long) line.allEnded()),
                    TerminalView.seconds((long) line.throttled()),
                    TerminalView.seconds((long) line.elsewhere()),
                    line.ratio().isPresent()
                            ? String.format(Locale.ROOT, "%.2f", line.ratio().getAsDouble())
                            : "-"));
        }
        return text;
    }

    /** Whether what the paper claims held under static, a line per number of CPUs; empty if static never ended. */
    List<String> verdicts() {
        List<String> verdicts = new ArrayList<>();
        for (int cpus : List.of(1, 2)) {
            for (Line line : lines(cpus)) {
                if (line.configuration().equals(Configuration.STATIC)) {
                    verdicts.add(verdict(line));
                }
            }
        }
        return verdicts;
    }

    private static String verdict(Line line) {
        String order = line.cpus() == 1 ? "strictly in priority order" : "two by two in priority order";
        return (line.held() ? "holds: " : "DOES NOT HOLD: ") + "under static on " + TerminalView.cpus(line.cpus())
                + " the threads end " + (line.inPriorityOrder() ? order : "out of order (" + line.order() + ")")
                + ", and no lower thread counts more than " + TerminalView.percent(line.largestLowerProgress())
                + (line.cpus() == 1 ? " while a higher one can run" : " while two higher ones can run");
    }

    /** Whether static held wherever it ran. */
    boolean held() {
        return unended.stream().noneMatch(each -> each.configuration().equals(Configuration.STATIC))
                && IntStream.of(1, 2)
                        .boxed()
                        .flatMap(cpus -> lines(cpus).stream())
                        .filter(line -> line.configuration().equals(Configuration.STATIC))
                        .allMatch(Line::held);
    }
}
