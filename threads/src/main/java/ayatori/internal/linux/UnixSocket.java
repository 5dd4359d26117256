package ayatori.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A socket between processes of one host that keeps messages apart, passes descriptors along, and tells who is at the other
 * end: SOCK_SEQPACKET. When that process ends, however it does, the socket says so. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/unix.7.html">unix(7)</a>
 */
public final class UnixSocket implements AutoCloseable {
    /** The longest path of a socket, bytes. */
    public static final int LONGEST_PATH = 107;

    /** No descriptor came along. */
    public static final int NO_DESCRIPTOR = -1;

    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_SNDTIMEO = 21;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;
    private static final int SHUT_RDWR = 2;
    private static final int BACKLOG = 64;
    private static final int OWNER_ONLY = 0600;
    private static final short POLLIN = 1;
    /** Nobody uses a socket for long. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int ADDRESS_SIZE = 2 + LONGEST_PATH + 1;

    /*
     * struct msghdr, one struct iovec, and control data:
     *
     *   0      8       16    24      32        40            48      56      72
     *   | name | length | iov | count | control | its length  | flags | iovec | cmsghdr and descriptors |
     */
    private static final long MSG_IOV = 16;
    private static final long MSG_IOV_COUNT = 24;
    private static final long MSG_CONTROL = 32;
    private static final long MSG_CONTROL_LENGTH = 40;
    private static final long IOV = 56;
    private static final long CONTROL = 72;
    private static final long CONTROL_LENGTH = 20;
    private static final long CONTROL_SPACE = 24;
    /** The most that come along, SCM_MAX_FD. What there is no room for the kernel closes, by the thread that receives. */
    private static final int MOST_DESCRIPTORS = 253;

    private static final long MOST_CONTROL = 16 + 4L * MOST_DESCRIPTORS;
    private static final long CONTROL_LEVEL = CONTROL + 8;
    private static final long CONTROL_TYPE = CONTROL + 12;
    private static final long CONTROL_DESCRIPTOR = CONTROL + 16;

    private static final MethodHandle ADDRESSED =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle OPTION = Syscall.handle(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);
    private static final MethodHandle SET_OPTION = Syscall.handle(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG);
    private static final MethodHandle ACCEPT =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle POLL = Syscall.handle(
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);

    private final int descriptor;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Calls that use the descriptor, and one more until it is closed. Once it is given back, its number may be another file's. */
    private final AtomicInteger users = new AtomicInteger(1);

    private UnixSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Who is at the other end, as the kernel says. */
    public record Peer(int pid, int uid, int gid) {}

    /**
     * A message.
     *
     * @param length bytes of it, in the buffer; 0: the other end is gone
     * @param descriptors that came along, and are the receiver's to close
     */
    public record Message(int length, List<Integer> descriptors) {
        /** The only descriptor, or {@link #NO_DESCRIPTOR} if none came along, or several. */
        public int descriptor() {
            return descriptors.size() == 1 ? descriptors.getFirst() : NO_DESCRIPTOR;
        }

        /** Closes the descriptors. That may take as long as who has sent them likes. */
        public void discard() {
            for (int descriptor : descriptors) {
                var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
            }
        }
    }

    /**
     * A socket that others may connect to. Until its file is given another mode, only this user may.
     *
     * @throws KernelException EADDRINUSE: there is a file of this name; or another refusal
     */
    public static UnixSocket listen(Path path) throws IOException {
        UnixSocket socket = create(path);
        try {
            require((int) Syscall.call(Syscall.FCHMOD, socket.descriptor, OWNER_ONLY, 0), "fchmod", path);
            require(socket.addressed(Syscall.BIND, path), "bind", path);
            require((int) Syscall.call(Syscall.LISTEN, socket.descriptor, BACKLOG, 0), "listen", path);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * A socket to one who listens.
     *
     * @throws KernelException ENOENT: there is no such file; ECONNREFUSED: nobody listens any more; EACCES: not for this user
     */
    public static UnixSocket connect(Path path) throws IOException {
        return connect(path, 0);
    }

    /**
     * The same, for no longer than a while if the other one has as many clients to accept as may wait.
     *
     * @param timeoutNanos 0: for ever
     * @throws KernelException EAGAIN: it has not accepted one in time; or as {@link #connect(Path)}
     */
    public static UnixSocket connect(Path path, long timeoutNanos) throws IOException {
        UnixSocket socket = create(path);
        try {
            require(socket.limitSends(timeoutNanos), "SO_SNDTIMEO", path);
            require(socket.addressed(Syscall.CONNECT, path), "connect", path);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static UnixSocket create(Path path) throws IOException {
        return new UnixSocket(
                require((int) Syscall.call(Syscall.SOCKET, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket", path));
    }

    private int limitSends(long nanos) {
        MemorySegment memory = Syscall.memory();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(16, 8); // struct timeval
            limit.set(ValueLayout.JAVA_LONG, 0, nanos / 1_000_000_000);
            limit.set(ValueLayout.JAVA_LONG, 8, nanos % 1_000_000_000 / 1000);
            return (int) Syscall.result(
                    (long) SET_OPTION.invokeExact(
                            memory,
                            Syscall.SETSOCKOPT,
                            (long) descriptor,
                            (long) SOL_SOCKET,
                            (long) SO_SNDTIMEO,
                            limit,
                            limit.byteSize()),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    private int addressed(long call, Path path) {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        if (name.length > LONGEST_PATH) {
            throw new IllegalArgumentException("path of a socket " + path + " has " + name.length + " bytes: at most "
                    + LONGEST_PATH + " are possible");
        }
        MemorySegment memory = Syscall.memory();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_SIZE, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, 2, name.length);
            return (int) Syscall.result(
                    (long) ADDRESSED.invokeExact(memory, call, (long) descriptor, address, (long) ADDRESS_SIZE),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /**
     * Accepts one who has connected, waiting for one if need be.
     *
     * @throws KernelException EINVAL after {@link #shutdown}; or another refusal
     */
    public UnixSocket accept() throws IOException {
        MemorySegment memory = Syscall.memory();
        try {
            int accepted = (int) Syscall.result(
                    (long) ACCEPT.invokeExact(memory, Syscall.ACCEPT4, (long) descriptor, 0L, 0L, (long) SOCK_CLOEXEC),
                    memory);
            if (accepted < 0) {
                throw new KernelException("accept", accepted);
            }
            return new UnixSocket(accepted);
        } catch (KernelException e) {
            throw e;
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** Who is at the other end: who it was when it connected, or began to listen. */
    public Peer peer() throws IOException {
        MemorySegment memory = Syscall.memory();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(12, 4);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 12);
            int result = (int) Syscall.result(
                    (long) OPTION.invokeExact(
                            memory,
                            Syscall.GETSOCKOPT,
                            (long) descriptor,
                            (long) SOL_SOCKET,
                            (long) SO_PEERCRED,
                            credentials,
                            length),
                    memory);
            if (result < 0) {
                throw new KernelException("SO_PEERCRED", result);
            }
            return new Peer(
                    credentials.get(ValueLayout.JAVA_INT, 0),
                    credentials.get(ValueLayout.JAVA_INT, 4),
                    credentials.get(ValueLayout.JAVA_INT, 8));
        } catch (KernelException e) {
            throw e;
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /**
     * Sends a message, without waiting for room.
     *
     * @param passed a descriptor that goes along, or {@link #NO_DESCRIPTOR}
     * @return how many bytes, or {@code -errno}: EAGAIN: the other end does not read; EPIPE, ECONNRESET: it is gone; EBADF: this
     *     one has been closed
     */
    public int send(byte[] message, int passed) {
        if (!enter()) {
            return -Errno.EBADF;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = header(arena, arena.allocateFrom(ValueLayout.JAVA_BYTE, message), CONTROL_SPACE);
            if (passed == NO_DESCRIPTOR) {
                header.set(ValueLayout.JAVA_LONG, MSG_CONTROL_LENGTH, 0);
            } else {
                header.set(ValueLayout.JAVA_LONG, CONTROL, CONTROL_LENGTH);
                header.set(ValueLayout.JAVA_INT, CONTROL_LEVEL, SOL_SOCKET);
                header.set(ValueLayout.JAVA_INT, CONTROL_TYPE, SCM_RIGHTS);
                header.set(ValueLayout.JAVA_INT, CONTROL_DESCRIPTOR, passed);
            }
            return message(Syscall.SENDMSG, header, MSG_NOSIGNAL | MSG_DONTWAIT);
        } finally {
            leave();
        }
    }

    /**
     * Receives the next message, with all descriptors that come along.
     *
     * @param wait if to wait for one
     * @throws KernelException EAGAIN: there is none; EBADF: this one has been closed
     */
    public Message receive(byte[] buffer, boolean wait) throws IOException {
        return receive(buffer, wait, MOST_CONTROL);
    }

    /**
     * Receives the next message, and no descriptor, whatever comes along.
     *
     * @param wait if to wait for one
     * @return how many bytes; 0: the other end is gone
     * @throws KernelException as {@link #receive}
     */
    public int receiveBytes(byte[] buffer, boolean wait) throws IOException {
        return receive(buffer, wait, 0).length();
    }

    private Message receive(byte[] buffer, boolean wait, long controlLength) throws IOException {
        if (!enter()) {
            throw new KernelException("recvmsg", -Errno.EBADF);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(buffer.length);
            MemorySegment header = header(arena, bytes, controlLength);
            int flags = MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT);
            int length = message(Syscall.RECVMSG, header, flags);
            if (length == -Errno.ECONNRESET) {
                // The other end is gone, and has not read all: the kernel says so once, before what came from there.
                length = message(Syscall.RECVMSG, header, flags);
            }
            if (length < 0) {
                throw new KernelException("recvmsg", length);
            }
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, buffer, 0, length);
            return new Message(length, descriptors(header));
        } finally {
            leave();
        }
    }

    private static List<Integer> descriptors(MemorySegment header) {
        if (header.get(ValueLayout.JAVA_LONG, MSG_CONTROL_LENGTH) < CONTROL_LENGTH
                || header.get(ValueLayout.JAVA_INT, CONTROL_LEVEL) != SOL_SOCKET
                || header.get(ValueLayout.JAVA_INT, CONTROL_TYPE) != SCM_RIGHTS) {
            return List.of();
        }
        long end = CONTROL + header.get(ValueLayout.JAVA_LONG, CONTROL);
        List<Integer> passed = new ArrayList<>();
        for (long at = CONTROL_DESCRIPTOR; at < end; at += Integer.BYTES) {
            passed.add(header.get(ValueLayout.JAVA_INT, at));
        }
        return passed;
    }

    private static MemorySegment header(Arena arena, MemorySegment bytes, long controlLength) {
        MemorySegment header = arena.allocate(CONTROL + Math.max(controlLength, CONTROL_SPACE), 8);
        header.set(ValueLayout.ADDRESS, MSG_IOV, header.asSlice(IOV));
        header.set(ValueLayout.JAVA_LONG, MSG_IOV_COUNT, 1);
        header.set(ValueLayout.ADDRESS, MSG_CONTROL, header.asSlice(CONTROL));
        header.set(ValueLayout.JAVA_LONG, MSG_CONTROL_LENGTH, controlLength);
        header.set(ValueLayout.ADDRESS, IOV, bytes);
        header.set(ValueLayout.JAVA_LONG, IOV + 8, bytes.byteSize());
        return header;
    }

    private int message(long call, MemorySegment header, int flags) {
        MemorySegment memory = Syscall.memory();
        try {
            return (int) Syscall.result(
                    (long) ADDRESSED.invokeExact(memory, call, (long) descriptor, header, (long) flags), memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /**
     * Waits until one of some sockets has a message, a connection or an end to tell of.
     *
     * @param ready set for each of which that is so; as long as {@code sockets}
     * @param timeoutNanos how long to wait; negative: for ever
     * @return how many, 0: none until then; or {@code -errno}: EINTR
     */
    public static int poll(@Nullable UnixSocket[] sockets, boolean[] ready, long timeoutNanos) {
        MemorySegment memory = Syscall.memory();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment polled = arena.allocate(8L * sockets.length, 4);
            for (int i = 0; i < sockets.length; i++) {
                UnixSocket socket = sockets[i];
                polled.set(ValueLayout.JAVA_INT, 8L * i, socket == null ? -1 : socket.descriptor);
                polled.set(ValueLayout.JAVA_SHORT, 8L * i + 4, POLLIN);
            }
            MemorySegment timeout = timeoutNanos < 0 ? MemorySegment.NULL : Syscall.timespec(timeoutNanos);
            int result = (int) Syscall.result(
                    (long) POLL.invokeExact(memory, Syscall.PPOLL, polled, (long) sockets.length, timeout, 0L, 0L),
                    memory);
            for (int i = 0; i < sockets.length; i++) {
                ready[i] = result > 0 && polled.get(ValueLayout.JAVA_SHORT, 8L * i + 6) != 0;
            }
            return result;
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** Ends both directions: the other end hears of it, and so does who waits here. Nothing if it has been closed. */
    public void shutdown() {
        if (enter()) {
            var _ = Syscall.call(Syscall.SHUTDOWN, descriptor, SHUT_RDWR, 0);
            leave();
        }
    }

    /** Gives the descriptor back, as soon as no other thread is sending, receiving or shutting down. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            leave();
        }
    }

    /**
     * The same by the calling thread, which waits until the others have done so: what has not been read is closed with it, and that
     * may take as long as who has sent it likes. No other thread may wait to receive.
     */
    public void closeHere() {
        if (!closed.getAndSet(true)) {
            while (!users.compareAndSet(1, 0)) {
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
            var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
        }
    }

    private boolean enter() {
        int now = users.get();
        while (now != 0 && !users.compareAndSet(now, now + 1)) {
            now = users.get();
        }
        return now != 0;
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
        }
    }

    private static int require(int result, String call, Path path) throws IOException {
        if (result < 0) {
            throw new KernelException(call + ", \"" + path + "\"", result);
        }
        return result;
    }
}
