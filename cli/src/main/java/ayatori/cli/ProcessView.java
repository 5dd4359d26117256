package ayatori.cli;

import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One look at a JVM, or at the real-time threads of a native program.
 *
 * @param heading what it is: its process id, its program's name and its command line
 * @param summary see {@link Roster.Reading}
 * @param rows its threads in ladder order
 */
public record ProcessView(int pid, String heading, String summary, List<ThreadRow> rows) {
    /** By the highest thread of each. */
    static final Comparator<ProcessView> HIGHEST_FIRST = Comparator.comparing(
                    (ProcessView view) -> view.rows.getFirst(), ThreadRow.LADDER_ORDER)
            .thenComparingInt(ProcessView::pid);

    /** The ledger and the kernel are read one after the other: what changed between them is looked at again. */
    private static final int LOOKS = 3;

    /**
     * Looks at a JVM.
     *
     * @throws IOException if the process has ended
     */
    public static ProcessView of(JvmProcess process) throws IOException {
        String heading = "JVM " + named(process.pid()) + ": " + process.commandLine();
        try (Roster roster = Roster.open(process)) {
            for (int look = 1; ; look++) {
                Roster.Reading said = roster.read();
                Naming naming = tid -> {
                    Roster.Known known = said.threads().get(Roster.ownId(tid));
                    return known == null ? Roster.Known.byKernel(tid) : known;
                };
                List<ThreadRow> rows = rows(process.pid(), TaskFiles.tids(process.pid()), naming);
                if (look == LOOKS || rows.stream().noneMatch(ThreadRow::unsettled)) {
                    return new ProcessView(process.pid(), heading, said.summary(), rows);
                }
            }
        }
    }

    /**
     * Looks at a native program.
     *
     * @throws IOException if the process has ended, or has no real-time threads any more
     */
    public static ProcessView of(NativeProgram program) throws IOException {
        String heading = "native program " + named(program.pid()) + ": " + program.commandLine();
        Naming naming = tid -> Roster.Known.byKernel(tid).ofNativeProgram();
        List<ThreadRow> rows = rows(program.pid(), program.realTimeThreads(), naming);
        return new ProcessView(program.pid(), heading, "its real-time threads", rows);
    }

    /** Where a thread's name comes from. */
    @FunctionalInterface
    private interface Naming {
        Roster.Known of(int tid) throws IOException;
    }

    private static String named(int pid) {
        return pid + ProgramName.of(pid).map(name -> " (" + name + ")").orElse("");
    }

    private static List<ThreadRow> rows(int pid, List<Integer> tids, Naming naming) throws IOException {
        List<ThreadRow> rows = new ArrayList<>();
        for (int tid : tids) {
            try {
                LinuxThread thread = LinuxThread.of(tid);
                rows.add(ThreadRow.of(
                        tid,
                        naming.of(tid),
                        thread.get(),
                        thread.effectivePriority(),
                        new TaskFiles(tid).lastCpu(),
                        thread.statistics()));
            } catch (IOException | SchedulingException e) {
                continue; // the thread has ended meanwhile
            }
        }
        if (rows.isEmpty()) {
            throw new NoSuchFileException("/proc/" + pid);
        }
        rows.sort(ThreadRow.LADDER_ORDER);
        return rows;
    }
}
