package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The meter on real kernels with sched_ext. */
@Tag("guests")
class GuestIT {
    private static final List<String> KERNELS = Guest.SERIES;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Skips of each single kernel must not add up to no test at all, where there is no reason for it. */
    @Test
    void aKernelCanBeHad() {
        Guest.assumeRoot();
        List<Finished> kernels = KERNELS.stream().map(Guest::fetch).toList();
        assumeTrue(
                kernels.stream().anyMatch(kernel -> kernel.exit() != Guest.NOT_HERE),
                () -> Guest.reason(kernels.getFirst()));
        assertTrue(kernels.stream().anyMatch(kernel -> kernel.exit() == 0), kernels::toString);
    }

    @ParameterizedTest
    @FieldSource("KERNELS")
    void theMeterCountsThere(String series) {
        String meter = Archive.home().resolve("lib/ayatori-aggregate").toString();
        Finished finished = Guest.of(series).script(LIMIT, """
                        sleep 10 # a kernel that has just booted has things to compute
                        for i in 1 2 3 4; do
                            bash -c 'while :; do [ $((++turns)) = 1000 ] && : >/tmp/load-$$; done' &
                            echo "load $!"
                        done
                        until [ "$(ls /tmp/load-* 2>/dev/null | wc -l)" = 4 ]; do
                            sleep 0.01 # until its loop has run a while a load waits for files of the host
                        done
                        uname -r
                        cat /sys/kernel/sched_ext/state
                        %s meter 2000
                        echo "exit $?" >&2
                        exit 7
                        """.formatted(meter));
        assertEquals("exit 0\n", finished.err());
        assertEquals(7, finished.exit());
        List<String> lines = finished.lines();
        assertTrue(lines.get(4).startsWith(series + "."), finished.out());
        assertEquals("disabled", lines.get(5));

        MeterReading reading = MeterReading.parse(String.join("\n", lines.subList(6, lines.size())));
        // Longer, if the meter has to wait for a CPU at its end: so are the loads counted.
        assertTrue(reading.nanos() >= 2_000_000_000 && reading.nanos() < 4_000_000_000L, finished.out());
        assertEquals(2, reading.cpus().size(), finished.out());
        reading.cpus()
                .forEach(cpu -> assertTrue(cpu.switches() > 0 && cpu.switches() >= cpu.userSwitches(), cpu.toString()));
        List<MeterReading.AddressSpace> loads = lines.subList(0, 4).stream()
                .map(line -> load(reading, Integer.parseInt(line.substring("load ".length()))))
                .toList();
        loads.forEach(load -> assertTrue(load.switches() > 0 && load.entries() <= load.switches(), load.toString()));
        // Each load ran or was ready all the time, but on a busy host was an eighth short of it once; one of the two
        // alone
        // is about half.
        loads.forEach(load -> {
            double accounted = (double) (load.ranNanos() + load.delayNanos()) / (double) reading.nanos();
            assertTrue(accounted > 0.7 && accounted < 1.05, finished.out());
        });
        double cpus =
                loads.stream().mapToDouble(MeterReading.AddressSpace::ranNanos).sum() / (double) reading.nanos();
        assertTrue(cpus > 1 && cpus < 2.1, finished.out());
    }

    private static MeterReading.AddressSpace load(MeterReading reading, int pid) {
        return reading.processes().stream()
                .filter(process -> process.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + pid + " in " + reading));
    }
}
