package jpi.internal.shm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How much of the memory that workers share is set aside. */
class SharedLayoutTest {
    private static final long KB = 1 << 10;

    /** What the file of some workers takes, as du says. */
    private static long reserved(int workers, boolean crowded) throws IOException, InterruptedException {
        long size = SharedLayout.size(workers, workers, crowded);
        try (Arena arena = Arena.ofConfined()) {
            MappedMemory memory = MappedMemory.createAnonymous("jpi-test", size, arena);
            assertEquals(0, used(memory));
            for (int worker = 0; worker < workers; worker++) {
                SharedLayout.reserve(memory, workers, workers, crowded, worker);
            }
            return used(memory);
        }
    }

    private static long used(MappedMemory memory) throws IOException, InterruptedException {
        Path file = Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + memory.descriptor());
        Process process = new ProcessBuilder("du", "-kL", file.toString()).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        return Long.parseLong(said.split("\\s+")[0]) * KB;
    }

    @Test
    void ofAFewWorkersAllIsButWhatNoneHasToSayToItself() throws IOException, InterruptedException {
        for (boolean crowded : new boolean[] {false, true}) {
            long ofAPair = (SharedLayout.size(4, 4, crowded) - SharedLayout.size(4, 2, crowded)) / (4 * 4 - 2 * 2);
            for (int workers : new int[] {2, 4}) {
                assertEquals(
                        SharedLayout.size(workers, workers, crowded) - workers * ofAPair, reserved(workers, crowded));
            }
        }
    }

    @Test
    void ofManyWorkersOnlyWhatTheySleepOnIs() throws IOException, InterruptedException {
        assertEquals(4096, reserved(16, false));
    }
}
