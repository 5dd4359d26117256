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
 * Sends a peer messages that must not be lost, in any order: if its socket has no room for one, later. The caller never waits. A
 * peer that lets too many wait is given up. Thread-safe.
 */
final class Messenger {
    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** More than an honest peer that does not read can leave: of 127 guests two each, and of itself one. */
    static final int MOST_UNSENT = 512;

    private final UnixSocket socket;
    private final Runnable giveUp;
    /** Each once: who has heard of something need not hear of it again at once. */
    private final Queue<byte[]> unsent = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean late = new AtomicBoolean();

    /**
     * A messenger.
     *
     * @param giveUp what to do with a peer that does not read; may be done more than once
     */
    Messenger(UnixSocket socket, Runnable giveUp) {
        this.socket = socket;
        this.giveUp = giveUp;
    }

    void send(byte[] message) {
        if (isSent(message)) {
            return;
        }
        int before = 0;
        boolean waits = false;
        for (byte[] other : unsent) {
            waits |= Arrays.equals(other, message);
            before++;
        }
        if (!waits && before >= MOST_UNSENT) {
            giveUp.run();
            return;
        }
        if (!waits) {
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
