package ayatori.cli;

import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that is no JVM and has real-time threads. Everybody may see whose these are: there is nothing in them that a
 * look from outside would miss.
 */
public record NativeProgram(int pid) {
    /** Whether a process has real-time threads, and is none of the kernel's own. */
    public static boolean isOne(int pid) {
        try {
            return !new NativeProgram(pid).realTimeThreads().isEmpty() && !new TaskFiles(pid).ofKernel();
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    /** The ids of its real-time threads: SCHED_FIFO, SCHED_RR and SCHED_DEADLINE. */
    List<Integer> realTimeThreads() throws IOException {
        List<Integer> realTime = new ArrayList<>();
        for (int tid : TaskFiles.tids(pid)) {
            try {
                int policy = Sched.getAttributes(tid).policy();
                if (policy == Sched.FIFO || policy == Sched.RR || policy == Sched.DEADLINE) {
                    realTime.add(tid);
                }
            } catch (IOException e) {
                continue; // the thread has ended meanwhile
            }
        }
        return realTime;
    }

    /** Its command line in one line, arguments separated by spaces. */
    public String commandLine() throws IOException {
        return new TaskFiles(pid).commandLine();
    }
}
