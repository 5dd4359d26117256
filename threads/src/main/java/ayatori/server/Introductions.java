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

    /**
     * A client of which the server has been told.
     *
     * @param flaw why the server does not know it; empty: it does
     */
    private record Guest(int number, CompletableFuture<String> flaw) {}

    Introductions(UnixSocket socket, String server) {
        this.socket = socket;
        this.server = server;
    }

    /**
     * Has the server know a client.
     *
     * @return its number there
     * @throws RejectedExecutionException if the server does not let it in, or the connection is over
     */
    int introduce(Connection client) throws InterruptedException {
        Guest made = new Guest(numbers.incrementAndGet(), new CompletableFuture<>());
        Guest known = guests.putIfAbsent(client, made);
        Guest guest = known == null ? made : known;
        if (known == null // and the answer finds it
                && client.passMemory(socket, Messages.of(Messages.GUEST, made.number)) < 0) {
            made.flaw.complete(server + " cannot be told of the client");
        }
        client.introducedTo(this);
        String over = end;
        if (over != null) { // and over() may have missed it
            guest.flaw.complete(over);
        }
        try {
            String flaw = guest.flaw.get();
            if (!flaw.isEmpty()) {
                throw new RejectedExecutionException(flaw);
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
            if (guest.number == number) {
                found[0] = heed(buffer, length, client, guest);
            }
        });
        return found[0];
    }

    private boolean heed(byte[] buffer, int length, Connection client, Guest guest) {
        switch (buffer[0]) {
            case Messages.KNOWN -> {
                return guest.flaw.complete("");
            }
            case Messages.UNKNOWN -> {
                guests.remove(client, guest); // the next time it may be another matter
                // What is wrong comes first, since a client is told only so much.
                return guest.flaw.complete(Messages.textBehindNumber(buffer, length) + " (says " + server + ")");
            }
            case Messages.RELAY -> {
                client.ring();
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    /** The server has ended, or the connection to it. */
    void over(String reason) {
        end = reason;
        guests.values().forEach(guest -> guest.flaw.complete(reason));
    }

    /** Those that the server knows. */
    Set<Connection> clients() {
        return guests.keySet();
    }
}
