package ayatori.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A stock JVM for the archive to work on, and the programs of src/test/target-programs, which run on JDK 8 and later.
 * Give it a main class and JVM arguments, and it hands back the running program or its output.
 */
public final class TargetJvm {
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");
    private static final Path CLASSES = compile();

    private final Path java;

    private TargetJvm(Path java) {
        this.java = java;
    }

    /** The JVM of a feature release; the test is skipped where there is none. */
    public static TargetJvm of(int feature) {
        Optional<Path> home =
                homes().filter(candidate -> feature(candidate) == feature).findFirst();
        assumeTrue(home.isPresent(), "no JDK " + feature + " below " + INSTALLED);
        return new TargetJvm(home.orElseThrow().resolve("bin/java"));
    }

    private static Stream<Path> homes() {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        try (var installed = Files.list(INSTALLED)) {
            homes.addAll(installed.sorted().toList());
        } catch (IOException e) {
            // None but the one that runs the tests.
        }
        return homes.stream().filter(home -> Files.isExecutable(home.resolve("bin/java")));
    }

    private static int feature(Path home) {
        try {
            return Files.readString(home.resolve("release"), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.replaceAll("JAVA_VERSION=\"(1\\.)?(\\d+).*", "$2"))
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private static Path compile() {
        Path root = Path.of(System.getProperty("ayatori.root", ".."));
        Path classes = Archive.publicFolder("ayatori-programs");
        List<String> javac = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/javac",
                "--release",
                "8",
                "-Xlint:-options",
                "-d",
                classes.toString()));
        try (var sources = Files.list(root.resolve("cli/src/test/target-programs"))) {
            sources.forEach(source -> javac.add(source.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Finished compiled = Program.run(javac);
        if (compiled.exit() != 0) {
            throw new IllegalStateException(compiled.err());
        }
        return classes;
    }

    /** The file {@code java}. */
    public String java() {
        return java.toString();
    }

    /** Where the compiled programs are. */
    public static Path classes() {
        return CLASSES;
    }

    /** {@code java JVM-ARGUMENT… MAIN-CLASS ARGUMENT…}. */
    public List<String> plain(List<String> jvmArguments, String... mainClassAndArguments) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(jvmArguments);
        // Small, so that many of them fit beside whatever else is at work.
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-cp", CLASSES.toString()));
        command.addAll(Arrays.asList(mainClassAndArguments));
        return command;
    }

    public List<String> plain(String... mainClassAndArguments) {
        return plain(List.of(), mainClassAndArguments);
    }

    /** The same below {@code ayatori run OPTION… --}. */
    public static List<String> underAyatori(List<String> options, List<String> command) {
        List<String> all = new ArrayList<>(List.of(Archive.command(), "run"));
        all.addAll(options);
        all.add("--");
        all.addAll(command);
        return all;
    }

    /** Runs a program of the tests under {@code ayatori run OPTION…} to its end. */
    Finished run(List<String> options, String... mainClassAndArguments) {
        return Program.run(underAyatori(options, plain(mainClassAndArguments)), Map.of());
    }

    /** What becomes a command as `nobody` who has CAP_SYS_NICE as an ambient capability. */
    public static String[] nobodyWithSysNice() {
        return new String[] {
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=+sys_nice",
            "--ambient-caps=+sys_nice",
            "--"
        };
    }

    /** The command as the user nobody; the test is skipped where that cannot be had. */
    public static List<String> asNobody(List<String> command) {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become another user");
        List<String> all = new ArrayList<>(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--"));
        all.addAll(command);
        return all;
    }
}
