package ayatori.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program whose two processes call and answer, as {@code bench/src/main/c/round_trip.h} describes it.
 *
 * @param program what stands before {@code server PLACE} and {@code client PLACE WARM_UP CALLS}
 */
record Peer(String name, List<String> program) {
    /** Pages that two processes share are not to be written to a disk meanwhile. */
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    /** Short: a socket's path has at most 107 characters, and iceoryx2 puts the place's name into it twice. */
    private static final String PLACE = "peer";

    /** A load, each side of which is a JVM; the arguments come first. */
    static Peer ofJvms(String name, Jdk jdk, String load, Object... arguments) {
        return new Peer(
                name,
                Load.of(jdk, load, arguments)
                        .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
                        .command());
    }

    /**
     * Starts the server, and has the client call it.
     *
     * @param server what stands before the server's command, such as {@code taskset -c 1}
     * @param client the same for the client
     * @return of the client; or of the server if that has not started
     */
    Load.Outcome calls(List<String> server, List<String> client, int warmUp, int calls, long limitSeconds)
            throws IOException, InterruptedException {
        return meet(server, client, limitSeconds, List.of(Integer.toString(warmUp), Integer.toString(calls)));
    }

    /** The same with other words for the client. Where that does not end well, the server's messages come after its own. */
    Load.Outcome meet(List<String> server, List<String> client, long limitSeconds, List<String> words)
            throws IOException, InterruptedException {
        Path parent = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        Path place = Files.createTempDirectory(parent, PLACE);
        Files.setPosixFilePermissions(
                place, PosixFilePermissions.fromString("rwxrwxrwx")); // also for other users' programs
        try (ServingProcess serving = ServingProcess.start(command(server, "server", place.toString()))) {
            if (!serving.awaitReady()) {
                return serving.printed();
            }
            List<String> command = command(client, "client", place.toString());
            command.addAll(words);
            Load.Outcome outcome = Load.run(name, command, limitSeconds);
            return outcome.good() ? outcome : outcome.and(serving.printed().messages());
        } finally {
            deleteAll(parent, place);
        }
    }

    private List<String> command(List<String> before, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.addAll(program);
        command.addAll(List.of(arguments));
        return command;
    }

    /** The place, and what has its name and some more. */
    private static void deleteAll(Path parent, Path place) throws IOException {
        try (DirectoryStream<Path> named = Files.newDirectoryStream(parent, place.getFileName() + "*")) {
            for (Path path : named) {
                try (Stream<Path> below = Files.walk(path)) {
                    for (Path one : below.sorted(Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(one);
                    }
                }
            }
        }
    }
}
