package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Files by which workers find the master and each other, for this user alone. They are needed until all have joined: what is
 * open then stays so without them. Whoever is killed later leaves none behind; what a master leaves that is killed before, the next
 * one finds among the {@link Leftovers}.
 *
 * @param socket where the master listens, alone in its folder
 * @param memory what all workers map; empty for one worker
 */
record MeetingPlace(Path socket, Optional<Path> memory) {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "jpi-" + ProcessHandle.current().pid() + "-";
    private static final String SOCKET = "control";
    /** So many times what is shared then. */
    private static final int PLENTY = 4;
    /** What sockaddr_un has room for, without the terminating zero. */
    private static final int MAX_SOCKET_PATH = 107;

    /**
     * Makes the folder and the memory.
     *
     * @param memorySize bytes; 0 for no memory
     * @param roomySize bytes where there is plenty
     */
    static MeetingPlace create(long memorySize, long roomySize) {
        return create(Path.of(System.getProperty("java.io.tmpdir")), SHARED_MEMORY, memorySize, roomySize);
    }

    static MeetingPlace create(Path temporary, Path shared, long memorySize, long roomySize) {
        Path folder;
        try {
            folder = Files.createTempDirectory(temporary, PREFIX); // 0700
        } catch (IOException e) {
            throw new UserMistake("no folder can be made in " + temporary + " (" + e
                    + "): name another place with -Djava.io.tmpdir=");
        }
        removeLeftovers(temporary, shared, folder);
        MeetingPlace place = inFolder(folder);
        int length = place.socket.toString().getBytes(UTF_8).length;
        if (length > MAX_SOCKET_PATH) {
            place.delete();
            throw new UserMistake("the path " + place.socket + " is too long for a socket (" + length
                    + " bytes, at most " + MAX_SOCKET_PATH + "): name another place with -Djava.io.tmpdir=");
        }
        return memorySize == 0 ? place : place.withMemory(shared, memorySize, roomySize);
    }

    private static MeetingPlace inFolder(Path folder) {
        return new MeetingPlace(folder.toAbsolutePath().resolve(SOCKET), Optional.empty());
    }

    private static void removeLeftovers(Path temporary, Path shared, Path own) {
        try {
            UserPrincipal owner = Files.getOwner(own);
            Leftovers.in(temporary, BasicFileAttributes::isDirectory, owner)
                    .forEach(folder -> inFolder(folder).delete());
            Leftovers.in(shared, BasicFileAttributes::isRegularFile, owner).forEach(MeetingPlace::delete);
        } catch (IOException e) {
            // The run does not depend on it.
        }
    }

    private MeetingPlace withMemory(Path shared, long least, long roomy) {
        try {
            long free = Files.getFileStore(shared).getUsableSpace();
            if (free < least) {
                throw noRoom(shared + " has " + free + " bytes free, and the workers share " + least);
            }
            long size = free / PLENTY < roomy ? least : roomy;
            Path file = Files.createTempFile(
                    shared,
                    PREFIX,
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            MeetingPlace place = new MeetingPlace(socket, Optional.of(file));
            try (FileChannel channel = FileChannel.open(file, EnumSet.of(StandardOpenOption.WRITE))) {
                var _ = channel.write(ByteBuffer.wrap(new byte[1]), size - 1);
            } catch (IOException e) {
                place.delete();
                throw e;
            }
            return place;
        } catch (UserMistake e) {
            delete();
            throw e;
        } catch (IOException e) {
            delete();
            throw new UserMistake("no memory can be shared through " + shared + " (" + e
                    + "): make it a tmpfs that you may" + " write to");
        }
    }

    /** With the remedy. */
    static UserMistake noRoom(String sentence) {
        return new UserMistake(sentence + ": make room there (of a container: --shm-size), or start fewer workers");
    }

    /** As a worker is told of it on its command line. */
    List<String> arguments() {
        return memory.map(file -> List.of(socket.toString(), file.toString())).orElse(List.of(socket.toString()));
    }

    /** The inverse. */
    static MeetingPlace ofArguments(List<String> arguments) {
        return new MeetingPlace(
                Path.of(arguments.getFirst()),
                arguments.size() == 1 ? Optional.empty() : Optional.of(Path.of(arguments.getLast())));
    }

    /** Removes what is left of it. */
    void delete() {
        memory.ifPresent(MeetingPlace::delete);
        delete(socket);
        Path folder = socket.getParent();
        if (folder != null) {
            delete(folder);
        }
    }

    private static void delete(Path path) {
        try {
            var _ = Files.deleteIfExists(path);
        } catch (IOException e) {
            // Another of those who met there does so too.
        }
    }
}
