package ayatori.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What one CPU has done since boot, proc_stat(5), in nanoseconds of a clock that ticks each 10 ms.
 *
 * @param busy for programs and interrupts
 * @param stolen by the hypervisor
 */
record CpuTicks(long busy, long stolen) {
    private static final long TICK_NANOS = 10_000_000; // USER_HZ is 100 on every Linux
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int STOLEN = 7;

    static CpuTicks read(int cpu) throws IOException {
        String line = Files.readAllLines(Path.of("/proc/stat")).stream()
                .filter(each -> each.startsWith("cpu" + cpu + " "))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/stat does not tell of CPU " + cpu));
        long[] ticks = Arrays.stream(line.split(" +"))
                .skip(1)
                .limit(STOLEN + 1L)
                .mapToLong(Long::parseLong)
                .toArray();
        long busy = Arrays.stream(ticks).sum() - ticks[IDLE] - ticks[WAITING] - ticks[STOLEN];
        return new CpuTicks(busy * TICK_NANOS, ticks[STOLEN] * TICK_NANOS);
    }

    CpuTicks since(CpuTicks earlier) {
        return new CpuTicks(busy - earlier.busy, stolen - earlier.stolen);
    }
}
