package ayatori.server;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.Messages;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Clients of this process that a server in another process knows, so that it can answer requests of theirs. Thread-safe. */
final class Introductions {
    /** A server reads again within as much. */
    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A server that has not answered within so long is not to keep this one from its other clients. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final UnixSocket socket;
    private final Messenger messenger;
    /** For messages. */
    private final String server;

    private final Map<Connection, Guest> guests = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    /** It has let somebody wait for so long, and said nothing of any client since: nobody waits for it any more until it does. */
    private volatile boolean silent;
    /** Why it is over; null: it is not. */
    private volatile @Nullable String end;

    /**
     * A client of which the server has been told.
     *
     * @param deadline nanoTime, until when anybody waits for what the server says of it; it may say so later
     * @param flaw why the server does not know it; empty: it does
     */
    private record Guest(int number, long deadline, CompletableFuture<String> flaw) {
        boolean isWaitedFor() {
            return deadline - System.nanoTime() > 0;
        }
    }

    Introductions(UnixSocket socket, String server) {
        this.socket = socket;
        messenger = new Messenger(socket, socket::shutdown); // then it forgets all of them
        this.server = server;
    }

    /**
     * Has the server know a client.
     *
     * @return its number there
     * @throws RejectedExecutionException if the server does not let it in, or does not say so, or the connection is over
     */
    int introduce(Connection client) throws InterruptedException {
        long deadline = System.nanoTime() + (silent ? 0 : MOST_NANOS);
        Guest made = new Guest(numbers.incrementAndGet(), deadline, new CompletableFuture<>());
        Guest known = guests.putIfAbsent(client, made);
        Guest guest = known == null ? made : known;
        if (known == null) {
            tellOf(client, guest);
        }
        String over = end;
        if (over != null) { // and over() may have missed it
            guest.flaw.complete(over);
        }
        try {
            String flaw = guest.flaw.get(Math.max(0, guest.deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (!flaw.isEmpty()) {
                throw new RejectedExecutionException(flaw);
            }
        } catch (TimeoutException e) {
            silent = true;
            throw new RejectedExecutionException(
                    server + " has not said within " + TimeUnit.NANOSECONDS.toSeconds(MOST_NANOS)
                            + " s if it lets the client in: it is stopped, or has no CPU",
                    e);
        } catch (ExecutionException e) {
            throw new AssertionError("nobody fails it", e);
        }
        return guest.number;
    }

    /** While there is no room, the server has more to read than it could answer anyway: then it is told later, or the next time. */
    private void tellOf(Connection client, Guest guest) throws InterruptedException {
        client.introducedTo(this); // first: it is forgotten by whoever finds it gone, from now on
        byte[] message = Messages.of(Messages.GUEST, guest.number);
        int sent = client.passMemory(socket, message);
        while (sent == -Errno.EAGAIN && end == null && guest.isWaitedFor()) {
            LockSupport.parkNanos(ROOM_NANOS);
            if (Thread.interrupted()) {
                remove(client, guest, "interrupted while " + server + " was to be told of the client");
                throw new InterruptedException("while " + server + " had no room for a message");
            }
            sent = client.passMemory(socket, message);
        }
        if (sent < 0) {
            silent |= sent == -Errno.EAGAIN;
            remove(client, guest, server + " cannot be told of the client: " + Errno.name(sent));
        } else if (client.isClientGone()) { // perhaps forgotten before the server was told
            forget(client, guest);
        }
    }

    /** The next time it may be another matter. */
    private boolean remove(Connection client, Guest guest, String flaw) {
        guests.remove(client, guest);
        return guest.flaw.complete(flaw);
    }

    /** A client is gone. */
    void forget(Connection client) {
        Guest guest = guests.get(client);
        if (guest != null) {
            forget(client, guest);
        }
    }

    /** The caller must not wait for room, and the server must be told: else it keeps the client's memory. */
    private void forget(Connection client, Guest guest) {
        var _ = remove(client, guest, "the client is gone");
        messenger.send(Messages.of(Messages.FORGET, guest.number));
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
                silent = false;
                return guest.flaw.complete("");
            }
            case Messages.UNKNOWN -> {
                silent = false;
                // What is wrong comes first, since a client is told only so much.
                return remove(client, guest, Messages.textBehindNumber(buffer, length) + " (says " + server + ")");
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
