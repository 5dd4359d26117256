package ayatori.cli.demo;

import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * CPU time that the kernel has on account for the threads of a process: /proc/PID/task/TID/schedstat, see proc(5).
 *
 * @param cpuNanos by thread id
 * @param realTime the ids of those that were SCHED_RR or SCHED_FIFO
 */
record TaskAccounts(Map<Integer, Long> cpuNanos, Set<Integer> realTime) {

    /** Reads all threads that the process has now. */
    static TaskAccounts read(long pid) throws IOException {
        Map<Integer, Long> cpu = new HashMap<>();
        Set<Integer> realTime = new HashSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                int tid = Integer.parseInt(task.getFileName().toString());
                try {
                    String line = Files.readString(task.resolve("schedstat"));
                    cpu.put(tid, Long.parseLong(line.substring(0, line.indexOf(' '))));
                    int policy = Sched.getAttributes(tid).policy();
                    if (policy == Sched.RR || policy == Sched.FIFO) {
                        realTime.add(tid);
                    }
                } catch (IOException e) {
                    cpu.remove(tid); // it has ended meanwhile
                }
            }
        } catch (UncheckedIOException | java.nio.file.DirectoryIteratorException e) {
            throw new IOException("threads of process " + pid + " cannot be read", e);
        }
        return new TaskAccounts(cpu, realTime);
    }

    /**
     * CPU nanoseconds between an earlier reading and this one, of threads that are in this one.
     *
     * @param except threads that do not count
     * @param realTimeOnly only of threads that are real-time now
     */
    long since(TaskAccounts earlier, Set<Integer> except, boolean realTimeOnly) {
        long sum = 0;
        for (Map.Entry<Integer, Long> entry : cpuNanos.entrySet()) {
            int tid = entry.getKey();
            if (!except.contains(tid) && (!realTimeOnly || realTime.contains(tid))) {
                sum += entry.getValue() - earlier.cpuNanos.getOrDefault(tid, 0L);
            }
        }
        return sum;
    }
}
