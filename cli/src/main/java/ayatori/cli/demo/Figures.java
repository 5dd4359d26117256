package ayatori.cli.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a run says about priorities.
 *
 * @param endOrder threads as they ended, 0 for T1
 * @param lowerProgress for T1 to T4 the share of its target, 0 to 1, that the thread counted while so many higher ones
 *     were still counting that every CPU could have had one of them; NaN where there are not so many higher ones
 * @param allEnded nanoseconds from the opened gate to the last end
 * @param throttled nanoseconds of CPU that real-time threads of the JVM could have used and none of them got: what the
 *     kernel's real-time throttling takes, and an upper bound of it, since interrupts and a hypervisor count too
 * @param elsewhere nanoseconds of CPU that ordinary threads could have used and no thread of the JVM got: what other
 *     processes took
 */
record Figures(List<Integer> endOrder, List<Double> lowerProgress, long allEnded, long throttled, long elsewhere) {

    static Figures of(RunRecord run) {
        List<RunRecord.Counted> threads = run.threads();
        List<Integer> order = IntStream.range(0, threads.size())
                .boxed()
                .sorted(Comparator.comparingLong(thread -> threads.get(thread).ended()))
                .toList();
        long allEnded = threads.get(order.getLast()).ended() - run.opened();

        long countingCpu = threads.stream().mapToLong(RunRecord.Counted::cpu).sum();
        List<RunRecord.Counted> realTime =
                threads.stream().filter(RunRecord.Counted::realTime).toList();
        long realTimeCpu = realTime.stream().mapToLong(RunRecord.Counted::cpu).sum() + run.jvmRealTimeCpu();
        long throttled = realTime.isEmpty() ? 0 : Math.max(0, usable(run, realTime) - realTimeCpu);
        long unused = usable(run, threads) - countingCpu - run.jvmCpu();
        return new Figures(order, lowerProgress(run), allEnded, throttled, Math.max(0, unused - throttled));
    }

    /** CPU time that threads could have used between gate and last end, if nobody else had wanted a CPU. */
    private static long usable(RunRecord run, List<RunRecord.Counted> threads) {
        long[] ends =
                threads.stream().mapToLong(RunRecord.Counted::ended).sorted().toArray();
        long sum = 0;
        long from = run.opened();
        for (int ended = 0; ended < ends.length; ended++) {
            sum += (ends[ended] - from) * Math.min(run.cpus(), ends.length - ended);
            from = ends[ended];
        }
        return sum;
    }

    private static List<Double> lowerProgress(RunRecord run) {
        List<RunRecord.Counted> threads = run.threads();
        List<Double> shares = new ArrayList<>();
        for (int lower = 0; lower < threads.size(); lower++) {
            List<RunRecord.Counted> higher = threads.subList(lower + 1, threads.size()).stream()
                    .sorted(Comparator.comparingLong(RunRecord.Counted::ended))
                    .toList();
            if (higher.size() < run.cpus()) {
                shares.add(Double.NaN);
            } else {
                // Once this one has ended there is a CPU for the lower thread.
                RunRecord.Counted last = higher.get(higher.size() - run.cpus());
                shares.add((double) last.others().get(lower) / run.target());
            }
        }
        return shares;
    }

    double largestLowerProgress() {
        return largest(lowerProgress);
    }

    /** The largest of the shares, 0 if there is none. */
    static double largest(List<Double> shares) {
        return shares.stream()
                .filter(share -> !share.isNaN())
                .mapToDouble(share -> share)
                .max()
                .orElse(0);
    }

    /**
     * Whether no thread ended before its turn: on one CPU, strictly from the highest priority to the lowest. On more,
     * neighbours count side by side and either may arrive first, but of the threads above one that ends all have ended
     * except as many as the other CPUs hold.
     */
    boolean inPriorityOrder(int cpus) {
        for (int at = 0; at < endOrder.size(); at++) {
            int thread = endOrder.get(at);
            long higherEnded = endOrder.subList(0, at).stream()
                    .filter(other -> other > thread)
                    .count();
            int higher = endOrder.size() - 1 - thread;
            if (higherEnded < higher - (cpus - 1)) {
                return false;
            }
        }
        return true;
    }

    /** Nanoseconds from gate to last end less what was taken from the JVM, shared out over its CPUs. */
    double net(int cpus) {
        return allEnded - (double) (throttled + elsewhere) / cpus;
    }

    /** "T4 T3 T2 T1". */
    String order() {
        return String.join(" ", endOrder.stream().map(Experiment::threadName).toList());
    }
}
