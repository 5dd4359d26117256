package ayatori.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

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
    private static final int FALLOC_FL_KEEP_SIZE = 1;
    private static final int FALLOC_FL_PUNCH_HOLE = 2;
    private static final int AT_FDCWD = -100;
    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;
    private static final int O_CLOEXEC = 0x80000;
    private static final int OWNER_ONLY = 0600;

    private static final MethodHandle MEMFD_CREATE = Syscall.handle(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle OPENAT =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle FALLOCATE =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle MMAP = Syscall.handle(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);

    private final int descriptor;
    private final MemorySegment segment;

    private MappedMemory(int descriptor, MemorySegment segment) {
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
        require((int) Syscall.call(Syscall.FCNTL, made.descriptor, F_ADD_SEALS, seals), "F_ADD_SEALS", name);
        return made;
    }

    /**
     * Memory whose descriptor another process has passed, made by {@link #createSealed}. The descriptor belongs to the mapping
     * from now on, and is closed also when this fails.
     *
     * @param name for messages
     * @throws KernelException EPERM: it is not sealed, so that it could shrink at any time; or another refusal
     */
    public static MappedMemory ofPassed(String name, int descriptor, boolean readOnly, Arena arena) throws IOException {
        try {
            int seals = (int) Syscall.call(Syscall.FCNTL, descriptor, F_GET_SEALS, 0);
            if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) != (F_SEAL_SHRINK | F_SEAL_GROW)) {
                throw refused("F_GET_SEALS", name, seals < 0 ? seals : Errno.EPERM);
            }
            long size = Files.size(Path.of("/proc/self/fd/" + descriptor));
            requirePositive(name, size);
            return map(name, descriptor, size, readOnly ? PROT_READ : PROT_READ | PROT_WRITE, arena);
        } catch (IOException | IllegalArgumentException e) {
            close(descriptor);
            throw e;
        }
    }

    /** Gives the pages back to the kernel. Whoever has them mapped finds zeroes. */
    public void discard() {
        MemorySegment memory = Syscall.memory();
        try {
            var _ = Syscall.result(
                    (long) FALLOCATE.invokeExact(
                            memory,
                            Syscall.FALLOCATE,
                            (long) descriptor,
                            (long) (FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE),
                            0L,
                            segment.byteSize()),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
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

    /** The file descriptor, open as long as the arena is, and closed on exec. */
    public int descriptor() {
        return descriptor;
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
            close(descriptor);
        });
        return new MappedMemory(descriptor, protection == PROT_READ ? segment.asReadOnly() : segment);
    }

    private static int openat(Path path, int flags) throws IOException {
        MemorySegment memory = Syscall.memory();
        int descriptor;
        try (Arena call = Arena.ofConfined()) {
            descriptor = (int) Syscall.result(
                    (long) OPENAT.invokeExact(
                            memory,
                            Syscall.OPENAT,
                            (long) AT_FDCWD,
                            call.allocateFrom(path.toString()),
                            (long) flags,
                            (long) OWNER_ONLY),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        return require(descriptor, "open", path.toString());
    }

    /** Nothing is to be done when close fails: Linux has released the descriptor all the same. */
    private static void close(int descriptor) {
        var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
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
