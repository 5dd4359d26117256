package ayatori.cli.doctor;

import ayatori.cli.Band;
import ayatori.cli.CellText;
import ayatori.cli.ProgramName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which processes have real-time threads, and between which values. */
final class SpanReader {
    /** PF_KTHREAD of the kernel's include/linux/sched.h. */
    private static final long KERNEL_THREAD = 0x00200000;

    private static final int FLAGS = 9;
    private static final int RT_PRIORITY = 40;
    private static final int POLICY = 41;
    private static final int FIRST_AFTER_NAME = 3;
    /** The kernel's migration threads have it; no band reaches so far. */
    private static final int HIGHEST = 98;

    private SpanReader() {}

    /** All that this user can see, the highest first; without the kernel's own threads. */
    static List<Span> read(KernelFiles files) {
        List<Span> spans = new ArrayList<>();
        for (String name : files.folders("/proc")) {
            if (name.matches("\\d+")) {
                span(files, name).ifPresent(spans::add);
            }
        }
        spans.sort(Comparator.comparingInt((Span span) -> span.values().high())
                .reversed()
                .thenComparingInt(Span::pid));
        return spans;
    }

    private static Optional<Span> span(KernelFiles files, String pid) {
        int low = HIGHEST + 1;
        int high = 0;
        String tasks = "/proc/" + pid + "/task";
        for (String tid : files.folders(tasks)) {
            String[] fields = fields(files.text(tasks + "/" + tid + "/stat").orElse(""));
            if (fields.length <= POLICY - FIRST_AFTER_NAME
                    || (Long.parseLong(fields[FLAGS - FIRST_AFTER_NAME]) & KERNEL_THREAD) != 0) {
                continue;
            }
            int policy = Integer.parseInt(fields[POLICY - FIRST_AFTER_NAME]);
            if (policy == 1 || policy == 2) { // FIFO, RR
                int value = Integer.parseInt(fields[RT_PRIORITY - FIRST_AFTER_NAME]);
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
        }
        if (high == 0) {
            return Optional.empty();
        }
        String command = CellText.printable(files.text("/proc/" + pid + "/comm").orElse("?"));
        Optional<String> program = files.text("/proc/" + pid + "/environ").flatMap(ProgramName::in);
        return Optional.of(new Span(Integer.parseInt(pid), command, program, new Band(low, high)));
    }

    /** What stands behind the name, which may have anything in it. */
    private static String[] fields(String stat) {
        int end = stat.lastIndexOf(')');
        return end < 0 || end + 2 > stat.length()
                ? new String[0]
                : stat.substring(end + 2).split(" ", -1);
    }
}
