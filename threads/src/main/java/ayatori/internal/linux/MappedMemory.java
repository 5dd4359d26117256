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
        MemorySegment memory = Syscall.memory();
        int descriptor;
        try (Arena call = Arena.ofConfined()) {
            descriptor = (int) Syscall.result(
                    (long) MEMFD_CREATE.invokeExact(
                            memory, Syscall.MEMFD_CREATE, call.allocateFrom(name), (long) MFD_CLOEXEC),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        return grow(name, require(descriptor, "memfd_create", name), size, arena);
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

    /** The file descriptor, open as long as the arena is, and closed on exec. */
    public int descriptor() {
        return descriptor;
    }

    private static MappedMemory open(Path path, int flags, Arena arena) throws IOException {
        int descriptor = openat(path, O_RDWR | O_CLOEXEC | flags);
        try {
            return map(path.toString(), descriptor, Files.size(Path.of("/proc/self/fd/" + descriptor)), arena);
        } catch (IOException e) {
            close(descriptor);
            throw e;
        }
    }

    private static MappedMemory grow(String name, int descriptor, long size, Arena arena) throws IOException {
        try {
            require((int) Syscall.call(Syscall.FTRUNCATE, descriptor, size, 0), "ftruncate", name);
            return map(name, descriptor, size, arena);
        } catch (IOException e) {
            close(descriptor);
            throw e;
        }
    }

    private static MappedMemory map(String name, int descriptor, long size, Arena arena) throws IOException {
        MemorySegment memory = Syscall.memory();
        long address;
        try {
            address = Syscall.result(
                    (long) MMAP.invokeExact(
                            memory,
                            Syscall.MMAP,
                            0L,
                            size,
                            (long) (PROT_READ | PROT_WRITE),
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
            var unused = Syscall.call(Syscall.MUNMAP, address, size, 0);
            close(descriptor);
        });
        return new MappedMemory(descriptor, segment);
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
        var unused = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
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
