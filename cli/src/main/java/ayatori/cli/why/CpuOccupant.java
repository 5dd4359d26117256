package ayatori.cli.why;

import ayatori.cli.JvmProcess;
import ayatori.cli.why.TraceEvent.Task;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;

/** Who has a CPU of which the trace shows no switch: the highest of those that are ready there. */
final class CpuOccupant {
    private static final int TRACE_OFFSET = 100;

    private CpuOccupant() {}

    static Task of(int cpu) {
        Task highest = Span.NOBODY;
        for (int pid : JvmProcess.processes()) {
            try {
                for (int tid : TaskFiles.tids(pid)) {
                    TaskFiles files = new TaskFiles(tid);
                    boolean there = files.lastCpu() == cpu && files.state() == 'R';
                    int priority = files.priority() + TRACE_OFFSET;
                    if (there && (highest.equals(Span.NOBODY) || priority < highest.priority())) {
                        highest = new Task(tid, files.comm(), priority);
                    }
                }
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        return highest;
    }
}
