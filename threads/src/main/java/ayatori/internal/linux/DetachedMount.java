package ayatori.internal.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A file system that only this process sees: mounted nowhere, gone when it is closed or the process ends.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/fsmount.2.html">fsmount(2)</a>
 */
public final class DetachedMount implements AutoCloseable {
    private static final long FSOPEN_CLOEXEC = 1;
    private static final long FSCONFIG_CMD_CREATE = 6;
    private static final long FSMOUNT_CLOEXEC = 1;

    private static final MethodHandle FSOPEN = Syscall.handle(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle FSCONFIG = Syscall.handle(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG);

    private final int descriptor;

    private DetachedMount(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Mounts.
     *
     * @param type of the file system, which must need no device, such as {@code "tracefs"}
     * @throws KernelException EPERM: without CAP_SYS_ADMIN; ENODEV: the kernel has no such file system; ENOSYS: before
     *     Linux 5.2
     */
    public static DetachedMount of(String type) throws KernelException {
        int context = require(type, fsopen(type));
        try {
            require(type, create(context));
            return new DetachedMount(require(type, Syscall.call(Syscall.FSMOUNT, context, FSMOUNT_CLOEXEC, 0)));
        } finally {
            close(context);
        }
    }

    /** Its top folder, for this process alone. */
    public Path root() {
        return Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    @Override
    public void close() {
        close(descriptor);
    }

    private static long fsopen(String type) {
        MemorySegment memory = Syscall.memory();
        try (Arena call = Arena.ofConfined()) {
            return Syscall.result(
                    (long) FSOPEN.invokeExact(memory, Syscall.FSOPEN, call.allocateFrom(type), FSOPEN_CLOEXEC), memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    private static long create(int context) {
        MemorySegment memory = Syscall.memory();
        try {
            return Syscall.result(
                    (long) FSCONFIG.invokeExact(
                            memory,
                            Syscall.FSCONFIG,
                            (long) context,
                            FSCONFIG_CMD_CREATE,
                            MemorySegment.NULL,
                            MemorySegment.NULL,
                            0L),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** Nothing is to be done when close fails: Linux has released the descriptor all the same. */
    private static void close(int descriptor) {
        var unused = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
    }

    private static int require(String type, long result) throws KernelException {
        if (result < 0) {
            throw new KernelException("mount of " + type, (int) result);
        }
        return (int) result;
    }
}
