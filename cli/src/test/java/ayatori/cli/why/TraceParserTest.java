package ayatori.cli.why;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.cli.why.TraceEvent.Task;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TraceParserTest {
    /** What Linux 6.18 wrote of one CPU where two threads compute, one named {@code hog}, line feed, {@code two}. */
    static List<TraceEvent> recorded() {
        try (InputStream in = Objects.requireNonNull(TraceParserTest.class.getResourceAsStream("trace_pipe.txt"))) {
            return events(0, new String(in.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<TraceEvent> events(long unread, String text) {
        List<TraceEvent> events = new ArrayList<>();
        TraceParser parser = new TraceParser(events::add);
        text.lines().forEach(parser::line);
        assertEquals(unread, parser.unread());
        return events;
    }

    @Test
    void allLinesOfARecordingAreRead() {
        List<TraceEvent> events = recorded();
        assertEquals(
                new TraceEvent.Switch(
                        2867_711261_000L, 1, new Task(32431, "java", 120), 'S', new Task(32469, "vic tim", 120)),
                events.get(0));
        assertEquals(
                new TraceEvent.Switch(
                        2867_713040_000L, 1, new Task(32468, "hog\ntwo", 120), 'R', new Task(32470, "collector", 120)),
                events.get(3));
        assertEquals(
                List.of(new TraceEvent.Waking(2867_714784_000L, new Task(32455, "VM Thread", 0), false)),
                events.stream().filter(TraceEvent.Waking.class::isInstance).toList());
        assertEquals(
                List.of(new TraceEvent.Ready(2867_714790_000L, 1)),
                events.stream().filter(TraceEvent.Ready.class::isInstance).toList());
        assertEquals(
                List.of(new TraceEvent.Lost(1, 2827)),
                events.stream().filter(TraceEvent.Lost.class::isInstance).toList());
        assertEquals(23, events.size());
    }

    @Test
    void interruptsMigrationsAndMarks() {
        assertEquals(
                List.of(
                        new TraceEvent.Waking(1505_948519_000L, new Task(0, "<idle>", 0), true),
                        new TraceEvent.Migration(1505_947199_000L, 0),
                        new TraceEvent.Fence(2869_336596_000L, "ayatori 1")),
                events(0, """
                                  <idle>-0       [001] dNh2.  1505.948519: sched_waking: comm=bash pid=14076 prio=120 target_cpu=001
                             migration/1-21      [001] d..3.  1505.947199: sched_migrate_task: comm=bash pid=14081 prio=120 orig_cpu=1 dest_cpu=0
                                    bash-32384   (  32384) [000] ...1.  2869.336596: tracing_mark_write: ayatori 1
                        """));
    }

    @Test
    void realTimeAndDeadlineThreadsHavePrioritiesBelow100() {
        String line =
                "     rcu_preempt-15      [000] d..2.  2868.084031: sched_switch: prev_comm=migration/1 prev_pid=21"
                        + " prev_prio=0 prev_state=D|K ==> next_comm=a ==> b next_pid=7 next_prio=-1";
        assertEquals(
                List.of(new TraceEvent.Switch(
                        2868_084031_000L, 0, new Task(21, "migration/1", 0), 'D', new Task(7, "a ==> b", -1))),
                events(0, line));
    }

    @Test
    void whatIsNoEventIsCounted() {
        String good =
                "            java-32431   [001] d..2.  2869.196031: sched_wakeup: comm=x pid=9 prio=120 target_cpu=003";
        assertEquals(List.of(), events(1, "nothing known ".repeat(40)));
        assertEquals(
                List.of(new TraceEvent.Ready(2869_196031_000L, 3)),
                events(1, "nothing known ".repeat(40) + "\n" + good));
    }
}
