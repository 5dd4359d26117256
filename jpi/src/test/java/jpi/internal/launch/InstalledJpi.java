package jpi.internal.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jar and its siblings in a folder, as users have them.
 *
 * @param jar of JPI
 */
record InstalledJpi(Path jar) {
    private static final Path TARGET = Path.of(System.getProperty("basedir", "."), "target");

    /** Puts them there. */
    static InstalledJpi in(Path folder) throws IOException {
        String paths =
                System.getProperty("jdk.module.path", "") + File.pathSeparator + System.getProperty("java.class.path");
        for (String path : paths.split(File.pathSeparator)) {
            if (path.endsWith(".jar")) {
                copy(Path.of(path), folder);
            }
        }
        try (Stream<Path> built = Files.list(TARGET)) {
            Path jar = built.filter(file -> file.getFileName().toString().matches("ayatori-jpi-[0-9.]+\\.jar"))
                    .findFirst()
                    .orElseThrow();
            return new InstalledJpi(copy(jar, folder));
        }
    }

    private static Path copy(Path file, Path folder) throws IOException {
        return Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * The command line of a run.
     *
     * @param java the JVM, with its options
     * @param temporary where it has its temporary files
     */
    List<String> command(List<String> java, Path temporary, String... words) {
        List<String> command = new ArrayList<>(java);
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of(
                "-cp", jar + File.pathSeparator + TARGET.resolve("test-classes").toAbsolutePath(), "jpi.JRun"));
        command.addAll(List.of(words));
        return command;
    }
}
