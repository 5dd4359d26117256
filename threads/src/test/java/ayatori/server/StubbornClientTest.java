package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.internal.shm.Messages;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that keep within the letter of the rules and would have the server wait, spin or remember for them without end. */
@Timeout(60)
class StubbornClientTest {
    private static final int HOLD = -1;
    /** Before it looks if it has been dropped. */
    private static final int OFTEN = 1000;
    /** What a socket and the server hold of them at most is far less. */
    private static final int MOST_UNREAD = 5000;

    @TempDir
    private Path directory;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Endpoint<Area, Area> endpoint =
            Endpoint.<Area, Area>builder().name("patient").build();
    private PublishedEndpoint door;

    @BeforeEach
    void publish() throws IOException {
        endpoint.serve(1, request -> {
            if (request.body().segment().get(ValueLayout.JAVA_INT, 0) == HOLD) {
                gate.await();
            }
            request.reply(request.body());
        });
        door = PublishedEndpoint.at(path()).publish(endpoint);
    }

    @AfterEach
    void close() {
        gate.countDown();
        endpoint.close();
    }

    private Path path() {
        return directory.resolve("patient");
    }

    private static Descriptor asks() {
        return new Descriptor(5, 0, 0, 64, 64);
    }

    @Test
    void whoseBellRingsForNothingIsDropped() throws Exception {
        try (RawClient raw = new RawClient(path())) {
            Waiting.until("dropped", () -> {
                for (int i = 0; i < OFTEN; i++) {
                    raw.memory.ringBell();
                }
                return door.clients() == 0;
            });
            assertTrue(RawClient.end(raw.socket).contains("wakes servers again and again"));
        }
    }

    @Test
    void oneRequestNowAndThenDoesNotPayForAllThat() throws Exception {
        try (RawClient raw = new RawClient(path())) {
            Waiting.until("dropped", () -> {
                if (raw.memory.isAnswered(0) || ConnectionMemory.phase(raw.state(0)) == ConnectionMemory.FREE) {
                    raw.memory.fill(0, asks());
                    raw.memory.submit(0, 0); // whose bell would count too, and might be what it is dropped for
                }
                for (int i = 0; i < Patience.MOST / 4; i++) {
                    raw.socket.send(Messages.of(Messages.RING), UnixSocket.NO_DESCRIPTOR);
                    Thread.onSpinWait();
                }
                return door.clients() == 0;
            });
            assertTrue(RawClient.end(raw.socket).contains("rings again and again"));
        }
    }

    @Test
    void whoDelegatesForWhomNobodyKnowsIsDropped() throws Exception {
        try (RawClient raw = new RawClient(path())) {
            Waiting.until("dropped", () -> {
                for (int i = 0; i < OFTEN; i++) {
                    raw.submit(i % ConnectionMemory.SLOTS, new Descriptor(5, ConnectionMemory.DELEGATED, 99, 0, 0));
                }
                return door.clients() == 0;
            });
            assertTrue(RawClient.end(raw.socket).contains("delegates again and again"));
        }
    }

    @Test
    void aRequestPaysForSomeRingsAndNotForAll() {
        Patience patience = new Patience();
        patience.paid();
        for (int i = 0; i < Patience.MOST; i++) {
            assertTrue(patience.outlasts());
        }
        assertFalse(patience.outlasts());
        patience.paid();
        for (int i = 0; i < Patience.OF_A_REQUEST - 1; i++) {
            assertTrue(patience.outlasts());
        }
        assertFalse(patience.outlasts());
    }

    /** Each of another one, so that each answer is another message. */
    @Test
    void whoHasItselfToldWithoutReadingIsDropped() throws Exception {
        try (RawClient raw = new RawClient(path())) {
            ConnectionMemory guest = ConnectionMemory.create("guest", RawClient.AREAS);
            int number = 0;
            while (number < MOST_UNREAD
                    && isHeard(raw, Messages.of(Messages.GUEST, number), guest.descriptor())
                    && isHeard(raw, Messages.of(Messages.FORGET, number), UnixSocket.NO_DESCRIPTOR)) {
                number++;
            }
            guest.closeDescriptor();
            assertTrue(number < MOST_UNREAD, number + " answers that nobody reads");
            Waiting.until("dropped", () -> door.clients() == 0);
        }
    }

    /** Sends once there is room; false: the connection is over. */
    private static boolean isHeard(RawClient raw, byte[] message, int passed) {
        int[] sent = new int[1];
        Waiting.until("room", () -> {
            sent[0] = raw.socket.send(message, passed);
            return sent[0] != -Errno.EAGAIN;
        });
        return sent[0] > 0;
    }

    @Test
    void whoSubmitsInSpiteOfTheClosedPageIsRefusedAndWhatCameBeforeIsAnswered() throws Exception {
        try (RawClient early = new RawClient(path());
                RawClient late = new RawClient(path())) {
            early.area().set(ValueLayout.JAVA_INT, 0, HOLD);
            early.submit(0, asks());
            Waiting.until("taken", () -> ConnectionMemory.phase(early.state(0)) == ConnectionMemory.TAKEN);
            early.submit(1, asks());
            FutureTask<Void> close = new FutureTask<>(door::close, null);
            Thread.ofPlatform().start(close);
            Waiting.until("one collected", () -> early.memory.pending() == 0);
            for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
                late.submit(slot, asks());
            }
            FutureTask<Void> submits = new FutureTask<>(() -> {
                while (!close.isDone()) {
                    late.submit(0, asks());
                }
                return null;
            });
            Thread.ofPlatform().start(submits);
            assertFalse(close.isDone());
            gate.countDown();
            Waiting.until("closed", close::isDone);
            submits.get();
            for (int slot = 0; slot < 2; slot++) {
                assertEquals(ConnectionMemory.RESULT, early.memory.answer(slot).kind());
            }
            for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
                assertNotEquals(
                        ConnectionMemory.RESULT, late.memory.answer(slot).kind());
            }
        }
    }
}
