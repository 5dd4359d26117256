package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ayatori-aggregate writes, as it is read and shown. */
class MeterReadingTest {
    private static final String WRITTEN = """
            ayatori-meter\t1
            nanoseconds\t2000000000
            cpu\t0\t4000\t2000\t500
            cpu\t1\t2000\t1000\t0
            process\t42\tjava\t2000\t400\t1000000000\t5000000\t1000000:300,4000000:100\t0:1990,8000000:10
            process\t43\tbeam.smp\t1000\t100\t2000\t0\t\t
            lost\t0\t0
            end
            """;

    @Test
    void itIsReadAsItWasWritten() {
        MeterReading reading = MeterReading.parse(WRITTEN);
        assertEquals(2_000_000_000, reading.nanos());
        assertEquals(new MeterReading.Cpu(0, 4000, 2000, 500), reading.cpus().getFirst());
        MeterReading.AddressSpace java = reading.processes().getFirst();
        assertEquals("java", java.name());
        assertEquals(400, java.batches().count());
        assertEquals(1_100_000, java.batches().quantile(0.5), 1);
        assertEquals(0, java.delays().quantile(0.99), 0);
        assertEquals(8_800_000, java.delays().quantile(0.999), 1);
        assertTrue(Double.isNaN(reading.processes().getLast().batches().quantile(0.5)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ayatori-meter\t1\nnanoseconds\t5\n",
                "ayatori-meter\t2\nnanoseconds\t5\nend\n",
                "ayatori-meter\t1\ncpu\t0\t1\nend\n",
                "ayatori-meter\t1\nprocess\t1\tx\t1\t1\t1\t1\t5\t\nend\n",
                "ayatori-meter\t1\nwhat\nend\n"
            })
    void whatIsNotWholeIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> MeterReading.parse(text));
    }

    @Test
    void theTableHasWhatWasEnteredMostOftenFirst() {
        List<String> lines = MeterTable.draw(MeterReading.parse(WRITTEN), "EEVDF (kernel 6.18.1)", 200, '~');
        assertEquals(
                List.of(
                        "counted 2.0 s under EEVDF (kernel 6.18.1)",
                        "",
                        "CPU  SWITCH/s  USER/s  SPACE/s  PER SWITCH",
                        "  0      2000    1000      250       0.250",
                        "  1      1000     500      0.0       0.000",
                        "all      3000    1500      250       0.167",
                        "",
                        "PID  NAME      CPU %  SWITCH/s  SPACE/s  PER SWITCH  BATCH ms  DELAY ms   99 %",
                        " 42  java       50.0      1000      200       0.200     1.100     0.000  0.000",
                        " 43  beam.smp    0.0       500     50.0       0.100         -         -      -"),
                lines);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 6.18.44-x, EEVDF (kernel 6.18.44-x)",
        "disabled, '', 6.6.1, EEVDF (kernel 6.6.1)",
        "'', '', 6.1.0-9-amd64, CFS (kernel 6.1.0-9-amd64)",
        "'', '', 5.15.0, CFS (kernel 5.15.0)",
        "'', '', odd, the kernel's own scheduler (kernel odd)",
        "enabled, flatcg_1.0, 7.2.13, the sched_ext scheduler flatcg_1.0 (kernel 7.2.13)"
    })
    void theSchedulerIsNamed(String state, String operations, String release, String expected) {
        assertEquals(expected, SchedulerName.of(state, operations, release));
    }
}
