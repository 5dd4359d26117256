package ayatori.cli.why;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of tracefs' trace_pipe, which looks like this, on every kernel since 2.6.30 but for one more or one less
 * of the flags behind the CPU:
 *
 * <pre>
 *          spin-8162    [001] d..2.  1505.947023: sched_switch: prev_comm=spin prev_pid=8162 prev_prio=120 prev_state=R+ ==&gt; next_comm=hog next_pid=8170 next_prio=120
 *        &lt;idle&gt;-0       [000] dNh4.  1505.947191: sched_wakeup: comm=hog pid=8170 prio=74 target_cpu=000
 * CPU:1 [LOST 4711 EVENTS]
 * </pre>
 *
 * Any text may stand for a name, as programs choose it: a line feed in one makes two lines of an event. Not thread-safe.
 */
final class TraceParser {
    /** The name is cut at 15 bytes, so that it cannot hold what follows it; some set-ups show the process, too. */
    private static final Pattern HEAD = Pattern.compile(
            "(?s) *(.*?)-(\\d+) +(?:\\([ \\d-]+\\) +)?\\[(\\d+)\\] (\\S{3,6}) +(\\d+\\.\\d+): (\\w+): ");

    /** Groups of that, by number: JDK 25 copies the table of names for each line. */
    private static final int NAME = 1;

    private static final int TID = 2;
    private static final int CPU = 3;
    private static final int FLAGS = 4;
    private static final int SECONDS = 5;
    private static final int EVENT = 6;

    /** Index in the flags: what interrupted, as {@code .}, or {@code h}, {@code s}, {@code H}, {@code Z} and {@code z}. */
    private static final int CONTEXT = 2;

    private static final int UNTOLD = 0;
    /** An event is shorter. */
    private static final int LONGEST = 400;

    private final Consumer<TraceEvent> sink;
    private String begun = "";
    private long unread;

    TraceParser(Consumer<TraceEvent> sink) {
        this.sink = sink;
    }

    /** How many lines could not be read: other than 0, this kernel writes another text than all that are known. */
    long unread() {
        return unread;
    }

    /** Reads a line, without its line feed. */
    void line(String line) {
        if (line.startsWith("CPU:") && line.endsWith(" EVENTS]")) {
            lost(line);
            return;
        }
        String whole = begun.isEmpty() ? line : begun + "\n" + line;
        TraceEvent event = event(whole);
        if (event == null && !begun.isEmpty()) {
            event = event(line);
            unread += event == null ? 0 : 1;
        }
        if (event != null) {
            begun = "";
            sink.accept(event);
        } else if (whole.length() < LONGEST) {
            begun = whole;
        } else {
            begun = "";
            unread++;
        }
    }

    private void lost(String line) {
        String[] words = line.split("[: \\[]+", -1); // CPU, 1, LOST, 4711, EVENTS]
        sink.accept(new TraceEvent.Lost(Integer.parseInt(words[1]), Long.parseLong(words[3])));
    }

    /** Null if this is none, or not all of it. */
    private static @Nullable TraceEvent event(String text) {
        try {
            return parse(text);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable TraceEvent parse(String line) {
        Matcher head = HEAD.matcher(line);
        require(head.lookingAt() ? 0 : -1);
        int cpu = Integer.parseInt(head.group(CPU));
        long nanos = nanos(head.group(SECONDS));
        String body = line.substring(head.end());
        return switch (head.group(EVENT)) {
            case "sched_switch" -> switched(nanos, cpu, body);
            case "sched_waking" -> {
                boolean whole = last(body, " target_cpu=") >= 0;
                boolean interrupt = head.group(FLAGS).charAt(CONTEXT) != '.';
                TraceEvent.Task waker =
                        new TraceEvent.Task(Integer.parseInt(head.group(TID)), head.group(NAME), UNTOLD);
                yield whole ? new TraceEvent.Waking(nanos, waker, interrupt) : null;
            }
            case "sched_wakeup" -> new TraceEvent.Ready(nanos, last(body, " target_cpu="));
            case "sched_migrate_task" -> new TraceEvent.Migration(nanos, last(body, " dest_cpu="));
            case "tracing_mark_write" -> new TraceEvent.Fence(nanos, body.strip());
            default -> null;
        };
    }

    private static TraceEvent switched(long nanos, int cpu, String body) {
        int arrow = require(body.lastIndexOf(" ==> next_comm="));
        int stateAt = require(body.lastIndexOf(" prev_state=", arrow));
        char state = body.charAt(stateAt + " prev_state=".length());
        TraceEvent.Task from = task(body.substring(0, stateAt), "prev");
        TraceEvent.Task to = task(body.substring(arrow + " ==> ".length()), "next");
        return new TraceEvent.Switch(nanos, cpu, from, state, to);
    }

    /** For instance {@code prev_comm=a name prev_pid=17 prev_prio=120}. */
    private static TraceEvent.Task task(String text, String which) {
        int start = which.length() + "_comm=".length();
        int pid = require(text.lastIndexOf(" " + which + "_pid="));
        int priority = require(text.lastIndexOf(" " + which + "_prio="));
        return new TraceEvent.Task(
                Integer.parseInt(text.substring(text.indexOf('=', pid) + 1, priority)),
                text.substring(start, pid),
                last(text, " " + which + "_prio="));
    }

    /** The number behind the last such key. */
    private static int last(String text, String key) {
        int start = require(text.lastIndexOf(key)) + key.length();
        int end = start + 1;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return Integer.parseInt(text.substring(start, end));
    }

    /** Seconds with six digits behind the point, or with nine. */
    private static long nanos(String seconds) {
        int point = require(seconds.indexOf('.'));
        String fraction = (seconds.substring(point + 1) + "000").substring(0, 9);
        return Long.parseLong(seconds.substring(0, point)) * 1_000_000_000L + Long.parseLong(fraction);
    }

    private static int require(int index) {
        if (index < 0) {
            throw new IndexOutOfBoundsException();
        }
        return index;
    }
}
