package ayatori.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program under {@code ayatori run} cannot tell, and neither can who started it. */
class TransparencyIT {
    private static List<String> run(String... command) {
        return TargetJvm.underAyatori(List.of(), Arrays.asList(command));
    }

    /** What a shell prints with and without {@code ayatori run} before the command, as in {@code "nice -n 5 %s id"}. */
    private static void assertSame(String script, Map<String, String> environment, UnaryOperator<String> but) {
        Finished with = Program.run(
                List.of("sh", "-c", script.replace("%s", "'" + Archive.command() + "' run --")), environment);
        Finished without = Program.run(List.of("sh", "-c", script.replace("%s", "")), environment);
        assertEquals(without.err(), with.err(), script);
        assertEquals(but.apply(without.out()), but.apply(with.out()), script);
        assertEquals(without.exit(), with.exit(), script);
    }

    private static void assertSame(String script) {
        assertSame(script, Map.of(), UnaryOperator.identity());
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void theExitCodeAndTheStreamsAreTheProgramsOwn(int jdk) throws IOException {
        byte[] data = new byte[1 << 20];
        new Random(1).nextBytes(data);
        List<String> command = TargetJvm.of(jdk).plain("Echo", "37");
        try (Program echo = Program.start(TargetJvm.underAyatori(List.of(), command))) {
            echo.in().write(data);
            Finished finished = echo.end();
            assertEquals(37, finished.exit(), finished.err());
            assertTrue(finished.rawOut().equals(new String(data, ISO_8859_1)), "a megabyte comes through unchanged");
            assertEquals("", finished.err(), "neither the agent nor HotSpot has anything to say");
        }
    }

    @Test
    void anExitBySignalIsTheProgramsOwn() {
        assertSame("%s sh -c 'kill -KILL $$'; echo $?");
    }

    @Test
    void theProcessIsTheSame() {
        try (Program shell = Program.start(run("sh", "-c", "echo $$"))) {
            assertEquals(Long.toString(shell.pid()), shell.end().out().strip());
        }
    }

    @ParameterizedTest
    @CsvSource({"17, TERM, 15", "17, INT, 2", "17, HUP, 1", "25, TERM, 15"})
    void signalsReachTheProgram(int jdk, String signal, int number) {
        // Who runs the tests in the background, or under nohup, ignores some of them, and hands that on.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal"));
        command.addAll(TargetJvm.underAyatori(List.of(), TargetJvm.of(jdk).plain("Workers")));
        try (Program jvm = Program.start(command)) {
            jvm.awaitOut("ready\n");
            jvm.signal(signal);
            jvm.awaitOut("hook\n"); // the end of its input would end it too
            Finished finished = jvm.end();
            assertEquals(128 + number, finished.exit());
            assertEquals("ready\nhook\n", finished.out());
        }
    }

    @Test
    void signalMasksAndIgnoredSignalsAreHandedOn() {
        String signals = " grep '^Sig[BIC]' /proc/self/status";
        assertSame("%s" + signals);
        assertSame("env --block-signal=TERM --block-signal=USR1 --block-signal=USR2 %s" + signals);
        assertSame("env --ignore-signal=PIPE --ignore-signal=XFSZ --ignore-signal=INT --ignore-signal=QUIT"
                + " --ignore-signal=USR1 %s" + signals);
        assertSame("nohup %s" + signals);
    }

    @Test
    void limitsAreHandedOn() {
        assertSame("ulimit -Sn 300; %s cat /proc/self/limits");
        assertSame("ulimit -Ss 4096; %s cat /proc/self/limits");
    }

    @Test
    void schedulingIsHandedOn() {
        assertSame("nice -n 7 %s cut -d ' ' -f 18,19,40,41 /proc/self/stat");
        assertSame("taskset 1 %s grep Cpus_allowed: /proc/self/status");
        assertSame("umask 0123; cd /; %s sh -c 'umask; pwd'");
    }

    @Test
    void openFilesAreThoseOfTheCallerAndNoMore() {
        assertSame("exec 7</dev/null 9</dev/zero; %s sh -c 'cd /proc/self/fd; for f in *; do readlink $f; done; true'"
                + " | grep -v pipe:");
        assertSame("%s readlink /proc/self/fd/9 9</dev/zero");
    }

    @Test
    void theEnvironmentIsHandedOn() {
        Map<String, String> environment = Map.of(
                "JDK_JAVA_OPTIONS", "-Da=b",
                "_JAVA_OPTIONS", "",
                "name", "x",
                "home", "y",
                "CDPATH", "/",
                "ODD", " two\nlines 'quoted' ");
        assertSame("env -u _ %s env -0 | sort -z | tr '\\0' '|'", environment, out -> withoutToolOptions(out));
        assertSame("env -i %s /usr/bin/env", Map.of(), out -> withoutToolOptions(out));
    }

    /** The one variable that is meant to differ for a program that is no java launcher. */
    private static String withoutToolOptions(String out) {
        return String.join(
                "|",
                Stream.of(out.split("[|\n]"))
                        .filter(v -> !v.startsWith("JAVA_TOOL_OPTIONS=") && !v.startsWith("_="))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aJavaLaunchersEnvironmentHasItsOwnToolOptionsOnly(int jdk) {
        List<String> command =
                TargetJvm.underAyatori(List.of(), TargetJvm.of(jdk).plain("Tell", "env", "JAVA_TOOL_OPTIONS"));
        Finished without = Program.run(command);
        assertEquals("JAVA_TOOL_OPTIONS=null\n", without.out());
        assertEquals("", without.err());
        Finished with = Program.run(command, Map.of("JAVA_TOOL_OPTIONS", "-Da=b"));
        assertEquals("JAVA_TOOL_OPTIONS=-Da=b\n", with.out());
        assertEquals("Picked up JAVA_TOOL_OPTIONS: -Da=b\n", with.err());
    }

    @Test
    void argumentsAreBytes() {
        Finished printed = Program.run(List.of(
                "sh",
                "-c",
                "exec '" + Archive.command() + "' run -- printf '%s|' \"$(printf 'a\\377\\376b')\" '' '@x' -- '*'"));
        assertEquals("a\u00ff\u00feb||@x|--|*|", printed.rawOut(), printed.err());
    }

    @Test
    void theTerminalIsTheProgramsOwn() {
        String inside = "'" + Archive.command() + "' run -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size'";
        Finished script = Program.run(
                List.of("script", "-qec", "stty rows 43 cols 132; " + inside, "/dev/null"), Map.of("TERM", "xterm"));
        assumeTrue(script.exit() != 127, "no script(1) here");
        assertEquals("43 132", script.out().strip(), script.err());
        assertEquals(0, script.exit());
    }

    @Test
    void twoDashesMayBeLeftOutAndOptionsOfTheCommandAreItsOwn() {
        List<String> command = new ArrayList<>(List.of(Archive.command(), "run", "sh", "-c", "echo \"$@\"", "x"));
        command.addAll(List.of("--policy", "--", "--help"));
        assertEquals("--policy -- --help\n", Program.run(command).out());
    }

    @Test
    void nothingOfAyatorisIsLeftInTheEnvironment() {
        Finished env = Program.run(run("env"), Map.of("JAVA_TOOL_OPTIONS", "-Da=b"));
        assertFalse(env.out().contains("AYATORI"), env.out());
        assertTrue(env.out().contains("\nJAVA_TOOL_OPTIONS=-Da=b -agentpath:"), env.out());
    }
}
