package ayatori.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The three servers of the file service, a JVM each, until this is closed. */
final class FileServers implements AutoCloseable {
    /** Each calls the one before. */
    private static final List<String> ROLES = List.of("disk", "blocks", "files");

    private final Path place;
    private final List<ServingProcess> servers = new ArrayList<>();

    private FileServers() throws IOException {
        // Not where the disks are: a socket's path has at most 107 characters.
        place = Files.createTempDirectory("ayatori-files");
    }

    /**
     * Starts them.
     *
     * @param folder for their disks
     * @param protocols for each of which they serve; with none they are not started
     */
    static FileServers start(Bench bench, Path folder, List<String> protocols)
            throws IOException, InterruptedException {
        FileServers all = new FileServers();
        try {
            for (String role : protocols.isEmpty() ? List.<String>of() : ROLES) {
                List<Object> arguments = new ArrayList<>(List.of(role, all.place, Bench.oneCpu(), folder));
                arguments.addAll(protocols);
                ServingProcess server =
                        ServingProcess.start(ReadingRun.load(bench, "ServerProcess", arguments.toArray())
                                .command());
                all.servers.add(server);
                if (!server.awaitReady()) {
                    throw new IOException("the server " + role + " does not start: "
                            + server.printed().messages());
                }
            }
            return all;
        } catch (IOException | InterruptedException | RuntimeException e) {
            all.close();
            throw e;
        }
    }

    /** Where their endpoints are. */
    Path place() {
        return place;
    }

    /** What they have complained of so far. */
    List<String> messages() throws IOException {
        List<String> messages = new ArrayList<>();
        for (ServingProcess server : servers) {
            messages.addAll(server.printed().messages());
        }
        return messages;
    }

    /** Ends them, the last one first. */
    @Override
    public void close() throws IOException {
        for (ServingProcess server : servers.reversed()) {
            server.close();
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(place)) {
            for (Path socket : left) {
                Files.delete(socket);
            }
        }
        Files.delete(place);
    }
}
