package ayatori.internal.linux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps other processes that ask for it too from changing what is in a directory, until it is closed or the process ends. Leaves
 * nothing behind there. For one thread at a time.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/flock.2.html">flock(2)</a>
 */
public final class DirectoryLock implements AutoCloseable {
    private static final long O_DIRECTORY = Syscall.number(0x10000, 0x4000);
    private static final int O_CLOEXEC = 0x80000;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final int descriptor;

    private DirectoryLock(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Waits for it. Whoever may read the directory may hold it.
     *
     * @param timeoutNanos for how long at most
     * @throws KernelException EAGAIN: another process has held it all the time; EACCES, ENOENT, ENOTDIR
     */
    public static DirectoryLock of(Path directory, long timeoutNanos) throws IOException {
        int descriptor = Syscall.open(directory, O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0) {
            throw new KernelException("open, \"" + directory + "\"", descriptor);
        }
        long end = System.nanoTime() + timeoutNanos;
        int result = (int) Syscall.call(Syscall.FLOCK, descriptor, LOCK_EX | LOCK_NB, 0);
        while (result == -Errno.EAGAIN && end - System.nanoTime() > 0) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            result = (int) Syscall.call(Syscall.FLOCK, descriptor, LOCK_EX | LOCK_NB, 0);
        }
        if (result < 0) {
            var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
            throw new KernelException("flock, \"" + directory + "\"", result);
        }
        return new DirectoryLock(descriptor);
    }

    @Override
    public void close() {
        var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
    }
}
