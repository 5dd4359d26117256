package ayatori.server;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.UnixSocket;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends a peer messages that must not be lost, in any order: if its socket has no room for one, later. The caller never waits.
 * Thread-safe.
 */
final class Messenger {
    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final UnixSocket socket;
    /** Each once: who has heard of something need not hear of it again at once. */
    private final Queue<byte[]> unsent = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean late = new AtomicBoolean();

    Messenger(UnixSocket socket) {
        this.socket = socket;
    }

    void send(byte[] message) {
        if (isSent(message)) {
            return;
        }
        if (unsent.stream().noneMatch(other -> Arrays.equals(other, message))) {
            unsent.add(message);
        }
        if (!late.getAndSet(true)) {
            Thread.ofVirtual().name("late messages").start(this::sendLate);
        }
    }

    /** Or never will be: the peer is gone. */
    private boolean isSent(byte[] message) {
        return socket.send(message, UnixSocket.NO_DESCRIPTOR) != -Errno.EAGAIN;
    }

    private void sendLate() {
        do {
            byte[] next;
            while ((next = unsent.peek()) != null) {
                if (isSent(next)) {
                    unsent.remove();
                } else {
                    LockSupport.parkNanos(ROOM_NANOS);
                }
            }
            late.set(false);
        } while (!unsent.isEmpty() && !late.getAndSet(true));
    }
}
