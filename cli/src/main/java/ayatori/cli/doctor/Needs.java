package ayatori.cli.doctor;

import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;

/** What the ladder asks of the kernel at most. */
final class Needs {
    /** The static priority of the VM Thread: without it no Java thread is made real-time. */
    static final int REAL_TIME = PriorityLadder.Rung.VM_THREAD.realTimeValue();

    /** nice of Java priority 10 under the policy nice. */
    static final int NICE = PriorityLadder.of(PriorityLadder.Policy.NICE)
            .forJavaPriority(PriorityLadder.MAX_JAVA_PRIORITY)
            .map(SchedulingParameters::nice)
            .orElseThrow();

    /** The same as RLIMIT_NICE counts it. */
    static final int NICE_LIMIT = 20 - NICE;

    private Needs() {}
}
