package ayatori.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What it costs more to raise a server for an urgent call, after a low one for which it has gone down: in time, and in system
 * calls of both calls together. One of the two is asked.
 */
final class RaiseCost {
    private static final double MICROS = 1.5;
    private static final double CALLS_UP_AND_DOWN = 2;
    /** Such as a poll of the JVM's: by chance more with a protocol or without. */
    private static final double UNRELATED_CALLS = 0.1;
    /** So many more may be in vain by chance: a wake that nobody needs would be one of each call. */
    private static final double IN_VAIN = 0.5;
    /** What strace holds up differs from one start of the JVM to the next, by a quarter of a call. */
    private static final int STARTS = 3;

    private final Bench bench;
    private final SystemCallCount.Traced without;
    /** System calls without a protocol, in each start; counted once for all that is compared with them. */
    private final List<Map<String, Double>> callsWithout = new ArrayList<>();

    /**
     * Against no protocol.
     *
     * @param without a low call and an urgent one
     */
    RaiseCost(Bench bench, SystemCallCount.Traced without) {
        this.bench = bench;
        this.without = without;
    }

    /**
     * Tells of both.
     *
     * @param micros what the urgent call took more
     * @param raising a low call and an urgent one with a protocol
     */
    boolean held(double micros, SystemCallCount.Traced raising) throws IOException, InterruptedException {
        if (bench.shortened() || !SystemCallCount.isPossible()) {
            boolean held = micros <= MICROS;
            Bench.say(
                    "    asked: <= %.1f µs %s, or one system call, which are not counted%s",
                    MICROS,
                    Bench.held(held),
                    bench.shortened() ? " in a smoke test" : " without strace (apt-get install strace)");
            return held;
        }
        double[] inEachStart = new double[STARTS];
        double[] inVain = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            if (callsWithout.size() == i) {
                callsWithout.add(SystemCallCount.of(without));
            }
            Map<String, Double> none = callsWithout.get(i);
            Map<String, Double> calls = SystemCallCount.of(raising);
            inEachStart[i] = SystemCallCount.sum(calls) - SystemCallCount.sum(none);
            inVain[i] = SystemCallCount.inVain(calls) - SystemCallCount.inVain(none);
            Bench.say(
                    "    system calls of a low and an urgent call together: %.2f (%s), without a protocol %.2f (%s)",
                    SystemCallCount.sum(calls),
                    SystemCallCount.text(calls),
                    SystemCallCount.sum(none),
                    SystemCallCount.text(none));
        }
        double more = Statistics.median(inEachStart);
        double moreInVain = Statistics.median(inVain);
        boolean held = micros <= MICROS || (more <= CALLS_UP_AND_DOWN + UNRELATED_CALLS && moreInVain <= IN_VAIN);
        Bench.say(
                "    asked: <= %.1f µs more, or one system call each: %.1f µs, %.2f calls for both, %.2f in vain (medians) %s",
                MICROS, micros, more, moreInVain, Bench.held(held));
        return held;
    }
}
