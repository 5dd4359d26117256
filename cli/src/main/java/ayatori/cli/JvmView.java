package ayatori.cli;

import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One look at a JVM.
 *
 * @param summary see {@link Roster.Reading}
 * @param rows its threads in ladder order
 */
public record JvmView(JvmProcess process, String summary, List<ThreadRow> rows) {
    /** The ledger and the kernel are read one after the other: what changed between them is looked at again. */
    private static final int LOOKS = 3;

    /**
     * Looks.
     *
     * @throws IOException if the process has ended
     */
    public static JvmView of(JvmProcess process) throws IOException {
        try (Roster roster = Roster.open(process)) {
            for (int look = 1; ; look++) {
                Roster.Reading said = roster.read();
                List<ThreadRow> rows = rows(process.pid(), said.threads());
                if (look == LOOKS || rows.stream().noneMatch(ThreadRow::unsettled)) {
                    return new JvmView(process, said.summary(), rows);
                }
            }
        }
    }

    private static List<ThreadRow> rows(int pid, Map<Integer, Roster.Known> known) throws IOException {
        List<ThreadRow> rows = new ArrayList<>();
        for (int tid : TaskFiles.tids(pid)) {
            try {
                rows.add(row(tid, known));
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

    private static ThreadRow row(int tid, Map<Integer, Roster.Known> known) throws IOException {
        LinuxThread thread = LinuxThread.of(tid);
        Roster.Known it = known.get(Roster.ownId(tid));
        return ThreadRow.of(
                tid,
                it == null ? Roster.Known.byKernel(tid) : it,
                thread.get(),
                thread.effectivePriority(),
                new TaskFiles(tid).lastCpu(),
                thread.statistics());
    }
}
