package ayatori.server;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory that passes from process to process without being copied. It has one owner at a time: the client that allocated it,
 * from when a request brings it the server, after the answer the client again. Who has handed it over can no longer touch it: an
 * access is an {@link IllegalStateException}, whatever the other process does with the memory meanwhile.
 *
 * <pre>{@code
 * Area area = files.allocate(4096);
 * area.segment().setString(0, "/etc/motd");
 * Area answer = files.call(area);                                      // area.segment() throws from now on
 * MemorySegment text = answer.segment().asSlice(0, answer.length());
 * }</pre>
 *
 * <p><b>Threads.</b> The thread that first asks for the {@link #segment} has it to itself: others get a
 * {@link WrongThreadException}, and only that thread can hand the area over. That costs some tens of nanoseconds. Areas of
 * {@link SharedEndpoint#allocateShared} are open to all threads of their owner; to take them back from all of them takes the JVM
 * a handshake of some 50 µs each time. A thread that ends before it has handed its area over or closed it keeps the memory as long
 * as the connection lasts.
 *
 * <p><b>Trust.</b> A process that means harm can write to memory after it has handed it over. It can harm neither the other's
 * memory nor a third one's; but who decides by what is in an area from a client that is not trusted copies it first.
 *
 * <p>Thread-safe. Source: section 2.1 of the paper, ICA.
 *
 * @see <a href="https://openjdk.org/jeps/454">JEP 454</a>
 */
public final class Area implements AutoCloseable {
    /** Where areas come from. */
    sealed interface Home permits ClientConnection, Connection {
        /** The memory, as long as the arena is open. */
        MemorySegment area(long offset, long size, Arena arena);

        /** Its owner needs the area no more. */
        void release(Area area);
    }

    private final Home home;
    private final long offset;
    private final long size;
    private final boolean shared;
    private long length;
    private boolean over;
    /** What the area is after {@link #transfer}. */
    private @Nullable Area successor;

    private @Nullable Arena arena;
    private @Nullable MemorySegment segment;
    /** The thread that has it to itself; null: none. */
    private @Nullable Thread holder;
    /** What is to be done when that one gives it up. */
    private @Nullable Runnable afterwards;

    Area(Home home, long offset, long size, long length, boolean shared) {
        this.home = home;
        this.offset = offset;
        this.size = size;
        this.length = length;
        this.shared = shared;
    }

    /**
     * The memory. Its contents are what the last owner left there.
     *
     * @throws IllegalStateException if the area has been handed over
     * @throws WrongThreadException if another thread has it
     */
    public synchronized MemorySegment segment() {
        requireOwned();
        MemorySegment now = segment;
        if (now == null) {
            Arena opened = shared ? Arena.ofShared() : Arena.ofConfined();
            now = home.area(offset, size, opened);
            arena = opened;
            segment = now;
            holder = shared ? null : Thread.currentThread();
        } else if (!now.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException(
                    this + " is another thread's; that one may transfer it, or allocate one that is shared");
        }
        return now;
    }

    /** Bytes. */
    public long size() {
        return size;
    }

    /** How many of its bytes count. That of a new area is its size. */
    public synchronized long length() {
        return length;
    }

    /**
     * From now on so many count; the other process is told with the area.
     *
     * @param bytes 0 to {@link #size}
     * @throws IllegalStateException if the area has been handed over
     */
    public synchronized void length(long bytes) {
        requireOwned();
        if (bytes < 0 || bytes > size) {
            throw new IllegalArgumentException("length " + bytes + " of an area of " + size + " bytes");
        }
        length = bytes;
    }

    /**
     * Hands the area over to another thread of this process: the same memory as an area that no thread has asked for. This one is
     * over then.
     *
     * @throws IllegalStateException if it has been handed over already
     * @throws WrongThreadException if another thread has it
     */
    public Area transfer() {
        Area next;
        Runnable then;
        synchronized (this) {
            then = end();
            next = new Area(home, offset, size, length, shared);
            successor = next;
        }
        if (then != null) {
            next.revoke(then);
        }
        return next;
    }

    /** Gives the memory back to where it was allocated. An area that has been handed over is left alone. */
    @Override
    public void close() {
        Runnable then;
        synchronized (this) {
            if (over) {
                return;
            }
            then = end();
        }
        if (then != null) {
            then.run();
        }
        home.release(this);
    }

    /** Ends the access of all threads. */
    void handOver() {
        Runnable then = end();
        if (then != null) {
            then.run();
        }
    }

    /** Ends the access of all threads; what somebody has left to be done then. */
    private synchronized @Nullable Runnable end() {
        requireOwned();
        Arena open = arena;
        if (open != null) {
            open.close();
        }
        over = true;
        return afterwards;
    }

    /**
     * Ends the access of whoever in this process has the memory now. Another thread that has it keeps it until it gives it up.
     *
     * @param then what to do when nobody has it any more
     */
    void revoke(Runnable then) {
        Area now;
        synchronized (this) {
            if (!over && holder != null && holder != Thread.currentThread()) {
                if (holder.isAlive()) {
                    afterwards = afterwards == null ? then : afterwards;
                    return;
                }
                over = true; // an arena that only the dead may close
            }
            if (!over) {
                var unused = end();
            }
            now = successor;
        }
        if (now == null) {
            then.run();
        } else {
            now.revoke(then);
        }
    }

    private void requireOwned() {
        if (over) {
            throw new IllegalStateException(this + " has been handed over or closed");
        }
    }

    /** The same memory, which has come back. */
    Area returned(long newLength) {
        return new Area(home, offset, size, newLength, shared);
    }

    Home home() {
        return home;
    }

    long offset() {
        return offset;
    }

    boolean isShared() {
        return shared;
    }

    @Override
    public String toString() {
        return "area of " + size + " bytes at " + offset;
    }
}
