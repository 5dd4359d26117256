package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.List;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.Test;

/** What ends a run before its workers are there. */
class EarlyEndIT extends JRunCase {
    /** A master's JVM that a signal has asked to end just before: the run comes with the JVM's shutdown. */
    static final class Late {
        private Late() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform()
                            .unstarted(() -> System.out.println("ends with "
                                    + RunOptions.commandLine(Session::run).execute(arguments))));
        }
    }

    @Test
    void aMasterThatIsAskedToEndBeforeItBeginsMakesNothingAndSaysNothing() throws Exception {
        String classPath = jar + File.pathSeparator + TEST_CLASSES;
        List<String> command = List.of(
                JAVA.toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                classPath,
                name(Late.class),
                "-np",
                "2",
                name(Programs.Greets.class));
        try (StartedRun run = new StartedRun(command, jars)) {
            Result result = run.end();
            assertEquals(new Result(0, "ends with 141\n", ""), result);
            assertNoMemoryOf(run);
        }
    }
}
