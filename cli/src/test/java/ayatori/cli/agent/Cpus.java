package ayatori.cli.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The CPUs that this process may use. */
final class Cpus {
    private Cpus() {}

    /** As taskset(1) wants it. */
    static String list() {
        try {
            return Files.readString(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .orElseThrow()
                    .substring("Cpus_allowed_list:".length())
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String last() {
        return List.of(list().split("[,-]")).getLast();
    }

    static int count() {
        return Runtime.getRuntime().availableProcessors();
    }
}
