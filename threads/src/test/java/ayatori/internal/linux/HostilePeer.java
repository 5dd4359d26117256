package ayatori.internal.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** One who connects and does what {@link UnixSocket} and {@link MappedMemory} would not. */
public final class HostilePeer implements AutoCloseable {
    private static final MethodHandle ADDRESSED =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle NAMED = Syscall.handle(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle OPTION = Syscall.handle(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG);
    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt BIG_ENDIAN_INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final long SOL_SOCKET = 1;
    private static final long SO_LINGER = 13;
    private static final long MSG_DONTWAIT = 0x40;
    private static final int LOOPBACK = 0x7F00_0001;
    private static final long FILLING = 1 << 16;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int MFD_HUGETLB = 4;
    private static final int F_ADD_SEALS = 1033;
    private static final int SHRINK_AND_GROW = 6;

    private final int socket;

    /** Connects. */
    public HostilePeer(Path path) throws Throwable {
        socket = (int) Syscall.call(Syscall.SOCKET, 1, 5, 0);
        MemorySegment memory = Syscall.memory();
        try (Arena arena = Arena.ofConfined()) {
            byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
            MemorySegment address = arena.allocate(110, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
            MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, 2, name.length);
            long result = (long) ADDRESSED.invokeExact(memory, Syscall.CONNECT, (long) socket, address, 110L);
            if (result < 0) {
                throw new KernelException("connect", (int) Syscall.result(result, memory));
            }
        }
    }

    /** Sends a message, of any length, with any number of descriptors. */
    public void send(byte[] bytes, int... descriptors) throws Throwable {
        MemorySegment memory = Syscall.memory();
        try (Arena arena = Arena.ofConfined()) {
            long length = 16 + 4L * descriptors.length;
            MemorySegment control = arena.allocate(length + 8, 8);
            control.set(ValueLayout.JAVA_LONG, 0, length);
            control.set(ValueLayout.JAVA_INT, 8, 1);
            control.set(ValueLayout.JAVA_INT, 12, 1);
            MemorySegment.copy(descriptors, 0, control, ValueLayout.JAVA_INT, 16, descriptors.length);
            MemorySegment vector = arena.allocate(16, 8);
            vector.set(ValueLayout.ADDRESS, 0, arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
            vector.set(ValueLayout.JAVA_LONG, 8, bytes.length);
            MemorySegment header = arena.allocate(56, 8);
            header.set(ValueLayout.ADDRESS, 16, vector);
            header.set(ValueLayout.JAVA_LONG, 24, 1);
            header.set(ValueLayout.ADDRESS, 32, control);
            header.set(ValueLayout.JAVA_LONG, 40, descriptors.length == 0 ? 0 : length);
            var _ = (long) ADDRESSED.invokeExact(memory, Syscall.SENDMSG, (long) socket, header, 0x4000L);
        }
    }

    /** Memory whose size is sealed, whatever that is; negative: the kernel has none of this kind. */
    public static int sealed(long size, boolean huge) throws Throwable {
        MemorySegment memory = Syscall.memory();
        try (Arena arena = Arena.ofConfined()) {
            long flags = MFD_ALLOW_SEALING | (huge ? MFD_HUGETLB : 0);
            int descriptor = (int) Syscall.result(
                    (long) NAMED.invokeExact(memory, Syscall.MEMFD_CREATE, arena.allocateFrom("hostile"), flags),
                    memory);
            var _ = Syscall.call(Syscall.FTRUNCATE, descriptor, size, 0);
            var _ = Syscall.call(Syscall.FCNTL, descriptor, F_ADD_SEALS, SHRINK_AND_GROW);
            return descriptor;
        }
    }

    /**
     * A TCP socket to a port of this host whose other end does not read, with more in it than goes through: whoever closes it last
     * waits for that one.
     */
    public static int lingering(int port) throws Throwable {
        MemorySegment memory = Syscall.memory();
        int descriptor = (int) Syscall.call(Syscall.SOCKET, AF_INET, SOCK_STREAM, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(16, 4);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
            address.set(BIG_ENDIAN_SHORT, 2, (short) port);
            address.set(BIG_ENDIAN_INT, 4, LOOPBACK);
            require((long) ADDRESSED.invokeExact(memory, Syscall.CONNECT, (long) descriptor, address, 16L));
            MemorySegment linger = arena.allocateFrom(ValueLayout.JAVA_INT, 1, 3600);
            require((long) OPTION.invokeExact(
                    memory, Syscall.SETSOCKOPT, (long) descriptor, SOL_SOCKET, SO_LINGER, linger, 8L));
            MemorySegment vector = arena.allocate(16, 8);
            vector.set(ValueLayout.ADDRESS, 0, arena.allocate(FILLING));
            vector.set(ValueLayout.JAVA_LONG, 8, FILLING);
            MemorySegment header = arena.allocate(56, 8);
            header.set(ValueLayout.ADDRESS, 16, vector);
            header.set(ValueLayout.JAVA_LONG, 24, 1);
            long sent = 0;
            while (sent >= 0) { // until there is no room at either end
                sent = (long) ADDRESSED.invokeExact(memory, Syscall.SENDMSG, (long) descriptor, header, MSG_DONTWAIT);
            }
        }
        return descriptor;
    }

    private static void require(long result) {
        if (result < 0) {
            throw new AssertionError("errno " + Syscall.memory().get(ValueLayout.JAVA_INT, 0));
        }
    }

    /** Locks a directory, as whoever may read it can; by a descriptor to be closed. */
    public static int locked(Path directory) {
        int descriptor = Syscall.open(directory, 0);
        require(Syscall.call(Syscall.FLOCK, descriptor, 2, 0));
        return descriptor;
    }

    /** Closes any descriptor. */
    public static void close(int descriptor) {
        var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
    }

    @Override
    public void close() {
        close(socket);
    }
}
