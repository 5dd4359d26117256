package ayatori.sched;

import java.util.Optional;

/**
 * Where Java's priorities 1 to 10, and the threads of the virtual machine itself, stand on the priorities of Linux. The Java
 * twin of {@code native/include/priority_ladder.h}, which gives the reasons for each number; PriorityLadderTwinTest holds
 * the two together. Immutable.
 */
public final class PriorityLadder {
    public static final int MIN_JAVA_PRIORITY = 1;
    public static final int NORM_JAVA_PRIORITY = 5;
    public static final int MAX_JAVA_PRIORITY = 10;

    /** Real-time value of Java priority p: p times this. */
    public static final int RT_STEP = 2;

    /** Nothing is placed above this real-time value without the user's word. */
    public static final int RT_CAP = 29;

    /** nice of Java priorities 1 to 10. */
    private static final int[] NICE = {4, 3, 2, 1, 0, -1, -2, -3, -4, -5};

    /** What Java priorities mean to the kernel. */
    public enum Policy {
        /** Nothing: each thread keeps what it was born with. */
        NONE,
        /** nice, whatever the priority. */
        NICE,
        /** A real-time policy for every priority. */
        STATIC,
        /** nice up to {@link #NORM_JAVA_PRIORITY}, a real-time policy above. */
        MIXED
    }

    /** Which real-time values Java priorities have. */
    public enum Values {
        /** Two apart, so that there is room between two neighbours for a thread that inherits. */
        LADDER,
        /** The Java priority itself, as in the paper; no room between neighbours. */
        PAPER
    }

    /** The virtual machine's own threads, from the lowest: all above Java priority 10. */
    public enum Rung {
        /** Compiler threads. */
        COMPILER(21),
        /** Collector threads that work beside the program. */
        CONCURRENT_GC(22),
        /** A Java thread on its way to a safepoint that is awaited. */
        LAGGARD(23),
        /** Collector threads for which the program stands still. */
        GC_WORKER(24),
        /** The thread that begins and ends safepoints. */
        VM_THREAD(25);

        private final int realTimeValue;

        Rung(int realTimeValue) {
            this.realTimeValue = realTimeValue;
        }

        /** The real-time value of the rung. */
        public int realTimeValue() {
            return realTimeValue;
        }
    }

    private final Policy policy;
    private final SchedulingPolicy realTime;
    private final Values values;
    private final int launchNice;

    private PriorityLadder(Policy policy, SchedulingPolicy realTime, Values values, int launchNice) {
        this.policy = policy;
        this.realTime = realTime;
        this.values = values;
        this.launchNice = launchNice;
    }

    /** The ladder of a policy, with RR and the ladder's own values. */
    public static PriorityLadder of(Policy policy) {
        return new PriorityLadder(policy, SchedulingPolicy.RR, Values.LADDER, 0);
    }

    /** The same with FIFO in place of RR, or RR again. */
    public PriorityLadder withRealTime(SchedulingPolicy fifoOrRoundRobin) {
        if (!fifoOrRoundRobin.isRealTime()) {
            throw new IllegalArgumentException(
                    "real-time policy of a ladder is " + fifoOrRoundRobin + ": must be FIFO or RR");
        }
        return new PriorityLadder(policy, fifoOrRoundRobin, values, launchNice);
    }

    /** The same with other real-time values. */
    public PriorityLadder withValues(Values newValues) {
        return new PriorityLadder(policy, realTime, newValues, launchNice);
    }

    /**
     * The same for a virtual machine that was started with a nice of its own: those of the ladder are added to it, so that
     * {@code nice -n 10} keeps the whole program below others.
     */
    public PriorityLadder withLaunchNice(int nice) {
        return new PriorityLadder(policy, realTime, values, nice);
    }

    /** What Java priorities mean to the kernel. */
    public Policy policy() {
        return policy;
    }

    /**
     * What a thread of this Java priority asks of the scheduler. Real-time ones reset on fork, so that processes which they
     * start are not real-time.
     *
     * @param javaPriority 1 to 10
     * @return empty under {@link Policy#NONE}: the thread is left alone
     */
    public Optional<SchedulingParameters> forJavaPriority(int javaPriority) {
        requireJavaPriority(javaPriority);
        if (policy == Policy.NONE) {
            return Optional.empty();
        }
        if (!isRealTime(javaPriority)) {
            int nice = launchNice + NICE[javaPriority - MIN_JAVA_PRIORITY];
            return Optional.of(SchedulingParameters.other(
                    Math.clamp(nice, SchedulingParameters.MIN_NICE, SchedulingParameters.MAX_NICE)));
        }
        return Optional.of(realTime(values == Values.PAPER ? javaPriority : javaPriority * RT_STEP));
    }

    /**
     * What a thread is raised to because one of this Java priority waits for it: just below that one where there is room,
     * so that the two do not take turns when the wait is over.
     *
     * @param javaPriority of the one that waits, 1 to 10
     * @return empty under {@link Policy#NONE}
     */
    public Optional<SchedulingParameters> inheritedFrom(int javaPriority) {
        Optional<SchedulingParameters> level = forJavaPriority(javaPriority);
        return isRealTime(javaPriority) && values == Values.LADDER
                ? level.map(own -> realTime(own.staticPriority() - 1))
                : level;
    }

    /**
     * Where a thread of the virtual machine stands. It does not reset on fork: threads that it starts are of its kind and
     * stand where it stands.
     *
     * @return empty where no Java thread is real-time: the virtual machine's threads are left alone
     */
    public Optional<SchedulingParameters> forRung(Rung rung) {
        return policy == Policy.STATIC || policy == Policy.MIXED
                ? Optional.of(realTime(rung.realTimeValue).withResetOnFork(rung == Rung.LAGGARD))
                : Optional.empty();
    }

    private boolean isRealTime(int javaPriority) {
        return policy == Policy.STATIC || (policy == Policy.MIXED && javaPriority > NORM_JAVA_PRIORITY);
    }

    private SchedulingParameters realTime(int value) {
        SchedulingParameters parameters = realTime == SchedulingPolicy.FIFO
                ? SchedulingParameters.fifo(value)
                : SchedulingParameters.roundRobin(value);
        return parameters.withResetOnFork(true);
    }

    private static void requireJavaPriority(int javaPriority) {
        if (javaPriority < MIN_JAVA_PRIORITY || javaPriority > MAX_JAVA_PRIORITY) {
            throw new IllegalArgumentException(
                    "Java priority " + javaPriority + ": must be " + MIN_JAVA_PRIORITY + " to " + MAX_JAVA_PRIORITY);
        }
    }
}
