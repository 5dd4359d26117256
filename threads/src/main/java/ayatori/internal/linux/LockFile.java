package ayatori.internal.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other processes that ask for it too from doing the same at once, until it is closed or the process ends: a file that only
 * this user may open, and that is removed when it is closed; one that a process has left behind is taken over. Not the directory, which whoever may read it could keep locked. For one
 * thread at a time.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/flock.2.html">flock(2)</a>
 */
public final class LockFile implements AutoCloseable {
    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    private static final int O_NONBLOCK = 0x800; // or a stranger's FIFO or device might keep who opens it
    private static final long O_NOFOLLOW = Syscall.number(0x20000, 0x8000);
    private static final int O_CLOEXEC = 0x80000;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Path file;
    private final int descriptor;

    private LockFile(Path file, int descriptor) {
        this.file = file;
        this.descriptor = descriptor;
    }

    /**
     * Waits for it.
     *
     * @param timeoutNanos for how long at most
     * @throws KernelException EAGAIN: a process of this user has held it all the time; EACCES, ELOOP: something of another user's
     *     stands there, or the directory is that one's; ENOENT, ENOTDIR
     */
    public static LockFile of(Path file, long timeoutNanos) throws IOException {
        long end = System.nanoTime() + timeoutNanos;
        while (true) {
            int result = tried(file);
            if (result >= 0) {
                return new LockFile(file, result);
            }
            boolean passes = result == -Errno.EAGAIN || result == -Errno.EACCES; // with who has it
            if (!passes || end - System.nanoTime() <= 0) {
                throw new KernelException("lock \"" + file + "\"" + holder(file), result);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    /** The descriptor, or {@code -errno}. */
    private static int tried(Path file) throws IOException {
        int descriptor = Syscall.open(file, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) {
            return descriptor;
        }
        Path opened = Path.of("/proc/self/fd/" + descriptor);
        int result = (int) Files.getAttribute(opened, "unix:uid") == Sched.geteuid()
                ? (int) Syscall.call(Syscall.FLOCK, descriptor, LOCK_EX | LOCK_NB, 0)
                : -Errno.EACCES;
        if (result == 0 && !isThere(file, opened)) { // whoever had it has removed it
            result = -Errno.EAGAIN;
        }
        if (result == 0) {
            return descriptor;
        }
        var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
        return result;
    }

    private static boolean isThere(Path file, Path opened) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS)
                    .equals(Files.getAttribute(opened, "unix:ino"));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** For a message: whose it is, and what helps. */
    private static String holder(Path file) {
        Object user = owner(file);
        if (user == null) {
            return "";
        }
        return (int) user == Sched.geteuid()
                ? ", which another process of this user has held all the time: it is stopped, or has no CPU"
                : ", which is user " + user + "'s: have it removed, or use a directory where others may make no files";
    }

    private static @Nullable Object owner(Path file) {
        try {
            return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return null; // it has gone
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(file); // first: who waits for it finds that it is another one
        } finally {
            var _ = Syscall.call(Syscall.CLOSE, descriptor, 0, 0);
        }
    }
}
