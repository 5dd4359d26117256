package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.AddressBudget;
import ayatori.internal.linux.MappedMemory;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.Messages;
import ayatori.internal.shm.ServerPage;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client of a server that breaks the rules gets an exception, and says why. */
@Timeout(60)
class HostileServerTest {
    /** Of the page. */
    private static final int VERSION = 2;

    private static final long SLOTS_BYTES = 256L * ConnectionMemory.SLOTS;
    // What the test writes to behind ConnectionMemory's back.
    private static final long STATE = 16;
    private static final long TEXT_LENGTH = 72;

    @TempDir
    private Path directory;

    private Path path() {
        return directory.resolve("server");
    }

    @FunctionalInterface
    private interface Greeting {
        void greet(UnixSocket client) throws Exception;
    }

    private static long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private void refuses(String words, Greeting greeting) throws Exception {
        Files.deleteIfExists(path());
        long before = descriptors();
        try (UnixSocket entrance = UnixSocket.listen(path())) {
            FutureTask<Void> server = new FutureTask<>(() -> {
                try (UnixSocket client = entrance.accept()) {
                    greeting.greet(client);
                }
                return null;
            });
            Thread.ofPlatform().start(server);
            IOException refused = assertThrows(IOException.class, () -> SharedEndpoint.connect(path()));
            assertTrue(refused.toString().contains(words), refused::toString);
            server.get();
        }
        Waiting.until("descriptors", () -> descriptors() <= before);
    }

    /** A page that is not quite one. */
    private static void passPage(UnixSocket client, long size, long offset, int number) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MappedMemory page = MappedMemory.createSealed("page", size, MappedMemory.Writers.CREATOR, arena);
            page.segment().set(ValueLayout.JAVA_LONG, 0, 0x4159_4154_4f52_4950L);
            page.segment().set(ValueLayout.JAVA_INT, 8, VERSION);
            page.segment().set(ValueLayout.JAVA_INT, offset, number);
            assertEquals(1, client.send(Messages.of(Messages.WELCOME), page.descriptor()));
        }
    }

    @Test
    void aGreetingThatIsNoneIsRefusedInWords() throws Exception {
        refuses("another protocol", client -> client.send(Messages.of(Messages.WELCOME), UnixSocket.NO_DESCRIPTOR));
        refuses("another protocol", client -> client.send(Messages.of(Messages.READY), UnixSocket.NO_DESCRIPTOR));
        refuses("closed the connection", client -> client.send(new byte[0], UnixSocket.NO_DESCRIPTOR));
        refuses("go away", client -> client.send(Messages.refusal("go away"), UnixSocket.NO_DESCRIPTOR));
        refuses("no page of an Ayatori server", client -> passPage(client, 4096, 0, 1));
        refuses("version 77", client -> passPage(client, 4096, 8, 77));
        refuses("has 100 bytes", client -> passPage(client, 100, 8, VERSION));
        refuses("has 8192 bytes", client -> passPage(client, 8192, 8, VERSION));
        refuses("closed the connection", client -> passPage(client, 4096, 8, VERSION));
        refuses("EPERM", client -> {
            try (Arena arena = Arena.ofShared()) {
                MappedMemory page = MappedMemory.createAnonymous("page", 4096, arena);
                client.send(Messages.of(Messages.WELCOME), page.descriptor());
            }
        });
        refuses("another protocol", client -> {
            passPage(client, 4096, 8, VERSION);
            client.receive(new byte[1], true).discard();
            client.send(Messages.of(Messages.WELCOME), UnixSocket.NO_DESCRIPTOR);
        });
    }

    @Test
    void aServerThatSaysNothingIsGivenUp() throws Exception {
        try (UnixSocket _ = UnixSocket.listen(path())) {
            IOException refused = assertThrows(IOException.class, () -> SharedEndpoint.connect(path()));
            assertTrue(refused.toString().contains("does not answer"), refused::toString);
        }
    }

    /** A server of one client that does what it is told to. */
    private final class Fake implements AutoCloseable {
        final UnixSocket entrance = UnixSocket.listen(path());
        final ServerPage page = ServerPage.create("fake", ServerPage.LENDS, Thread.MIN_PRIORITY);
        final SharedEndpoint client;
        final UnixSocket socket;
        final ConnectionMemory memory;
        final MemorySegment slots;

        Fake() throws Exception {
            FutureTask<SharedEndpoint> connect = new FutureTask<>(() -> SharedEndpoint.connect(path(), 4096));
            Thread.ofPlatform().start(connect);
            socket = entrance.accept();
            socket.send(Messages.of(Messages.WELCOME), page.descriptor());
            page.closeDescriptor();
            memory = ConnectionMemory.ofPassed(socket.receive(new byte[1], true).descriptor(), AddressBudget.PROCESS);
            slots = memory.area(-SLOTS_BYTES, SLOTS_BYTES, Arena.ofAuto());
            socket.send(Messages.of(Messages.READY), UnixSocket.NO_DESCRIPTOR);
            client = connect.get();
        }

        /** Calls; the answer is given once the request has come to the first slot. */
        ExecutionException fails(Runnable answer) throws Exception {
            FutureTask<Area> call = new FutureTask<>(() -> client.call(client.allocate(64)));
            Thread.ofPlatform().start(call);
            Waiting.until("a request", () -> memory.collect() == 1);
            answer.run();
            memory.wakeStateWaiters(0);
            return assertInstanceOf(
                    ExecutionException.class,
                    assertThrows(ExecutionException.class, call::get).getCause());
        }

        @Override
        public void close() {
            client.close();
            socket.close();
            entrance.close();
        }
    }

    @Test
    void anAnswerThatCannotBeIsAnExceptionAndTheAreaIsFree() throws Exception {
        try (Fake server = new Fake()) {
            for (long length : new long[] {-1, 65, 257, Long.MAX_VALUE, Long.MIN_VALUE}) {
                Throwable cause = server.fails(
                                () -> server.memory.answer(0, new Answer(ConnectionMemory.RESULT, length, "")))
                        .getCause();
                assertInstanceOf(ServerDiedException.class, cause);
                assertTrue(cause.toString().contains("cannot be"), cause::toString);
            }
            for (int length : new int[] {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 100_000}) {
                Throwable cause = server.fails(() -> {
                            server.slots.set(ValueLayout.JAVA_INT, TEXT_LENGTH, length);
                            server.slots.set(ValueLayout.JAVA_INT, TEXT_LENGTH - 4, 77);
                            server.slots.set(ValueLayout.JAVA_INT, STATE, ConnectionMemory.ANSWERED);
                        })
                        .getCause();
                assertInstanceOf(ServerException.class, cause);
            }
            assertEquals(0, server.client.statistics().areaBytes());
        }
    }

    @Test
    void aStateThatIsNoneKeepsACallToItsDeadlineAndToTheEndOfTheServer() throws Exception {
        try (Fake server = new Fake()) {
            for (int state : new int[] {ConnectionMemory.FREE, 7, 15, -1, Integer.MIN_VALUE}) {
                Area area = server.client.allocate(64);
                FutureTask<Area> call = new FutureTask<>(() -> server.client.call(area, Duration.ofMillis(50)));
                Thread.ofPlatform().start(call);
                Waiting.until("a request", () -> {
                    long found = server.memory.collect();
                    if (found != 0) {
                        long slot = Long.numberOfTrailingZeros(found);
                        server.slots.set(ValueLayout.JAVA_INT, 256 * slot + STATE, state);
                    }
                    return found != 0;
                });
                assertInstanceOf(
                        TimeoutException.class,
                        assertThrows(ExecutionException.class, call::get).getCause());
            }
            FutureTask<Area> call = new FutureTask<>(() -> server.client.call(server.client.allocate(64)));
            Thread.ofPlatform().start(call);
            Waiting.until("a request", () -> server.memory.collect() != 0);
            server.socket.shutdown();
            Throwable failed = assertThrows(ExecutionException.class, call::get).getCause();
            assertInstanceOf(
                    ServerDiedException.class,
                    assertInstanceOf(ExecutionException.class, failed).getCause());
        }
    }

    @Test
    void messagesWithoutEndEndTheConnection() throws Exception {
        for (byte kind : new byte[] {Messages.RETURNED, 77}) {
            Files.deleteIfExists(path());
            try (Fake server = new Fake()) {
                int sent = 0;
                while (sent != -32 && sent != -104) { // EPIPE, ECONNRESET
                    sent = server.socket.send(Messages.of(kind), UnixSocket.NO_DESCRIPTOR);
                }
                Waiting.until("over", server.client::isClosed);
            }
        }
    }
}
