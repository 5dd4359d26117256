package ayatori.server;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.LockFile;
import ayatori.internal.linux.UnixSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Makes the socket at which a server is found. Its file appears under its name when somebody listens already, and with the mode
 * that was asked for; so one that refuses a connection has been left behind by a server that has ended, and can be replaced.
 */
final class Entrance {
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** The part of a file's mode that tells what it is, and what a socket has there; sys/stat.h. */
    private static final int TYPE = 0xF000;

    private static final int SOCKET = 0xC000;
    private static final int RADIX = 36;
    private static final int NAME_LENGTH = 7;
    /** Of names that are told apart by that many digits behind the dot. */
    private static final long NAMES = 36L * 36 * 36 * 36 * 36 * 36;

    private Entrance() {}

    /**
     * Listens.
     *
     * @throws KernelException EADDRINUSE: somebody else does so there, or the file is no socket
     */
    static UnixSocket listen(Path path, Set<PosixFilePermission> mode) throws IOException {
        requireLength(path);
        Path made = path.resolveSibling(
                "." + Long.toString(ThreadLocalRandom.current().nextLong(NAMES), RADIX));
        UnixSocket socket = listen(made, path);
        try {
            Files.setPosixFilePermissions(made, mode);
            appear(made, path);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** What goes wrong there is told of the path that the user knows. */
    private static UnixSocket listen(Path made, Path path) throws IOException {
        try {
            return UnixSocket.listen(made);
        } catch (KernelException e) {
            KernelException refused = new KernelException("publish at \"" + path + "\"", e.errno());
            refused.initCause(e);
            throw refused;
        }
    }

    private static void requireLength(Path path) {
        Path directory = path.getParent();
        int inDirectory = directory == null ? 0 : bytes(directory) + 1;
        if (bytes(path) > UnixSocket.LONGEST_PATH || inDirectory + NAME_LENGTH > UnixSocket.LONGEST_PATH) {
            throw new IllegalArgumentException(
                    "path of a socket " + path + " has " + bytes(path) + " bytes, " + inDirectory
                            + " of them for its directory: at most " + UnixSocket.LONGEST_PATH + " are possible, and "
                            + (UnixSocket.LONGEST_PATH - NAME_LENGTH) + " for the directory");
        }
    }

    private static int bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private static void appear(Path made, Path path) throws IOException {
        try {
            Files.createLink(path, made);
        } catch (FileAlreadyExistsException e) {
            // Of several servers that find the file left behind, only one may remove it.
            try (LockFile _ = LockFile.of(path.resolveSibling("." + path.getFileName() + ".lock"), LOCK_NANOS)) {
                replace(made, path);
            }
        }
    }

    private static void replace(Path made, Path path) throws IOException {
        if (!isSocketOrGone(path)) {
            throw new KernelException(
                    "publish at \"" + path + "\", where something stands that is no socket", Errno.EADDRINUSE);
        }
        if (!isLeftBehind(path)) {
            throw taken(path);
        }
        Files.deleteIfExists(path);
        try {
            Files.createLink(path, made);
        } catch (FileAlreadyExistsException e) { // by one that found none just now, and needed no lock
            throw taken(path);
        }
    }

    private static KernelException taken(Path path) {
        return new KernelException("publish at \"" + path + "\", where another server is", Errno.EADDRINUSE);
    }

    /** Also if somebody has removed it meanwhile. */
    private static boolean isSocketOrGone(Path path) throws IOException {
        try {
            return ((int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & TYPE) == SOCKET;
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    /**
     * If a server that has ended has left the socket; also if somebody has removed it meanwhile. One that has as many clients to
     * accept as may wait (EAGAIN) is there, and perhaps stopped: who waited for it would keep the lock.
     */
    private static boolean isLeftBehind(Path path) throws IOException {
        try {
            UnixSocket.connect(path, CONNECT_NANOS).close();
            return false;
        } catch (KernelException e) {
            return e.errno() == Errno.ENOENT || e.errno() == Errno.ECONNREFUSED;
        }
    }
}
