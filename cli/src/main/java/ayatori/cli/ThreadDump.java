package ayatori.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HotSpot's Thread.print (jstack), JDK 8 to 25: the header lines, and what stands below one. */
public final class ThreadDump {
    /**
     * <pre>
     * "main" #1 prio=5 os_prio=0 tid=0x00007f… nid=0x1b03 runnable [0x…]                              JDK 8
     * "main" #1 prio=5 os_prio=0 cpu=55.92ms elapsed=0.31s tid=0x00007f… nid=0x1b03 runnable [0x…]    JDK 11, 17
     * "main" #1 [6915] prio=5 os_prio=0 cpu=55.92ms elapsed=0.31s tid=0x00007f… nid=6915 runnable     JDK 21, 25
     * "VM Thread" os_prio=0 cpu=3.12ms elapsed=0.30s tid=0x00007f… nid=6921 runnable                  not a Java thread
     * </pre>
     *
     * A name may hold quotes and line feeds, so it ends only where the rest of a header follows.
     */
    private static final Pattern HEADER = Pattern.compile(
            "^\"(?<name>(?s:.{0,4096}?))\" (?:#\\d+ )?(?:\\[\\d+\\] )?(?:daemon )?(?:prio=(?<prio>\\d+) )?"
                    + "os_prio=-?\\d+ (?:\\w+=\\S+ )*?tid=0x\\p{XDigit}+ nid=(?<nid>0x\\p{XDigit}+|\\d+)(?= |$)",
            Pattern.MULTILINE);

    private ThreadDump() {}

    /**
     * A thread of the dump.
     *
     * @param tid native id in the PID namespace of the JVM
     * @param javaPriority 1 to 10; 0 if it is not a Java thread
     */
    record Entry(int tid, String name, int javaPriority) {}

    /**
     * What stands below a thread's header: its state and its frames, with the monitors.
     *
     * @param tid native id in the PID namespace of the JVM
     * @return empty if the thread is not in the dump
     */
    public static String stack(String text, int tid) {
        Matcher header = HEADER.matcher(text);
        while (header.find()) {
            if (Integer.decode(header.group("nid")) == tid) {
                int start = header.end();
                return text.substring(start, header.find() ? header.start() : text.length());
            }
        }
        return "";
    }

    /**
     * The name of the thread that has locked a monitor.
     *
     * @param address as the dump writes it, {@code 0x…}
     */
    public static Optional<String> holder(String text, String address) {
        // Who waits to be notified is shown with the monitor that it has given back meanwhile.
        Predicate<String> holds =
                stack -> stack.contains("- locked <" + address + ">") && !stack.contains(" on <" + address + ">");
        String name = null;
        int start = 0;
        Matcher header = HEADER.matcher(text);
        while (header.find()) {
            if (name != null && holds.test(text.substring(start, header.start()))) {
                return Optional.of(name);
            }
            name = header.group("name");
            start = header.end();
        }
        return holds.test(text.substring(start)) ? Optional.ofNullable(name) : Optional.empty();
    }

    static List<Entry> parse(String text) {
        List<Entry> entries = new ArrayList<>();
        Matcher header = HEADER.matcher(text);
        while (header.find()) {
            String priority = header.group("prio");
            entries.add(new Entry(
                    Integer.decode(header.group("nid")),
                    header.group("name"),
                    priority == null ? 0 : Integer.parseInt(priority)));
        }
        return entries;
    }
}
