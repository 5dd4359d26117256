package ayatori.sched;

import ayatori.internal.linux.Sched;
import java.io.Serializable;
import java.time.Duration;

/**
 * What a thread asks of the scheduler: a policy and the numbers that belong to it. Immutable.
 *
 * <p>As text, printed and parsed: {@code OTHER}, {@code OTHER nice 4}, {@code BATCH nice -2}, {@code IDLE}, {@code RR 20},
 * {@code FIFO 3 reset-on-fork}, {@code DEADLINE runtime 2ms deadline 5ms period 10ms}.
 *
 * @param policy the policy
 * @param nice −20 (favoured) to 19, for OTHER, BATCH and EXT; else 0
 * @param staticPriority 1 (low) to 99, for FIFO and RR; else 0
 * @param runtime CPU time for each period, for DEADLINE, at least 1024 ns; else zero
 * @param deadline within what time of a period's start, for DEADLINE, at least the runtime; else zero
 * @param period for DEADLINE, at least the deadline; else zero
 * @param resetOnFork if threads and processes that the thread starts begin as OTHER, with nice 0 where it is negative. A
 *     thread may give itself this flag, and only CAP_SYS_NICE takes it away again
 */
public record SchedulingParameters(
        SchedulingPolicy policy,
        int nice,
        int staticPriority,
        Duration runtime,
        Duration deadline,
        Duration period,
        boolean resetOnFork)
        implements Serializable {

    public static final int MIN_NICE = -20;
    public static final int MAX_NICE = 19;
    public static final int MIN_STATIC_PRIORITY = 1;
    public static final int MAX_STATIC_PRIORITY = 99;

    /** The shortest runtime that the kernel takes: it keeps bandwidth in units of 2^10 ns (DL_SCALE). */
    public static final Duration MIN_RUNTIME = Duration.ofNanos(1024);

    private static final int NICE_RANK = 20;
    private static final int REAL_TIME_RANK = 100;
    private static final int DEADLINE_RANK = 200;

    public SchedulingParameters {
        if (policy.hasNice() && (nice < MIN_NICE || nice > MAX_NICE)) {
            throw new IllegalArgumentException(
                    policy + " nice " + nice + ": nice must be " + MIN_NICE + " to " + MAX_NICE);
        }
        if (!policy.hasNice() && nice != 0) {
            throw new IllegalArgumentException(
                    policy + " nice " + nice + ": nice counts for OTHER, BATCH and EXT only");
        }
        if (policy.isRealTime() && (staticPriority < MIN_STATIC_PRIORITY || staticPriority > MAX_STATIC_PRIORITY)) {
            throw new IllegalArgumentException(policy + " " + staticPriority + ": a static priority must be "
                    + MIN_STATIC_PRIORITY + " to " + MAX_STATIC_PRIORITY);
        }
        if (!policy.isRealTime() && staticPriority != 0) {
            throw new IllegalArgumentException(
                    policy + " " + staticPriority + ": a static priority is for FIFO and RR only");
        }
        if (policy == SchedulingPolicy.DEADLINE) {
            if (runtime.compareTo(MIN_RUNTIME) < 0
                    || deadline.compareTo(runtime) < 0
                    || period.compareTo(deadline) < 0) {
                throw new IllegalArgumentException("DEADLINE runtime " + SchedulingText.print(runtime) + " deadline "
                        + SchedulingText.print(deadline) + " period " + SchedulingText.print(period)
                        + ": must be 1024ns <= runtime <= deadline <= period");
            }
        } else if (!runtime.isZero() || !deadline.isZero() || !period.isZero()) {
            throw new IllegalArgumentException(policy + ": runtime, deadline and period are for DEADLINE only");
        }
    }

    /** SCHED_OTHER with nice −20 (favoured) to 19. */
    public static SchedulingParameters other(int nice) {
        return fair(SchedulingPolicy.OTHER, nice);
    }

    /** SCHED_BATCH with nice −20 (favoured) to 19. */
    public static SchedulingParameters batch(int nice) {
        return fair(SchedulingPolicy.BATCH, nice);
    }

    /** SCHED_IDLE. */
    public static SchedulingParameters idle() {
        return fair(SchedulingPolicy.IDLE, 0);
    }

    /** SCHED_RR with static priority 1 (low) to 99. */
    public static SchedulingParameters roundRobin(int staticPriority) {
        return realTime(SchedulingPolicy.RR, staticPriority);
    }

    /** SCHED_FIFO with static priority 1 (low) to 99. */
    public static SchedulingParameters fifo(int staticPriority) {
        return realTime(SchedulingPolicy.FIFO, staticPriority);
    }

    /**
     * SCHED_DEADLINE. The kernel also wants the period between the sysctls sched_deadline_period_min_us and
     * sched_deadline_period_max_us (0.1 ms and some 4 s), and refuses with EBUSY what the CPUs cannot promise any more.
     */
    public static SchedulingParameters deadline(Duration runtime, Duration deadline, Duration period) {
        return new SchedulingParameters(SchedulingPolicy.DEADLINE, 0, 0, runtime, deadline, period, false);
    }

    /**
     * The parameters of a rank, see {@link #rank}.
     *
     * @param rank 1 to 40 (OTHER) or 101 to 199 (real-time)
     * @param realTime FIFO or RR, for ranks from 101
     */
    public static SchedulingParameters ofRank(int rank, SchedulingPolicy realTime) {
        if (!realTime.isRealTime()) {
            throw new IllegalArgumentException("policy for real-time ranks is " + realTime + ": must be FIFO or RR");
        }
        requireRank(rank);
        return rank > REAL_TIME_RANK ? realTime(realTime, rank - REAL_TIME_RANK) : other(NICE_RANK - rank);
    }

    /** Parses what {@link #toString} prints; upper and lower case are the same. */
    public static SchedulingParameters parse(String text) {
        return SchedulingText.parse(text);
    }

    /**
     * One number that orders levels across policies: IDLE 0; OTHER, BATCH and EXT 20 − nice, that is 1 to 40; FIFO and RR 100 + static
     * priority, that is 101 to 199; DEADLINE 200.
     */
    public int rank() {
        return switch (policy) {
            case IDLE -> 0;
            case OTHER, BATCH, EXT -> NICE_RANK - nice;
            case FIFO, RR -> REAL_TIME_RANK + staticPriority;
            case DEADLINE -> DEADLINE_RANK;
        };
    }

    /** The same with another flag reset-on-fork. */
    public SchedulingParameters withResetOnFork(boolean flag) {
        return flag == resetOnFork
                ? this
                : new SchedulingParameters(policy, nice, staticPriority, runtime, deadline, period, flag);
    }

    @Override
    public String toString() {
        return SchedulingText.print(this);
    }

    static void requireRank(int rank) {
        if (rank < 1 || rank > DEADLINE_RANK - 1 || (rank > NICE_RANK - MIN_NICE && rank <= REAL_TIME_RANK)) {
            throw new IllegalArgumentException(
                    "rank " + rank + ": must be 1 to 40 (20 - nice) or 101 to 199 (100 + static priority)");
        }
    }

    Sched.Attributes toAttributes() {
        return new Sched.Attributes(
                policy.linuxValue(),
                resetOnFork ? Sched.RESET_ON_FORK : 0,
                nice,
                staticPriority,
                runtime.toNanos(),
                deadline.toNanos(),
                period.toNanos());
    }

    static SchedulingParameters of(Sched.Attributes attributes) {
        SchedulingPolicy policy = SchedulingPolicy.ofLinuxValue(attributes.policy());
        boolean deadline = policy == SchedulingPolicy.DEADLINE;
        // Numbers that do not count under the policy are left over from another: nice under IDLE, the slice of
        // OTHER (in the field `runtime`, since Linux 6.12).
        return new SchedulingParameters(
                policy,
                policy.hasNice() ? attributes.nice() : 0,
                policy.isRealTime() ? attributes.priority() : 0,
                deadline ? Duration.ofNanos(attributes.runtime()) : Duration.ZERO,
                deadline ? Duration.ofNanos(attributes.deadline()) : Duration.ZERO,
                deadline ? Duration.ofNanos(attributes.period()) : Duration.ZERO,
                (attributes.flags() & Sched.RESET_ON_FORK) != 0);
    }

    private static SchedulingParameters fair(SchedulingPolicy policy, int nice) {
        return new SchedulingParameters(policy, nice, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, false);
    }

    private static SchedulingParameters realTime(SchedulingPolicy policy, int staticPriority) {
        return new SchedulingParameters(policy, 0, staticPriority, Duration.ZERO, Duration.ZERO, Duration.ZERO, false);
    }
}
