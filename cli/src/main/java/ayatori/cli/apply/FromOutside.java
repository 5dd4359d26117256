package ayatori.cli.apply;

import ayatori.cli.JvmProcess;
import ayatori.cli.ProcessView;
import ayatori.cli.ThreadRow;
import ayatori.cli.UserMistake;
import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLadder.Rung;
import ayatori.sched.SchedulingException;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Places the threads of a JVM that takes no agent: those that it has at the moment, by names and priorities from a thread
 * dump. Nothing follows what the program does afterwards.
 */
final class FromOutside {
    /** They speak for the JVM while its Java threads have the CPUs. */
    private static final Set<String> SPEAKERS = Set.of("Signal Dispatcher", "Attach Listener");

    private FromOutside() {}

    private record Placing(LinuxThread thread, SchedulingParameters level) {}

    /**
     * Places them: the JVM's own first, since no Java thread may be real-time before they stand above it.
     *
     * @return how many threads
     * @throws IOException if the process has ended
     */
    static int place(JvmProcess process, PriorityLadder ladder) throws IOException {
        List<Placing> own = new ArrayList<>();
        List<Placing> java = new ArrayList<>();
        for (ThreadRow row : ProcessView.of(process).rows()) {
            if (row.tid() == process.pid()) {
                continue; // it only waits for the others, and tells how the JVM was launched
            }
            Optional<SchedulingParameters> level = level(row, ladder);
            List<Placing> group = row.kind().isJvmsOwn() ? own : java;
            level.ifPresent(wanted -> group.add(new Placing(LinuxThread.of(row.tid()), wanted)));
        }
        if (java.isEmpty()) {
            throw new UserMistake("process " + process.pid() + " does not tell its Java threads");
        }
        return set(own) + set(java);
    }

    private static Optional<SchedulingParameters> level(ThreadRow row, PriorityLadder ladder) {
        return switch (row.kind()) {
            case VM_THREAD -> rung(ladder, Rung.VM_THREAD);
            case GC_WORKER -> rung(ladder, Rung.GC_WORKER);
            case CONCURRENT_GC -> rung(ladder, Rung.CONCURRENT_GC);
            case COMPILER -> rung(ladder, Rung.COMPILER);
            case NATIVE -> Optional.empty();
            case JVM_OTHER -> rung(ladder, Rung.LAGGARD);
            case JAVA, CARRIER -> ladder.forJavaPriority(row.javaPriority());
            case JAVA_SYSTEM ->
                SPEAKERS.contains(row.name())
                        ? ladder.forRung(Rung.LAGGARD)
                        : ladder.forJavaPriority(
                                ladder.policy() == PriorityLadder.Policy.MIXED
                                        ? Math.min(row.javaPriority(), PriorityLadder.NORM_JAVA_PRIORITY)
                                        : row.javaPriority());
        };
    }

    /** HotSpot's own threads make threads of their kind, which are to stand where they stand. */
    private static Optional<SchedulingParameters> rung(PriorityLadder ladder, Rung rung) {
        return ladder.forRung(rung).map(level -> level.withResetOnFork(false));
    }

    private static int set(List<Placing> placings) {
        int count = 0;
        for (Placing placing : placings) {
            try {
                placing.thread.set(placing.level);
                count++;
            } catch (SchedulingException e) {
                if (placing.thread.isAlive()) {
                    throw new UserMistake(String.valueOf(e.getMessage()));
                }
            }
        }
        return count;
    }

    /**
     * Puts all threads to where the JVM's first one is, which nobody has placed: Java threads first.
     *
     * @return how many were elsewhere
     * @throws IOException if the process has ended
     */
    static int restore(JvmProcess process) throws IOException {
        SchedulingParameters launch = LinuxThread.of(process.pid()).get();
        List<Placing> java = new ArrayList<>();
        List<Placing> own = new ArrayList<>();
        for (ThreadRow row : ProcessView.of(process).rows()) {
            if (row.actual().rank() != launch.rank() || row.actual().policy() != launch.policy()) {
                (row.kind().isJvmsOwn() ? own : java).add(new Placing(LinuxThread.of(row.tid()), launch));
            }
        }
        return set(java) + set(own);
    }
}
