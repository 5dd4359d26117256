package ayatori.cli;

import ayatori.internal.linux.Errno;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Why threads have not what is wanted, and what to do about it: one line a cause. */
public final class Refusals {
    private static final String GRANT = " or grant CAP_SYS_NICE (see ayatori doctor)";

    private Refusals() {}

    /**
     * The lines under the table.
     *
     * @param pid of the JVM, whose limits count
     * @param rows in the order of the table
     */
    public static List<String> explain(int pid, List<ThreadRow> rows) {
        Map<String, List<ThreadRow>> byCause = new LinkedHashMap<>();
        for (ThreadRow row : rows) {
            if (row.mismatched()) {
                byCause.computeIfAbsent(cause(pid, row), cause -> new ArrayList<>())
                        .add(row);
            }
        }
        List<String> lines = new ArrayList<>();
        byCause.forEach((cause, threads) -> lines.add(line(cause, threads)));
        return lines;
    }

    private static String line(String cause, List<ThreadRow> threads) {
        ThreadRow first = threads.getFirst();
        String wanted = first.wanted().map(ThreadTable::level).orElse("nothing");
        return ThreadTable.MISMATCH + " thread " + first.tid() + " \"" + CellText.printable(first.name())
                + "\": wanted " + wanted + ", kernel has " + ThreadTable.level(first.actual())
                + (first.errno() == 0 ? "" : " (" + Errno.name(first.errno()) + ")")
                + (threads.size() == 1 ? "" : ", and " + (threads.size() - 1) + " more of the same cause")
                + "; " + cause;
    }

    private static String cause(int pid, ThreadRow row) {
        SchedulingParameters wanted = row.wanted().orElse(row.actual());
        if (wanted.policy() == SchedulingPolicy.DEADLINE && row.errno() != 0) {
            return deadline(row.errno());
        }
        return switch (row.errno()) {
            case 0 -> "the agent's call succeeded, so something else has set it since (chrt, renice?)";
            case Errno.EPERM, Errno.EACCES -> limit(pid, wanted);
            default -> "look up " + Errno.name(row.errno()) + " in sched_setattr(2)";
        };
    }

    /** sched_setattr(2) on what only DEADLINE has: admission and the CPUs that a thread has to be allowed on. */
    private static String deadline(int errno) {
        return switch (errno) {
            case Errno.EBUSY ->
                "too much of the CPUs is promised to DEADLINE threads: lower DeadlineRuntime= or lengthen DeadlinePeriod=";
            case Errno.EPERM ->
                "DEADLINE takes CAP_SYS_NICE, and a JVM that may run on every CPU (no taskset, no cpuset)";
            default -> "look up " + Errno.name(errno) + " in sched_setattr(2)";
        };
    }

    private static String limit(int pid, SchedulingParameters wanted) {
        boolean realTime = wanted.policy().isRealTime();
        String name = realTime ? "RLIMIT_RTPRIO" : "RLIMIT_NICE";
        Optional<Long> limit = softLimit(pid, realTime ? "Max realtime priority" : "Max nice priority");
        int needed = realTime ? wanted.staticPriority() : wanted.rank();
        if (limit.isPresent() && limit.get() >= needed) {
            return realTime
                    ? name + " would allow it: look at the real-time budget of its control group (cpu.rt_runtime_us)"
                    : name + " would allow it: it was raised later, or a security module refused";
        }
        return "raise " + name + limit.map(soft -> " (it is " + soft + ")").orElse("") + GRANT;
    }

    /** From the file, which everybody may read: prlimit(2) needs a capability even for root's look at others. */
    private static Optional<Long> softLimit(int pid, String line) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/limits"))) {
            return lines.filter(each -> each.startsWith(line))
                    .map(each -> each.substring(line.length()).strip().split("\\s+")[0])
                    .map(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }
}
