package ayatori.bench.load;

import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLedger;
import ayatori.sched.SchedulingParameters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The threads that worked in a load, and whether each is where its Java priority belongs. Thread-safe. */
final class ThreadLevels {
    private final Map<Thread, LinuxThread> threads = new ConcurrentHashMap<>();
    private final PriorityLadder ladder;

    /** With the ladder of the agent, or, if there is none, of what has the threads. */
    ThreadLevels(PriorityLadder ladder) {
        this.ladder = ladder;
    }

    /** The calling thread works. */
    void add() {
        threads.computeIfAbsent(Thread.currentThread(), thread -> LinuxThread.current());
    }

    /** How many living ones are elsewhere by the kernel's account, or are owed something; says which. */
    int wrong() {
        int wrong = 0;
        for (Map.Entry<Thread, LinuxThread> entry : threads.entrySet()) {
            if (!entry.getKey().isAlive()) {
                continue;
            }
            LinuxThread thread = entry.getValue();
            SchedulingParameters wanted =
                    ladder.forJavaPriority(entry.getKey().getPriority()).orElseThrow();
            SchedulingParameters actual = thread.get();
            int owed = PriorityLedger.ofThisProcess().rank(thread);
            int effective = thread.effectiveRank();
            if (actual.rank() != wanted.rank() || effective != wanted.rank() || owed != wanted.rank()) {
                System.out.println(thread + ": wanted " + wanted + ", kernel has " + actual + " and runs it at rank "
                        + effective + ", the ledger says " + owed);
                wrong++;
            }
        }
        return wrong;
    }
}
