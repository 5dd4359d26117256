package ayatori.cli.demo;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * What all runs of one demo share.
 *
 * @param java the JVM that counts
 * @param target the count at which a thread ends
 * @param agent libayatori.so
 * @param load the jar with the counting program
 * @param privilege what the kernel lets us do
 * @param allowed the CPUs that we may use
 */
record Experiment(TargetJvm java, int target, Path agent, Path load, Privilege privilege, BitSet allowed) {
    /** The paper's T1 to T4. */
    static final List<Integer> PRIORITIES = List.of(1, 3, 7, 9);

    /** The paper's count. */
    static final int PAPER_TARGET = 70_000_000;

    static final int THREADS = PRIORITIES.size();

    static String threadName(int thread) {
        return "T" + (thread + 1);
    }

    /** The CPUs that the counting JVM gets: the last ones, since most hosts take their interrupts on the first. */
    BitSet countingCpus(int cpus) {
        BitSet chosen = new BitSet();
        int cpu = allowed.length();
        while (chosen.cardinality() < cpus) {
            cpu = allowed.previousSetBit(cpu - 1);
            chosen.set(cpu);
        }
        return chosen;
    }

    /** The CPUs that are left for watching; all where none is left. */
    BitSet watchingCpus(int cpus) {
        BitSet rest = (BitSet) allowed.clone();
        rest.andNot(countingCpus(cpus));
        return rest.isEmpty() ? allowed : rest;
    }
}
