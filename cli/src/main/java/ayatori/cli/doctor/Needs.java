package ayatori.cli.doctor;

import ayatori.cli.Band;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import java.util.Optional;

/**
 * What the ladder asks of the kernel at most.
 *
 * @param realTime the highest static priority: the VM Thread's, without which no Java thread is made real-time
 * @param banded if that is the end of a band
 */
record Needs(int realTime, boolean banded) {
    /** The VM Thread's without a band. */
    static final int REAL_TIME = PriorityLadder.Rung.VM_THREAD.realTimeValue();

    /** nice of Java priority 10 under the policy nice. */
    static final int NICE = PriorityLadder.of(PriorityLadder.Policy.NICE)
            .forJavaPriority(PriorityLadder.MAX_JAVA_PRIORITY)
            .map(SchedulingParameters::nice)
            .orElseThrow();

    /** The same as RLIMIT_NICE counts it. */
    static final int NICE_LIMIT = 20 - NICE;

    /** To be real-time at all. */
    static final Needs LEAST = new Needs(SchedulingParameters.MIN_STATIC_PRIORITY, false);

    /** Of a JVM in that band, or without one. */
    static Needs of(Optional<Band> band) {
        return new Needs(band.map(Band::high).orElse(REAL_TIME), band.isPresent());
    }
}
