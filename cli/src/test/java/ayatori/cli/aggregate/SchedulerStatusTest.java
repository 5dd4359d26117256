package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ayatori-aggregate writes of the scheduler, as it is read and shown. */
class SchedulerStatusTest {
    private static final String COUNTED = """
            cpu\t0\t900\t100\t80\t7\t5\t1
            cpu\t1\t9\t90\t0\t0\t0\t0
            space\t42\tjava\t12\t1000000000\t150
            space\t43\tbeam.smp\t2\t3000000000\t40
            end
            """;

    private static final List<String> TABLES = List.of(
            "",
            "CPU  SWITCHES  BATCHES  USED UP  URGENT  PUSHED  NOW",
            "  0       900      100       80       7       5  stays",
            "  1         9       90        0       0       0  takes turns",
            "",
            "PID  NAME      THREADS  RAN s  SHARE %  BATCHES",
            " 43  beam.smp        2  3.000     75.0       40",
            " 42  java           12  1.000     25.0      150");

    private static List<String> draw(String text) {
        return StatusTable.draw(SchedulerStatus.parse(text), 200, '~').stream()
                .map(String::stripTrailing)
                .toList();
    }

    @Test
    void whatItDidIsShown() {
        List<String> lines = draw("ayatori-scheduler\t1\nloaded\tayatori\n" + COUNTED);
        assertEquals("the kernel has the scheduler ayatori", lines.getFirst());
        assertEquals(TABLES, lines.subList(1, lines.size()));
    }

    @Test
    void whyItWentIsSaid() {
        String head = "ayatori-scheduler\t1\nloaded\t\nleft\t1026\trunnable task stall\tjava[42] failed to run\n";
        List<String> lines = draw(head + COUNTED);
        assertEquals(
                "the kernel has thrown the scheduler out and has its own again: runnable task stall: java[42] failed to run",
                lines.getFirst());
        assertEquals(TABLES, lines.subList(2, lines.size()));
        assertEquals(
                "the kernel has thrown the scheduler out and has scx_rusty now: runnable task stall: java[42] failed to run",
                draw(head.replace("loaded\t", "loaded\tscx_rusty") + COUNTED).getFirst());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ayatori-scheduler\t1\nloaded\tayatori\n",
                "ayatori-scheduler\t2\nloaded\tayatori\nend\n",
                "ayatori-scheduler\t1\ncpu\t0\t1\nend\n",
                "ayatori-scheduler\t1\nspace\tx\tjava\t1\t1\t1\nend\n",
                "ayatori-scheduler\t1\nwhat\nend\n"
            })
    void whatIsNotWholeIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> SchedulerStatus.parse(text));
    }
}
