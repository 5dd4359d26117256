package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where nothing is wrong the agent says nothing: what a program writes is byte for byte what it writes without. */
class SilenceIT {
    private static final Path FOLDER = Archive.publicFolder("ayatori-silence");
    private static final String MAIN = """
            package quiet;

            public final class Main {
                public static void main(String[] arguments) throws Exception {
                    Thread high = new Thread(() -> System.out.println("high \\u00e9"));
                    high.setPriority(9);
                    high.start();
                    high.join();
                    Thread.currentThread().setPriority(2);
                    System.gc();
                    Thread.yield();
                    System.err.println("low " + new ProcessBuilder("true").start().waitFor());
                    System.exit(7);
                }
            }
            """;

    @BeforeAll
    static void build() throws IOException {
        ActorsJvm.assumeRealTime();
        Path sources = Files.createDirectories(FOLDER.resolve("sources/quiet"));
        Files.writeString(sources.resolve("Main.java"), MAIN);
        Files.writeString(FOLDER.resolve("sources/module-info.java"), "module quiet {}\n");
        tool(
                "javac",
                "--release",
                "17",
                "-d",
                FOLDER + "/classes",
                sources + "/Main.java",
                FOLDER + "/sources/module-info.java");
        tool(
                "jar",
                "--create",
                "--file",
                FOLDER + "/quiet.jar",
                "--main-class",
                "quiet.Main",
                "-C",
                FOLDER + "/classes",
                ".");
    }

    private static void tool(String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/" + name));
        command.addAll(List.of(arguments));
        Finished finished = Program.run(command);
        assertEquals(0, finished.exit(), finished.out() + finished.err());
    }

    @ParameterizedTest
    @CsvSource({
        "17, -jar %s/quiet.jar, policy=static",
        "17, --module-path %s/quiet.jar --module quiet/quiet.Main, policy=mixed",
        "25, -jar %s/quiet.jar, policy=mixed",
        "25, --module-path %s/classes --module quiet/quiet.Main, policy=static"
    })
    void outputIsTheProgramsOwn(int jdk, String launch, String options) {
        List<String> words = List.of(launch.formatted(FOLDER).split(" "));
        List<String> without = new ArrayList<>(List.of(TargetJvm.of(jdk).java()));
        without.addAll(words);
        List<String> with = new ArrayList<>(without);
        with.add(1, "-agentpath:" + ActorsJvm.agent() + "=" + options);
        assertEquals(Program.run(without), Program.run(with));
        assertEquals(7, Program.run(with).exit());
    }
}
