package jpi.internal.shm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How much of the memory that workers share is set aside, and that its parts lie apart. */
class SharedLayoutTest {
    private static final long KB = 1 << 10;

    /** What the file of some workers takes, as du says. */
    private static long reserved(int workers, boolean crowded) throws IOException, InterruptedException {
        return reserved(workers, crowded, SharedLayout.size(workers, workers, crowded));
    }

    private static long reserved(int workers, boolean crowded, long size) throws IOException, InterruptedException {
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
    void ofAFewWorkersAllIs() throws IOException, InterruptedException {
        for (boolean crowded : new boolean[] {false, true}) {
            for (int workers : new int[] {2, 4}) {
                assertEquals(SharedLayout.size(workers, workers, crowded), reserved(workers, crowded));
            }
        }
    }

    @Test
    void ofManyWorkersOnlyWhatTheySleepOnIs() throws IOException, InterruptedException {
        assertEquals(4096, reserved(16, false));
    }

    /** Its detours are used when they are needed. */
    @Test
    void ofRoomyMemoryNoMoreIs() throws IOException, InterruptedException {
        for (boolean crowded : new boolean[] {false, true}) {
            long size = SharedLayout.roomySize(2, 2, crowded);
            assertTrue(size > SharedLayout.size(2, 2, crowded));
            assertEquals(reserved(2, crowded), reserved(2, crowded, size));
            assertEquals(SharedLayout.size(8, 8, crowded), SharedLayout.roomySize(8, 8, crowded));
        }
    }

    @Test
    void noDetourLiesWhereAnotherOneOrARingDoes() {
        int workers = 3;
        int bytes = 8 << 10;
        MemorySegment memory = Arena.ofAuto().allocate(SharedLayout.roomySize(workers, workers, true), 4096);
        SharedLayout layout = new SharedLayout(workers, workers, true, memory);
        List<Ring> senders = rings(layout, workers);
        List<Ring> receivers = rings(layout, workers);
        for (int way = 0; way < 2; way++) {
            for (int i = 0; i < senders.size(); i++) {
                Ring ring = senders.get(i);
                RingTest.makeSure(requireNonNull(ring.detour), way * Long.MAX_VALUE);
                long slot = ring.claim(bytes);
                Memory.ALL.asSlice(ring.room(slot, bytes), bytes).fill((byte) (way * senders.size() + i));
                ring.commit(slot, bytes);
            }
        }
        for (int way = 0; way < 2; way++) {
            for (int i = 0; i < senders.size(); i++) {
                Ring ring = receivers.get(i);
                MemorySegment contents = Memory.ALL.asSlice(ring.nextContents(ring.next(), bytes), bytes);
                MemorySegment expected = MemorySegment.ofArray(new byte[bytes]).fill((byte) (way * senders.size() + i));
                assertEquals(-1, contents.mismatch(expected));
                ring.advance(bytes);
            }
        }
    }

    private static List<Ring> rings(SharedLayout layout, int workers) {
        List<Ring> rings = new ArrayList<>();
        for (int from = 0; from < workers; from++) {
            for (int to = 0; to < workers; to++) {
                if (from != to) {
                    rings.add(layout.messages(from, to));
                    rings.add(layout.pieces(from, to));
                }
            }
        }
        return rings;
    }
}
