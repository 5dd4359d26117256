package jpi.internal.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import jpi.JBuffer;
import jpi.JException;
import jpi.JType;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory that is mapped from a file which has become shorter: who has to do with it learns that, and nobody else suffers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultTest {
    private static final int CONTEXT = 2;
    private static final int TAG = 1;
    private static final int PRIORITY = 5;
    /** Of several pieces. */
    private static final int BYTES = 200 << 10;

    private static final int MEDIUM = 20 << 10;
    /** So often that what is done is compiled: it then learns late what has happened. */
    private static final int ROUNDS = 3000;

    private static final Arena ARENA = Arena.ofAuto();

    @TempDir
    static Path folder;

    private static World world(int workers, int worker, @Nullable MemorySegment memory) {
        return new World(
                new Layout(2, workers, worker),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(FaultTest.class, ""), Serialisation.FORY),
                memory);
    }

    /** Maps a file, and makes it shorter. */
    private static MemorySegment mapped(long bytes, long left) throws IOException {
        Path file = folder.resolve(bytes + "-" + left + "-" + System.nanoTime());
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, ARENA);
            var _ = channel.truncate(left);
            return memory;
        }
    }

    private static JBuffer lost() throws IOException {
        return JBuffer.of(mapped(BYTES, BYTES / 2), JType.BYTE);
    }

    private static String reason(Completion failed) {
        return String.valueOf(assertThrows(JException.class, failed::check).getMessage());
    }

    private static void assertTells(String reason) {
        assertTrue(
                reason.startsWith("memory that is mapped from a file is not there (")
                        && reason.contains("the file has become shorter, or /dev/shm is full"),
                reason);
    }

    private static Receive receive(World receiving, JBuffer sink) {
        return receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 1, TAG, 1, sink);
    }

    private static Sending send(World sending, JBuffer buffer) {
        return requireNonNull(
                sending.rank(1).send(0, CONTEXT, 1, TAG, PRIORITY, buffer, Rank.Mode.STANDARD), "it is too short");
    }

    private static void bring(World receiving, World sending, Completion... wanted) {
        while (!Arrays.stream(wanted).allMatch(Completion::isDone)) {
            sending.rank(1).progress();
            receiving.rank(0).progress();
        }
    }

    private static void passMessages(World receiving, World sending, boolean toOther) throws IOException {
        JBuffer lost = lost();
        for (int i = 0; i < ROUNDS; i++) {
            byte[] contents = new byte[BYTES];
            Arrays.fill(contents, (byte) i);
            byte[] room = new byte[BYTES];
            boolean fromLost = i % 3 == 1;
            boolean intoLost = i % 3 == 2;
            Receive receive = receive(receiving, intoLost ? lost : JBuffer.of(room));
            Sending sent = send(sending, fromLost ? lost : JBuffer.of(contents));
            bring(receiving, sending, receive, sent);
            if (fromLost && toOther) {
                assertTells(reason(sent));
                String reason = reason(receive);
                assertTrue(reason.contains("or made its file shorter"), reason);
            } else if (fromLost || intoLost) {
                assertTells(reason(receive));
                sent.check();
            } else {
                assertEquals(BYTES, receive.count());
                assertArrayEquals(contents, room);
            }
        }
        assertFalse(receiving.hasFailed() || sending.hasFailed());
    }

    @Test
    void oneThatGoesToAnotherJvmIsBrokenOff() throws IOException {
        MemorySegment memory = ARENA.allocate(World.memorySize(new Layout(2, 2, 0), false), 4096);
        passMessages(world(2, 0, memory), world(2, 1, memory), true);
    }

    /** Of a size that takes one slot of the ring, but out of memory that is mapped. */
    @Test
    void oneThatIsNeitherSmallNorLongFails() throws IOException {
        MemorySegment memory = ARENA.allocate(World.memorySize(new Layout(2, 2, 0), false), 4096);
        World receiving = world(2, 0, memory);
        World sending = world(2, 1, memory);
        JBuffer lost = JBuffer.of(mapped(MEDIUM, 0), JType.BYTE);
        for (int i = 0; i < 10 * ROUNDS; i++) {
            JBuffer array = JBuffer.of(new byte[MEDIUM]);
            if (i % 2 == 0) {
                Receive receive = receive(receiving, lost);
                var _ = sending.rank(1).send(0, CONTEXT, 1, TAG, PRIORITY, array, Rank.Mode.STANDARD);
                bring(receiving, sending, receive);
                assertTells(reason(receive));
            } else {
                Receive receive = receive(receiving, array);
                Sending sent = send(sending, lost);
                bring(receiving, sending, receive, sent);
                assertTells(reason(sent));
                String reason = reason(receive);
                assertTrue(reason.contains("or made its file shorter"), reason);
            }
        }
        assertFalse(receiving.hasFailed() || sending.hasFailed());
    }

    @Test
    void oneThatIsCopiedHereIsBrokenOff() throws IOException {
        World world = world(1, 0, null);
        passMessages(world, world, false);
    }

    /** Neither small nor large, they are copied in one piece. */
    @Test
    void oneThatTheReceiverCopiesAtOnceFails() throws IOException {
        World world = world(1, 0, null);
        MemorySegment lost = mapped(MEDIUM, 0);
        for (int i = 0; i < ROUNDS; i++) {
            Receive receive = receive(world, JBuffer.of(new byte[MEDIUM]));
            Sending sent = send(world, JBuffer.of(lost, JType.BYTE));
            bring(world, world, receive, sent);
            assertTells(reason(receive));
        }
    }

    /** A small one is copied by its sender, who is told late. */
    @Test
    void whoSendsASmallOneFails() throws IOException {
        MemorySegment memory = ARENA.allocate(World.memorySize(new Layout(2, 2, 0), false), 4096);
        MemorySegment lost = mapped(1 << 10, 0);
        World sending = world(2, 1, memory);
        assertTells(String.valueOf(assertThrows(
                        JException.class,
                        () -> sending.rank(1)
                                .send(0, CONTEXT, 1, TAG, PRIORITY, JBuffer.of(lost, JType.BYTE), Rank.Mode.STANDARD))
                .getMessage()));
        assertTrue(sending.hasFailed());
    }

    /** All of it, what ranks sleep on too. */
    @Test
    void ofTheMemoryThatWorkersShareAllRanksLearn() throws IOException, InterruptedException {
        MemorySegment memory = mapped(World.memorySize(new Layout(4, 2, 0), false), 0);
        World world = new World(
                new Layout(4, 2, 0),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(FaultTest.class, ""), Serialisation.FORY),
                memory);
        world.start();
        Thread[] ranks = new Thread[2];
        String[] reasons = new String[2];
        for (int i = 0; i < 2; i++) {
            int number = i;
            ranks[i] = Thread.ofPlatform().daemon().start(() -> {
                Rank rank = world.rank(number);
                rank.run(() -> reasons[number] =
                        String.valueOf(assertThrows(JException.class, () -> rank.fetchObject(CONTEXT, 3, TAG, 3))
                                .getMessage()));
            });
        }
        for (int i = 0; i < 2; i++) {
            ranks[i].join();
            assertTells(reasons[i]);
        }
        assertTrue(world.hasFailed());
    }
}
