package ayatori.internal.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel tells about one thread in the files of {@code /proc/TID/task/TID}. Reading one costs some microseconds.
 * All methods throw {@link IOException} when the thread has ended (or
 * when /proc was mounted with {@code hidepid} and it is another user's). Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc.5.html">proc(5)</a>
 */
public final class TaskFiles {
    // Fields of `stat`, counted from 1 as in proc_pid_stat(5).
    private static final int STATE = 3;
    private static final int FLAGS = 9;
    private static final int MINOR_FAULTS = 10;
    private static final int MAJOR_FAULTS = 12;
    private static final int PRIORITY = 18;
    private static final int START_TIME = 22;
    private static final int PROCESSOR = 39;

    /** PF_KTHREAD of the kernel's include/linux/sched.h. */
    private static final long KERNEL_THREAD = 0x00200000;

    private final Path directory;

    /** The files of a thread, whether there is such a thread or not. */
    public TaskFiles(int tid) {
        directory = Path.of("/proc", Integer.toString(tid), "task", Integer.toString(tid));
    }

    /** The threads of a process, by id; in no particular order, and those of one moment only. */
    public static List<Integer> tids(int pid) throws IOException {
        List<Integer> tids = new ArrayList<>();
        try (var tasks = Files.newDirectoryStream(Path.of("/proc", Integer.toString(pid), "task"))) {
            for (Path task : tasks) {
                tids.add(Integer.valueOf(task.getFileName().toString()));
            }
        }
        return tids;
    }

    /** The thread's name, at most 15 bytes. */
    public String comm() throws IOException {
        return text("comm").stripTrailing();
    }

    /**
     * The priority at which the kernel runs the thread at the moment, with what it inherits through futexes; field 18 of
     * stat: nice + 20 (0 to 39), −1 − v for a real-time value v (−2 to −100), −101 for DEADLINE.
     */
    public int priority() throws IOException {
        return Integer.parseInt(stat(PRIORITY));
    }

    /** When the thread began, in clock ticks since boot: tells it from a later one with the same id. */
    public long startTime() throws IOException {
        return Long.parseLong(stat(START_TIME));
    }

    /** What the thread does, proc_pid_stat(5): R on a CPU or ready for one, S asleep, D asleep and deaf to signals, … */
    public char state() throws IOException {
        return stat(STATE).charAt(0);
    }

    /** Page faults that needed no I/O. */
    public long minorFaults() throws IOException {
        return Long.parseLong(stat(MINOR_FAULTS));
    }

    /** Page faults that had to read from a disk. */
    public long majorFaults() throws IOException {
        return Long.parseLong(stat(MAJOR_FAULTS));
    }

    /**
     * The system call that the thread sleeps in; empty if it sleeps in none (a page fault, say), or does not sleep.
     *
     * @throws IOException also if this user may not trace the thread, ptrace(2)
     */
    public OptionalLong systemCall() throws IOException {
        String word = text("syscall").strip().split(" ", 2)[0];
        return word.equals("running") || word.equals("-1")
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(word));
    }

    /** If the thread has ended already, while something (its process, its parent) still keeps its id. */
    public boolean ended() throws IOException {
        String state = stat(STATE);
        return state.equals("Z") || state.equals("X");
    }

    /** If a signal or a tracer holds the thread's process. */
    public boolean stopped() throws IOException {
        String state = stat(STATE);
        return state.equals("T") || state.equals("t");
    }

    /** The CPU that the thread ran on last. */
    public int lastCpu() throws IOException {
        return Integer.parseInt(stat(PROCESSOR));
    }

    /** CPU time in nanoseconds, time spent runnable but waiting for a CPU in nanoseconds, and times it got one. */
    public long[] schedstat() throws IOException {
        String[] fields = text("schedstat").strip().split(" ", -1);
        return new long[] {Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2])};
    }

    /**
     * A line of status.
     *
     * @param key without the colon, for instance {@code "voluntary_ctxt_switches"}
     */
    public Optional<String> status(String key) throws IOException {
        String start = key + ":";
        return text("status")
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    /** The process (thread group) of the thread. */
    public int processId() throws IOException {
        return Integer.parseInt(status("Tgid").orElseThrow(() -> new IOException(directory + "/status: no line Tgid")));
    }

    /** The command line of its process in one line, arguments separated by spaces; empty for a thread of the kernel. */
    public String commandLine() throws IOException {
        return text("cmdline").replace('\0', ' ').strip();
    }

    /** If it is one of the kernel's own threads. */
    public boolean ofKernel() throws IOException {
        return (Long.parseLong(stat(FLAGS)) & KERNEL_THREAD) != 0;
    }

    /** Lines of {@code cgroup}, cgroups(7). */
    public List<String> cgroups() throws IOException {
        return text("cgroup").lines().toList();
    }

    private String stat(int field) throws IOException {
        String line = text("stat");
        // Field 2 is the name in parentheses and may hold anything, parentheses and blanks too.
        String[] fromState = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return fromState[field - STATE];
    }

    private String text(String file) throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(directory.resolve(file));
        } catch (NoSuchFileException e) {
            KernelException gone = new KernelException(directory.toString(), Errno.ESRCH);
            gone.initCause(e);
            throw gone;
        }
        // Names may be cut in the middle of a character: a malformed one must not fail here.
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
