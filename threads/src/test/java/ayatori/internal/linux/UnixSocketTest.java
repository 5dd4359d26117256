package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UnixSocketTest {
    @TempDir
    private Path directory;

    @Test
    void messagesKeepTheirBoundsAndDescriptorsGoAlong() throws Exception {
        Path path = directory.resolve("socket");
        try (UnixSocket entrance = UnixSocket.listen(path);
                UnixSocket client = UnixSocket.connect(path);
                UnixSocket server = entrance.accept();
                Arena arena = Arena.ofShared()) {
            assertEquals("rwx------", permissionsOrMore(path));
            assertEquals(Sched.getpid(), server.peer().pid());
            assertEquals(Sched.getuid(), server.peer().uid());
            byte[] buffer = new byte[16];
            assertEquals(-Errno.EAGAIN, errnoOf(() -> server.receive(buffer, false)));
            MappedMemory memory = MappedMemory.createSealed("test", 4096, MappedMemory.Writers.ALL, arena);
            memory.segment().set(ValueLayout.JAVA_INT, 0, 4711);
            assertEquals(3, client.send(new byte[] {1, 2, 3}, UnixSocket.NO_DESCRIPTOR));
            assertEquals(1, client.send(new byte[] {4}, memory.descriptor()));
            UnixSocket.Message first = server.receive(buffer, true);
            assertEquals(new UnixSocket.Message(3, List.of()), first);
            assertArrayEquals(new byte[] {1, 2, 3}, Arrays.copyOf(buffer, 3));
            UnixSocket.Message second = server.receive(buffer, true);
            assertEquals(1, second.length());
            MappedMemory passed = MappedMemory.ofPassed("test", second.descriptor(), false, 1, 4096, arena);
            assertEquals(4711, passed.segment().get(ValueLayout.JAVA_INT, 0));
            memory.discard();
            assertEquals(0, passed.segment().get(ValueLayout.JAVA_INT, 0));
            client.shutdown();
            assertEquals(0, server.receive(buffer, true).length());
        }
    }

    @Test
    void whoHasGoneWithoutReadingAllIsReadToTheEnd() throws Exception {
        Path path = directory.resolve("socket");
        try (UnixSocket entrance = UnixSocket.listen(path);
                UnixSocket client = UnixSocket.connect(path)) {
            try (UnixSocket server = entrance.accept()) {
                assertEquals(1, client.send(new byte[] {1}, UnixSocket.NO_DESCRIPTOR));
                assertEquals(2, server.send(new byte[] {2, 3}, UnixSocket.NO_DESCRIPTOR));
            }
            byte[] buffer = new byte[16];
            assertEquals(2, client.receiveBytes(buffer, true));
            assertEquals(0, client.receiveBytes(buffer, true));
        }
    }

    /** The number of its descriptor is the next file's. */
    @Test
    void aClosedSocketDoesNothingToTheNextOne() throws Exception {
        Path path = directory.resolve("socket");
        try (UnixSocket entrance = UnixSocket.listen(path)) {
            UnixSocket closed = UnixSocket.connect(path);
            entrance.accept().close();
            closed.close();
            try (UnixSocket next = UnixSocket.connect(path);
                    UnixSocket server = entrance.accept()) {
                closed.close();
                closed.shutdown();
                assertEquals(-Errno.EBADF, closed.send(new byte[] {1}, UnixSocket.NO_DESCRIPTOR));
                byte[] buffer = new byte[16];
                assertEquals(-Errno.EBADF, errnoOf(() -> closed.receive(buffer, false)));
                assertEquals(1, next.send(new byte[] {2}, UnixSocket.NO_DESCRIPTOR));
                assertEquals(1, server.receive(buffer, true).length());
                assertEquals(2, buffer[0]);
            }
        }
    }

    private static String permissionsOrMore(Path path) throws Exception {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        return mode.startsWith("rw-") ? "rwx" + mode.substring(3) : mode;
    }

    @FunctionalInterface
    private interface Refused {
        void run() throws Exception;
    }

    private static int errnoOf(Refused call) {
        return -assertThrows(KernelException.class, call::run).errno();
    }

    @Test
    void pollTellsWhoHasSomething() throws Exception {
        Path path = directory.resolve("socket");
        try (UnixSocket entrance = UnixSocket.listen(path);
                UnixSocket client = UnixSocket.connect(path)) {
            UnixSocket[] sockets = {entrance, client};
            boolean[] ready = new boolean[2];
            assertEquals(1, UnixSocket.poll(sockets, ready, -1));
            assertArrayEquals(new boolean[] {true, false}, ready);
            try (UnixSocket server = entrance.accept()) {
                assertEquals(0, UnixSocket.poll(sockets, ready, 0));
                assertArrayEquals(new boolean[] {false, false}, ready);
                assertEquals(1, server.send(new byte[1], UnixSocket.NO_DESCRIPTOR));
                assertEquals(1, UnixSocket.poll(sockets, ready, -1));
                assertArrayEquals(new boolean[] {false, true}, ready);
            }
            FutureTask<Integer> waiting =
                    new FutureTask<>(() -> UnixSocket.poll(new UnixSocket[] {entrance}, new boolean[1], -1));
            Thread.ofPlatform().start(waiting);
            entrance.shutdown();
            assertEquals(1, waiting.get());
        }
    }

    @Test
    void whoIsNotThereIsNamed() throws Exception {
        Path path = directory.resolve("socket");
        assertEquals(-Errno.ENOENT, errnoOf(() -> UnixSocket.connect(path).close()));
        UnixSocket.listen(path).close();
        assertEquals(-Errno.ECONNREFUSED, errnoOf(() -> UnixSocket.connect(path).close()));
        assertEquals(-Errno.EADDRINUSE, errnoOf(() -> UnixSocket.listen(path).close()));
        Path tooLong = directory.resolve("x".repeat(200));
        assertThrows(
                IllegalArgumentException.class, () -> UnixSocket.listen(tooLong).close());
    }

    @Test
    void memoryThatCouldShrinkIsRefusedAndAReadersMappingCannotBeWritten() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MappedMemory open = MappedMemory.createAnonymous("test", 4096, arena);
            assertEquals(-Errno.EPERM, errnoOf(() -> MappedMemory.ofPassed("test", copy(open), false, 1, 4096, arena)));
            MappedMemory page = MappedMemory.createSealed("test", 4096, MappedMemory.Writers.CREATOR, arena);
            assertEquals(-Errno.EPERM, errnoOf(() -> MappedMemory.ofPassed("test", copy(page), false, 1, 4096, arena)));
            MappedMemory reader = MappedMemory.ofPassed("test", copy(page), true, 1, 4096, arena);
            page.segment().set(ValueLayout.JAVA_INT, 0, 5);
            assertEquals(5, reader.segment().get(ValueLayout.JAVA_INT, 0));
            assertTrue(reader.segment().isReadOnly());
            assertFalse(page.segment().isReadOnly());
        }
    }

    /** The same memory by another descriptor, as another process gets it. */
    private int copy(MappedMemory memory) throws Exception {
        Path path = directory.resolve("copy");
        Files.deleteIfExists(path);
        try (UnixSocket entrance = UnixSocket.listen(path);
                UnixSocket client = UnixSocket.connect(path);
                UnixSocket server = entrance.accept()) {
            assertEquals(1, client.send(new byte[1], memory.descriptor()));
            return server.receive(new byte[1], true).descriptor();
        }
    }
}
