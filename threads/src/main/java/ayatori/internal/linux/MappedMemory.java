package ayatori.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that several processes map at once. File and mapping last until the arena in which they were asked for is closed;
 * the pages themselves until the last process lets go and, of a named one, the file is removed. The contents begin as
 * zeroes. Safe for use by several threads if the arena is.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/memfd_create.2.html">memfd_create(2)</a>
 * @see <a href="https://man7.org/linux/man-pages/man7/shm_overview.7.html">shm_overview(7)</a>
 */
@SuppressWarnings("restricted")
public final class MappedMemory {
    /** Where named shared memory lives, shm_overview(7). */
    public static final Path DIRECTORY = Path.of("/dev/shm");

    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 1;
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;
    private static final int F_SEAL_SEAL = 1;
    private static final int F_SEAL_SHRINK = 2;
    private static final int F_SEAL_GROW = 4;
    private static final int F_SEAL_FUTURE_WRITE = 0x10;
    private static final int SIZE_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    private static final int MADV_REMOVE = 9;
    private static final int MADV_POPULATE_WRITE = 23;
    private static final long TMPFS_MAGIC = 0x0102_1994;
    /** struct statfs; its first field is the type. */
    private static final long STATFS_SIZE = 256;

    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;
    private static final int O_CLOEXEC = 0x80000;

    private static final MethodHandle MEMFD_CREATE = Syscall.handle(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle FSTATFS = Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    private static final MethodHandle FALLOCATE =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle MMAP = Syscall.handle(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);

    /** For this much each counts at least, since the kernel limits the number of mappings too. */
    private static final long LEAST_COUNTED = 1L << 28;

    /** A peer is not to have the garbage collected all the time. */
    private static final long BETWEEN_COLLECTIONS_NANOS = 10_000_000_000L;

    private static final AtomicLong LAST_COLLECTION = new AtomicLong(System.nanoTime() - BETWEEN_COLLECTIONS_NANOS);

    /** NO_DESCRIPTOR once it has been given back. */
    private final AtomicInteger descriptor;

    private final MemorySegment segment;

    private MappedMemory(AtomicInteger descriptor, MemorySegment segment) {
        this.descriptor = descriptor;
        this.segment = segment;
    }

    /**
     * Memory without a name in any directory. Another process of the same user reaches it as
     * {@code /proc/PID/fd/DESCRIPTOR}.
     *
     * @param name shown in /proc/PID/fd and /proc/PID/maps as {@code /memfd:name}; at most 249 bytes
     * @param size bytes, positive
     * @throws KernelException if the kernel refuses
     */
    public static MappedMemory createAnonymous(String name, long size, Arena arena) throws IOException {
        requirePositive(name, size);
        return grow(name, memfd(name, MFD_CLOEXEC), size, arena);
    }

    /** Who may write to memory of {@link #createSealed}. */
    public enum Writers {
        /** Whoever gets the descriptor. */
        ALL,
        /** This process through this mapping; others may only read. Needs Linux 5.1. */
        CREATOR
    }

    /**
     * Memory without a name that nobody can make larger or smaller any more, so that no process that maps it can have the ground
     * taken from under it. To be passed by {@link UnixSocket}.
     *
     * @param name shown in /proc/PID/fd and /proc/PID/maps as {@code /memfd:name}; at most 249 bytes
     * @param size bytes, positive
     * @throws KernelException if the kernel refuses
     */
    public static MappedMemory createSealed(String name, long size, Writers writers, Arena arena) throws IOException {
        requirePositive(name, size);
        MappedMemory made = grow(name, memfd(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), size, arena);
        int seals = SIZE_SEALS | (writers == Writers.CREATOR ? F_SEAL_FUTURE_WRITE : 0);
        require((int) Syscall.call(Syscall.FCNTL, made.descriptor(), F_ADD_SEALS, seals), "F_ADD_SEALS", name);
        return made;
    }

    /** Memory that a peer has passed to which this process has connected; the descriptor is closed if this fails. */
    public static MappedMemory ofPassed(
            String name, int descriptor, boolean readOnly, long least, long most, Arena arena) throws IOException {
        try {
            return ofPassed(name, descriptor, readOnly, least, most, AddressBudget.PROCESS, arena);
        } catch (IOException | RuntimeException e) {
            close(descriptor);
            throw e;
        }
    }

    /**
     * Memory whose descriptor another process has passed, made by {@link #createSealed}. The descriptor is the mapping's from now
     * on, unless this fails: who knows what it is then, and how long a close takes? Memory in huge pages is refused: an access to such a page may fail, and to one of these may not.
     *
     * @param name for messages
     * @param least bytes that it must have
     * @param most bytes that it may have
     * @param budget from which its address space is taken until it is unmapped
     * @throws KernelException EPERM: it is not sealed, so that it could shrink at any time; or another refusal
     * @throws IOException if it is larger or smaller, or the budget has not so much left
     */
    public static MappedMemory ofPassed(
            String name, int descriptor, boolean readOnly, long least, long most, AddressBudget budget, Arena arena)
            throws IOException {
        // First: only memory has seals, and of that one may ask the rest without waiting for anybody.
        int seals = (int) Syscall.call(Syscall.FCNTL, descriptor, F_GET_SEALS, 0);
        if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) != (F_SEAL_SHRINK | F_SEAL_GROW)) {
            throw refused("F_GET_SEALS", name, seals < 0 ? seals : Errno.EPERM);
        }
        if (fileSystem(name, descriptor) != TMPFS_MAGIC) {
            throw new IOException("\"" + name + "\" is not memory in ordinary pages");
        }
        long size = Files.size(Path.of("/proc/self/fd/" + descriptor));
        if (size < least || size > most) {
            throw new IOException("\"" + name + "\" has " + size + " bytes: must be " + least + " to " + most);
        }
        int protection = readOnly ? PROT_READ : PROT_READ | PROT_WRITE;
        return mapPassed(name, new AtomicInteger(descriptor), size, protection, budget, arena);
    }

    private static MappedMemory mapPassed(
            String name, AtomicInteger descriptor, long size, int protection, AddressBudget budget, Arena arena)
            throws IOException {
        long counted = Math.max(size, LEAST_COUNTED);
        try {
            budget.take(name, counted);
        } catch (IOException e) {
            collectGarbage();
            throw e;
        }
        try {
            MemorySegment segment = mapped(name, descriptor.get(), size, protection, arena, () -> {
                budget.give(counted);
                close(descriptor);
            });
            return new MappedMemory(descriptor, segment);
        } catch (IOException e) {
            budget.give(counted);
            throw e;
        }
    }

    /** So that there is room for the next one. */
    private static void collectGarbage() {
        long now = System.nanoTime();
        long last = LAST_COLLECTION.get();
        if (now - last >= BETWEEN_COLLECTIONS_NANOS && LAST_COLLECTION.compareAndSet(last, now)) {
            System.gc();
        }
    }

    private static long fileSystem(String name, int descriptor) throws IOException {
        MemorySegment memory = Syscall.memory();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment status = call.allocate(STATFS_SIZE, 8);
            int result = (int) Syscall.result(
                    (long) FSTATFS.invokeExact(memory, Syscall.FSTATFS, (long) descriptor, status), memory);
            require(result, "fstatfs", name);
            return status.get(ValueLayout.JAVA_LONG, 0);
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** Gives the pages back to the kernel. Whoever has them mapped finds zeroes. */
    public void discard() {
        try {
            var _ = Syscall.call(Syscall.MADVISE, segment.address(), segment.byteSize(), MADV_REMOVE);
        } finally {
            Reference.reachabilityFence(segment);
        }
    }

    /**
     * Has the kernel set pages aside, so that an access to them cannot fail for want of room. That takes as much memory, and as long, as
     * to write to each page. For one that still has its descriptor.
     *
     * @throws KernelException ENOSPC: the file system has no room; or another refusal
     */
    public void reserve(long offset, long size) throws IOException {
        MemorySegment memory = Syscall.memory();
        long result;
        try {
            result = Syscall.result(
                    (long) FALLOCATE.invokeExact(memory, Syscall.FALLOCATE, (long) descriptor(), 0L, offset, size),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        require((int) result, "fallocate of " + size + " bytes", "mapped memory");
    }

    /**
     * Has the kernel set the pages of a part aside as {@link #reserve} does, without a descriptor. The contents stay.
     *
     * @param part native, from the start of a page
     * @throws KernelException EFAULT: the file system has no room; EINVAL: Linux before 5.14
     */
    public static void populate(MemorySegment part) throws IOException {
        try {
            int result = (int) Syscall.call(Syscall.MADVISE, part.address(), part.byteSize(), MADV_POPULATE_WRITE);
            require(result, "MADV_POPULATE_WRITE of " + part.byteSize() + " bytes", "mapped memory");
        } finally {
            Reference.reachabilityFence(part);
        }
    }

    /** The descriptor is the caller's again, to be closed. The mapping stays. */
    public void disownDescriptor() {
        descriptor.set(UnixSocket.NO_DESCRIPTOR);
    }

    /** Gives the descriptor back, which is not to be passed on any more. The mapping stays. */
    public void closeDescriptor() {
        close(descriptor);
    }

    private static int memfd(String name, int flags) throws IOException {
        MemorySegment memory = Syscall.memory();
        int descriptor;
        try (Arena call = Arena.ofConfined()) {
            descriptor = (int) Syscall.result(
                    (long) MEMFD_CREATE.invokeExact(
                            memory, Syscall.MEMFD_CREATE, call.allocateFrom(name), (long) flags),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        return require(descriptor, "memfd_create", name);
    }

    /**
     * Memory with a name, as a file in {@link #DIRECTORY} that only this user may open.
     *
     * @param name a file name, without a slash
     * @param size bytes, positive
     * @throws KernelException EEXIST: there is one of this name; or another refusal
     */
    public static MappedMemory createNamed(String name, long size, Arena arena) throws IOException {
        requirePositive(name, size);
        Path path = path(name);
        int descriptor = openat(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
        try {
            return grow(name, descriptor, size, arena);
        } catch (IOException e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /**
     * Memory of a name that a process made by {@link #createNamed}.
     *
     * @throws KernelException ENOENT: there is none; EACCES: another user's
     */
    public static MappedMemory openNamed(String name, Arena arena) throws IOException {
        return open(path(name), O_NOFOLLOW, arena);
    }

    /**
     * Memory behind any path, for instance {@code /proc/PID/fd/N} of a process that made it by {@link #createAnonymous}.
     *
     * @throws KernelException if the path cannot be opened for reading and writing, or is empty
     */
    public static MappedMemory open(Path path, Arena arena) throws IOException {
        return open(path, 0, arena);
    }

    /** Removes a name. Processes that have it mapped keep it. */
    public static void removeNamed(String name) throws IOException {
        Files.deleteIfExists(path(name));
    }

    /** The memory. */
    public MemorySegment segment() {
        return segment;
    }

    /** A part of the memory, which nobody can reach through what this returns once the arena is closed. */
    public MemorySegment revocable(long offset, long size, Arena arena) {
        return segment.asSlice(offset, size).reinterpret(arena, this::keep);
    }

    /** Nothing is to be done when a part is revoked: as long as it is not, this action keeps the mapping. */
    private void keep(MemorySegment part) {}

    /** The file descriptor, open as long as the arena is, and closed on exec; −1 once it has been given back. */
    public int descriptor() {
        return descriptor.get();
    }

    private static MappedMemory open(Path path, int flags, Arena arena) throws IOException {
        int descriptor = openat(path, O_RDWR | O_CLOEXEC | flags);
        try {
            return map(
                    path.toString(),
                    descriptor,
                    Files.size(Path.of("/proc/self/fd/" + descriptor)),
                    PROT_READ | PROT_WRITE,
                    arena);
        } catch (IOException e) {
            close(descriptor);
            throw e;
        }
    }

    private static MappedMemory grow(String name, int descriptor, long size, Arena arena) throws IOException {
        try {
            require((int) Syscall.call(Syscall.FTRUNCATE, descriptor, size, 0), "ftruncate", name);
            return map(name, descriptor, size, PROT_READ | PROT_WRITE, arena);
        } catch (IOException e) {
            close(descriptor);
            throw e;
        }
    }

    private static MappedMemory map(String name, int descriptor, long size, int protection, Arena arena)
            throws IOException {
        AtomicInteger owned = new AtomicInteger(descriptor);
        return new MappedMemory(owned, mapped(name, descriptor, size, protection, arena, () -> close(owned)));
    }

    private static MemorySegment mapped(
            String name, int descriptor, long size, int protection, Arena arena, Runnable unmapped) throws IOException {
        MemorySegment memory = Syscall.memory();
        long address;
        try {
            address = Syscall.result(
                    (long) MMAP.invokeExact(
                            memory,
                            Syscall.MMAP,
                            0L,
                            size,
                            (long) protection,
                            (long) MAP_SHARED,
                            (long) descriptor,
                            0L),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        if (address < 0) {
            throw refused("mmap of " + size + " bytes", name, (int) address);
        }
        MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(size, arena, mapped -> {
            var _ = Syscall.call(Syscall.MUNMAP, address, size, 0);
            unmapped.run();
        });
        return protection == PROT_READ ? segment.asReadOnly() : segment;
    }

    private static int openat(Path path, int flags) throws IOException {
        return require(Syscall.open(path, flags), "open", path.toString());
    }

    /** Nothing is to be done when close fails: Linux has released the descriptor all the same. */
    private static void close(int descriptor) {
        var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
    }

    private static void close(AtomicInteger descriptor) {
        int number = descriptor.getAndSet(UnixSocket.NO_DESCRIPTOR);
        if (number != UnixSocket.NO_DESCRIPTOR) {
            close(number);
        }
    }

    private static Path path(String name) {
        if (name.isEmpty() || name.contains("/") || name.startsWith(".")) {
            throw new IllegalArgumentException(
                    "name of shared memory \"" + name + "\": must be a plain file name without slash or leading dot");
        }
        return DIRECTORY.resolve(name);
    }

    private static void requirePositive(String name, long size) {
        if (size <= 0) {
            throw new IllegalArgumentException("size of \"" + name + "\" is " + size + " bytes: must be positive");
        }
    }

    private static int require(int result, String call, String name) throws IOException {
        if (result < 0) {
            throw refused(call, name, result);
        }
        return result;
    }

    private static KernelException refused(String call, String name, int errno) {
        return new KernelException(call + ", \"" + name + "\"", errno);
    }
}
