package ayatori.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The archive that users get, unpacked once for all tests of this JVM. */
public final class Archive {
    private static final Path HOME = unpack();

    private Archive() {}

    /** Its top folder, readable by every user. */
    public static Path home() {
        return HOME;
    }

    /** The command {@code ayatori}. */
    public static String command() {
        return HOME.resolve("bin/ayatori").toString();
    }

    /** A folder for every user to read, deleted when this JVM ends. */
    public static Path publicFolder(String name) {
        try {
            Path folder = Files.createTempDirectory(name);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try {
            new ProcessBuilder("rm", "-rf", "--", folder.toString()).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Path unpack() {
        Path archive = Path.of(System.getProperty("ayatori.archive", ""));
        if (!Files.isRegularFile(archive)) {
            throw new IllegalStateException("no archive at '" + archive + "': make dist");
        }
        Path folder = publicFolder("ayatori-archive");
        Finished tar = Program.run(List.of("tar", "-xzf", archive.toString(), "-C", folder.toString()));
        if (tar.exit() != 0) {
            throw new IllegalStateException(tar.err());
        }
        try (var entries = Files.list(folder)) {
            return entries.toList().getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
