package ayatori.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.cli.UserMistake;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mistake is told before anything runs. */
class DemoMistakesTest {
    @Test
    void cpusOtherThanOneAndTwo() {
        DemoCommand command = new DemoCommand();
        command.rounds = 1;
        command.cpus = List.of(1, 3);
        assertMistake("--cpus 3 is neither 1 nor 2", command);
    }

    @Test
    void noRuns() {
        DemoCommand command = new DemoCommand();
        assertMistake("--runs 0 is not between 1 and 1000", command);
    }

    @Test
    void aNegativeTarget() {
        DemoCommand command = new DemoCommand();
        command.rounds = 1;
        command.target = -1;
        assertMistake("--target -1 is negative", command);
    }

    private static void assertMistake(String expected, DemoCommand command) {
        assertEquals(expected, assertThrows(UserMistake.class, command::call).getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            no-such-java | 'no-such-java' cannot be started; name a java with --java
            /bin/true    | '/bin/true' is no java: it exits with 0 when asked for its version
            """)
    void aJavaThatIsNone(String command, String expected) {
        assertEquals(
                expected,
                assertThrows(UserMistake.class, () -> TargetJvm.ask(command)).getMessage());
    }
}
