package ayatori.server;

import ayatori.internal.linux.HostilePeer;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.Messages;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that pass a descriptor whose close waits for them, in each place where one can come: the door goes on for all others. */
@Timeout(60)
class LingeringClientTest {
    private static final int CLIENTS = 3;
    private static final byte[] MEMORY = Messages.of(Messages.MEMORY);
    private static final byte[] RING = Messages.of(Messages.RING);

    @TempDir
    private Path directory;

    private final Endpoint<Area, Area> endpoint =
            Endpoint.<Area, Area>builder().name("door").build();
    private PublishedEndpoint door;
    /** Accepts nobody, so that nobody reads. */
    private ServerSocket sink;

    @BeforeEach
    void publish() throws IOException {
        sink = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        endpoint.serve(1, request -> request.reply(request.body()));
        door = PublishedEndpoint.at(path()).publish(endpoint);
    }

    /** That the door itself ends is what {@code close} waits for. */
    @AfterEach
    void close() throws Exception {
        try {
            FutureTask<Void> close = new FutureTask<>(door::close, null);
            Thread.ofPlatform().daemon().start(close);
            Waiting.until("closed", close::isDone);
            endpoint.close();
        } finally {
            sink.close(); // which resets the connections: nobody lingers any more
        }
    }

    private Path path() {
        return directory.resolve("door");
    }

    /** To be passed, and closed here. */
    private int lingering() throws IOException {
        try {
            return HostilePeer.lingering(sink.getLocalPort());
        } catch (Throwable t) {
            throw new IOException(t);
        }
    }

    /** If the server closes it before this process has, the thread that does so here waits, and is left behind. */
    private void pass(ToIntFunction<Integer> send) throws IOException {
        int lingering = lingering();
        HostilePeer.close(-1); // warm, to be the quicker one
        AtomicBoolean sent = new AtomicBoolean();
        Thread.ofPlatform().daemon().start(() -> {
            var _ = send.applyAsInt(lingering);
            sent.set(true);
            HostilePeer.close(lingering);
        });
        Waiting.until("passed", sent::get);
    }

    private void pass(UnixSocket socket, byte[] message) throws IOException {
        pass(lingering -> socket.send(message, lingering));
    }

    private void othersAreServed() throws Exception {
        FutureTask<Void> other = new FutureTask<>(() -> {
            try (SharedEndpoint client = SharedEndpoint.connect(path(), 4096)) {
                client.call(client.allocate(64)).close();
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(other);
        Waiting.until("another client served", other::isDone);
        other.get();
    }

    @Test
    void inPlaceOfMemory() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            try (UnixSocket socket = RawClient.knock(path())) {
                pass(socket, MEMORY);
                othersAreServed();
            }
        }
    }

    @Test
    void withARing() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            try (RawClient raw = new RawClient(path())) {
                pass(raw.socket, RING);
                othersAreServed();
            }
        }
    }

    @Test
    void inPlaceOfAGuestsMemory() throws Exception {
        try (RawClient raw = new RawClient(path())) {
            for (int i = 0; i < CLIENTS; i++) {
                pass(raw.socket, Messages.of(Messages.GUEST, i));
            }
            othersAreServed();
        }
    }

    @Test
    void besideAnotherDescriptor() throws Throwable {
        int second = HostilePeer.sealed(1 << 20, false);
        for (int i = 0; i < CLIENTS; i++) {
            try (HostilePeer peer = new HostilePeer(path())) {
                pass(lingering -> {
                    try {
                        peer.send(MEMORY, second, lingering, second);
                    } catch (Throwable t) {
                        throw new IllegalStateException(t);
                    }
                    return 1;
                });
                othersAreServed();
            }
        }
        HostilePeer.close(second);
    }

    @Test
    void inAMessageThatNobodyReads() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            try (RawClient raw = new RawClient(path())) {
                pass(lingering -> {
                    raw.socket.send(new byte[] {77}, UnixSocket.NO_DESCRIPTOR);
                    return raw.socket.send(RING, lingering);
                });
            }
        }
        othersAreServed();
    }
}
