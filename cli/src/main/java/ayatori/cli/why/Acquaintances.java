package ayatori.cli.why;

import ayatori.cli.KernelPriority;
import ayatori.cli.Roster;
import ayatori.cli.ThreadTable;
import ayatori.cli.why.TraceEvent.Task;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Who the threads of the trace are, asked when they are first met: they may have ended soon after. Not thread-safe. */
final class Acquaintances {
    /** kthreadd: the parent of all threads of the kernel but itself. */
    private static final int KERNEL_PARENT = 2;
    /** By how much the trace's priorities differ from field 18 of stat. */
    private static final int TRACE_OFFSET = 100;

    /** {@link Runner#of} of the watched JVM's own threads. */
    static final String THIS_JVM = "this JVM";

    /** And of those that watch it. */
    static final String THIS_COMMAND = "ayatori why itself";

    /** Priorities of the trace below this are real-time. */
    private static final int REAL_TIME_END = 100;

    private final int pid;
    private final int priority;
    private final Map<Integer, Runner> met = new HashMap<>();
    private final Map<Integer, String> names = new HashMap<>();

    /**
     * Nobody met yet.
     *
     * @param pid the watched JVM
     * @param priority of the watched thread, field 18 of stat
     */
    Acquaintances(int pid, int priority) {
        this.pid = pid;
        this.priority = priority + TRACE_OFFSET;
    }

    /** Names of the JVM's threads by their ids there. */
    void learn(Map<Integer, Roster.Known> threads) {
        threads.forEach((ownId, known) -> names.put(ownId, known.name()));
    }

    /** Empty if the trace did not show who it was. */
    Optional<Runner> of(Task task) {
        return task.equals(Span.NOBODY)
                ? Optional.empty()
                : Optional.of(met.computeIfAbsent(task.tid(), tid -> ask(task)));
    }

    private Runner ask(Task task) {
        boolean lower = priority < REAL_TIME_END && task.priority() > priority;
        String level = KernelPriority.text(task.priority() - TRACE_OFFSET);
        try {
            TaskFiles files = new TaskFiles(task.tid());
            int process = files.processId();
            boolean kernel = task.tid() == KERNEL_PARENT
                    || files.status("PPid").equals(Optional.of(Integer.toString(KERNEL_PARENT)));
            level = ThreadTable.level(LinuxThread.of(task.tid()).get());
            if (kernel) {
                return new Runner(task.tid(), task.name(), OptionalInt.empty(), "the kernel", level, lower);
            }
            boolean own = process == pid;
            String name = own ? names.getOrDefault(Roster.ownId(task.tid()), files.comm()) : files.comm();
            String of = own
                    ? THIS_JVM
                    : process == Sched.getpid() ? THIS_COMMAND : new TaskFiles(process).comm() + " " + process;
            return new Runner(task.tid(), name, OptionalInt.of(process), of, level, lower);
        } catch (IOException | SchedulingException e) {
            return new Runner(task.tid(), task.name(), OptionalInt.empty(), "ended since", level, lower);
        }
    }
}
