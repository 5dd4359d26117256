package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.linux.AddressBudget;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.internal.shm.Messages;
import ayatori.internal.shm.ServerPage;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server is told of clients, when these end at any time and when it does not read: it is never left with one that is gone. */
@Timeout(60)
class IntroductionsTest {
    private static final int ROUNDS = 300;
    /** As often as this test's time would not do for a wait each. */
    private static final int AGAIN = 20;

    @TempDir
    private Path directory;

    private final Endpoint<Area, Area> endpoint =
            Endpoint.<Area, Area>builder().name("host").build();
    private UnixSocket entrance;
    private UnixSocket toServer;
    /** The server's end. */
    private UnixSocket server;

    private Introductions introductions;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void connect() throws IOException {
        entrance = UnixSocket.listen(directory.resolve("server"));
        toServer = UnixSocket.connect(directory.resolve("server"));
        server = entrance.accept();
        open.addAll(List.of(endpoint, entrance, toServer, server));
        introductions = new Introductions(toServer, "the server");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private Connection client() throws IOException {
        ServerPage page = ServerPage.create("host", 0, Thread.MIN_PRIORITY);
        page.closeDescriptor();
        Doorkeeper door = new Doorkeeper(
                endpoint, directory.resolve("host"), entrance, page, new PublishedEndpoint.Rules(Map.of(), 10));
        UnixSocket socket = UnixSocket.connect(directory.resolve("server"));
        entrance.accept().close();
        open.add(socket);
        ConnectionMemory memory = ConnectionMemory.create("client", 4096);
        return new Connection(door, socket, new UnixSocket.Peer(1, 0, 0), 10, false, memory, AddressBudget.PROCESS);
    }

    private FutureTask<Integer> introduce(Connection client) {
        FutureTask<Integer> introduced = new FutureTask<>(() -> introductions.introduce(client));
        Thread thread = Thread.ofPlatform().start(introduced);
        Waiting.until(
                "a wait or the end",
                () -> thread.getState() == Thread.State.WAITING
                        || thread.getState() == Thread.State.TIMED_WAITING
                        || introduced.isDone());
        return introduced;
    }

    private void say(byte kind, int number) {
        byte[] message = Messages.of(kind, number);
        assertTrue(introductions.heed(message, message.length));
    }

    /** The number in the next message of a kind; those of other kinds are read and left. */
    private int next(byte kind) {
        byte[] buffer = new byte[Messages.LONGEST];
        int[] number = new int[1];
        Waiting.until("message " + kind, () -> {
            try {
                UnixSocket.Message message = server.receive(buffer, false);
                message.discard();
                number[0] = Messages.number(buffer, message.length());
                return buffer[0] == kind;
            } catch (KernelException e) {
                assertEquals(Errno.EAGAIN, e.errno());
                return false;
            }
        });
        return number[0];
    }

    private void fill() {
        int sent = 0;
        while (sent >= 0) {
            sent = toServer.send(Messages.of(Messages.RING), UnixSocket.NO_DESCRIPTOR);
        }
        assertEquals(-Errno.EAGAIN, sent);
    }

    private static void isRejected(FutureTask<Integer> introduced, String words) {
        Throwable why = assertThrows(ExecutionException.class, introduced::get).getCause();
        assertInstanceOf(RejectedExecutionException.class, why);
        assertTrue(why.toString().contains(words), why::toString);
    }

    @Test
    void oneThatIsGoneAlreadyIsNotKept() throws Exception {
        Connection client = client();
        client.clientGone();
        isRejected(introduce(client), "ESRCH");
        assertEquals(Set.of(), introductions.clients());
    }

    @Test
    void whoWaitsForTheServersWordOfOneThatEndsIsTold() throws Exception {
        Connection client = client();
        FutureTask<Integer> first = introduce(client);
        FutureTask<Integer> second = introduce(client);
        int number = next(Messages.GUEST);
        client.clientGone();
        isRejected(first, "gone");
        isRejected(second, "gone");
        assertEquals(number, next(Messages.FORGET));
        assertEquals(Set.of(), introductions.clients());
    }

    /** It takes the longer the more there are, and what is left of one client is nobody else's matter. */
    @Test
    void thePagesOfOneThatEndsAreGivenBackByWhoDoesNothingElse() throws Exception {
        Connection client = client();
        MemorySegment areas = client.memory().area(0, 8, Arena.ofAuto());
        areas.set(ValueLayout.JAVA_LONG, 0, 4711);
        CountDownLatch before = new CountDownLatch(1);
        client.remains().giveBack(() -> Inheritance.awaitUninterruptibly(before));
        client.clientGone();
        assertEquals(4711, areas.get(ValueLayout.JAVA_LONG, 0));
        before.countDown();
        Waiting.until("given back", () -> areas.get(ValueLayout.JAVA_LONG, 0) == 0);
    }

    @Test
    void oneThatEndsMeanwhileIsForgottenOnBothSides() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Connection client = client();
            CyclicBarrier start = new CyclicBarrier(2);
            FutureTask<Void> end = new FutureTask<>(() -> {
                start.await();
                client.clientGone();
                return null;
            });
            Thread.ofPlatform().start(end);
            start.await();
            assertThrows(RejectedExecutionException.class, () -> introductions.introduce(client));
            end.get();
            assertEquals(Set.of(), introductions.clients());
            assertEquals(Set.of(), known());
        }
    }

    /** Numbers of those that the server has been told of and not told to forget, since the last time. */
    private Set<Integer> known() throws IOException {
        Set<Integer> known = new HashSet<>();
        byte[] buffer = new byte[Messages.LONGEST];
        try {
            while (true) {
                UnixSocket.Message message = server.receive(buffer, false);
                message.discard();
                int number = Messages.number(buffer, message.length());
                var _ = buffer[0] == Messages.GUEST ? known.add(number) : known.remove(number);
            }
        } catch (KernelException e) {
            assertEquals(Errno.EAGAIN, e.errno());
            return known;
        }
    }

    @Test
    void aServerThatHasNotReadYetIsToldWhenItHas() throws Exception {
        Connection client = client();
        fill();
        FutureTask<Integer> introduced = introduce(client);
        int number = next(Messages.GUEST);
        say(Messages.KNOWN, number);
        assertEquals(number, introduced.get());
        fill();
        client.clientGone();
        assertEquals(Set.of(), introductions.clients());
        assertEquals(number, next(Messages.FORGET));
    }

    @Test
    void whoIsInterruptedBeforeThereIsRoomMayTryAgain() throws Exception {
        Connection client = client();
        fill();
        FutureTask<Void> interrupted = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> introductions.introduce(client));
            return null;
        });
        Thread.ofPlatform().start(interrupted);
        interrupted.get();
        assertEquals(Set.of(), introductions.clients());
        FutureTask<Integer> again = introduce(client);
        int number = next(Messages.GUEST);
        say(Messages.KNOWN, number);
        assertEquals(number, again.get());
    }

    /** That it is waited for once only is held by the test's own limit. */
    @Test
    void aServerThatDoesNotSayIfItLetsClientsInIsWaitedForOnceUntilItDoes() throws Exception {
        Connection client = client();
        isRejected(introduce(client), "within 5 s");
        int number = next(Messages.GUEST);
        for (int i = 0; i < AGAIN; i++) {
            isRejected(introduce(client), "within 5 s");
            isRejected(introduce(client()), "within 5 s");
        }
        say(Messages.KNOWN, number);
        assertEquals(number, introduce(client).get());
        Connection other = client();
        Waiting.until("the others read", () -> known().size() == AGAIN);
        FutureTask<Integer> introduced = introduce(other);
        say(Messages.KNOWN, next(Messages.GUEST));
        assertTrue(introduced.get() > number, "one that comes after it has spoken is waited for");
    }

    @Test
    void aServerThatNeverHasRoomIsWaitedForOnce() throws Exception {
        fill();
        for (int i = 0; i < AGAIN; i++) {
            isRejected(introduce(client()), "EAGAIN");
        }
        assertEquals(Set.of(), introductions.clients());
    }

    @Test
    void aServerThatTakesNothingIsWaitedForOnce() throws Exception {
        Path last = directory.resolve("last");
        try (Endpoint<Area, Area> unserved =
                        Endpoint.<Area, Area>builder().name("last").build();
                PublishedEndpoint _ = PublishedEndpoint.at(last).publish(unserved)) {
            ClientConnection to = ClientConnection.open(last, 4096, false);
            for (int i = 0; i < ConnectionMemory.SLOTS; i++) {
                to.submitDelegated(5, 1, 0, false);
            }
            for (int i = 0; i < AGAIN; i++) {
                RejectedExecutionException refused =
                        assertThrows(RejectedExecutionException.class, () -> to.submitDelegated(5, 1, 0, false));
                assertTrue(refused.toString().contains("it takes none"), refused::toString);
            }
            to.close();
        }
    }

    @Test
    void whatAServerHasAnsweredAndNotSaidWhenItEndsIsHeardOf() throws Exception {
        Path last = directory.resolve("last");
        Connection client = client();
        try (Endpoint<Area, Area> served =
                        Endpoint.<Area, Area>builder().name("last").build();
                PublishedEndpoint _ = PublishedEndpoint.at(last).publish(served)) {
            ClientConnection to = ClientConnection.open(last, 4096, false);
            ConnectionMemory memory = client.memory();
            memory.fill(0, new Descriptor(5, ConnectionMemory.ASYNCHRONOUS, 0, 64, 64));
            memory.submit(0, 0);
            int submitted = memory.state(0);
            RemoteRequest request = new RemoteRequest(client, 0, submitted, memory.descriptor(0));
            var _ = client.delegates(0, request, to, submitted, ConnectionMemory.ASYNCHRONOUS);
            var _ = memory.answer(0, new Answer(ConnectionMemory.RESULT, 64, ""));
            client.failDelegations(to, "the server has ended");
            assertEquals(1, memory.takeReturned());
            assertEquals(ConnectionMemory.RESULT, memory.answer(0).kind());
            to.close();
        }
    }
}
