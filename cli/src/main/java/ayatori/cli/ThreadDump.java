package ayatori.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header lines of HotSpot's Thread.print (jstack), JDK 8 to 25. */
final class ThreadDump {
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
