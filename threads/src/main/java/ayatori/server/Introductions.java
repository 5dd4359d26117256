package ayatori.server;

import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.Messages;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Clients of this process that a server in another process knows, so that it can answer requests of theirs. Thread-safe. */
final class Introductions {
    private final UnixSocket socket;
    /** For messages. */
    private final String server;

    private final Map<Connection, Guest> guests = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    /** Why it is over; null: it is not. */
    private volatile @Nullable String end;

    /** A client of which the server has been told. */
    private record Guest(int number, CompletableFuture<Boolean> known) {}

    Introductions(UnixSocket socket, String server) {
        this.socket = socket;
        this.server = server;
    }

    /**
     * Has the server know a client.
     *
     * @return its number there
     */
    int introduce(Connection client) throws InterruptedException {
        Guest made = new Guest(numbers.incrementAndGet(), new CompletableFuture<>());
        Guest known = guests.putIfAbsent(client, made);
        Guest guest = known == null ? made : known;
        if (known == null // and the answer finds it
                && client.passMemory(socket, Messages.of(Messages.GUEST, made.number)) < 0) {
            made.known.complete(false);
        }
        client.introducedTo(this);
        try {
            if (end != null || !guest.known.get()) { // over() completes those that it finds
                throw new RejectedExecutionException(end == null ? server + " cannot be told of a client" : end);
            }
        } catch (ExecutionException e) {
            throw new AssertionError("nobody fails it", e);
        }
        return guest.number;
    }

    /** A client is gone. */
    void forget(Connection client) {
        Guest guest = guests.remove(client);
        if (guest != null) {
            var _ = socket.send(Messages.of(Messages.FORGET, guest.number), UnixSocket.NO_DESCRIPTOR);
        }
    }

    /** Does what the server says of a client; false: nothing came of it. */
    boolean heed(byte[] buffer, int length) {
        int number = Messages.number(buffer, length);
        boolean[] found = new boolean[1];
        guests.forEach((client, guest) -> {
            if (guest.number == number && buffer[0] == Messages.KNOWN) {
                found[0] = guest.known.complete(true);
            } else if (guest.number == number && buffer[0] == Messages.RELAY) {
                client.ring();
                found[0] = true;
            }
        });
        return found[0];
    }

    /** The server has ended, or the connection to it. */
    void over(String reason) {
        end = reason;
        guests.values().forEach(guest -> guest.known.complete(false));
    }

    /** Those that the server knows. */
    Set<Connection> clients() {
        return guests.keySet();
    }
}
