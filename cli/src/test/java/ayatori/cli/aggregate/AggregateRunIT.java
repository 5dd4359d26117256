package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ayatori aggregate run --without-bpf}: what the kernel says of the command. */
class AggregateRunIT {
    private static final Pattern SLICE = Pattern.compile("(?m)^se\\.slice +: +(\\d+)$");

    private static List<String> run(String... command) {
        List<String> all = new ArrayList<>(List.of(Archive.command(), "aggregate", "run", "--without-bpf", "--"));
        all.addAll(List.of(command));
        return all;
    }

    /** The line of the cpu controller: version 1, or else version 2. */
    private static String group(String cgroups) {
        return cgroups.lines()
                .filter(line -> line.matches("\\d+:([a-z]+,)*cpu(,[a-z]+)*:.*"))
                .findFirst()
                .orElse(cgroups.lines().toList().getLast());
    }

    @Test
    void theCommandHasACgroupOfItsOwnWhichGoesWithIt() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "a cgroup needs root");
        Finished finished = Program.run(run("cat", "/proc/self/cgroup"));
        assertEquals(0, finished.exit(), finished.err());
        assertEquals("", finished.err());
        String group = group(finished.out());
        assertNotEquals(group(Files.readString(Path.of("/proc/self/cgroup"))), group);
        Matcher name = Pattern.compile("/(ayatori-aggregate-\\d+)$").matcher(group);
        assertTrue(name.find(), group);
        Finished left = Program.run(List.of("find", "/sys/fs/cgroup", "-name", name.group(1)));
        assertEquals("", left.out());
    }

    /** However early: between the making of its cgroup and the command. */
    @Test
    void whoIsEndedLeavesNoCgroupBehind() {
        assumeTrue("root".equals(System.getProperty("user.name")), "a cgroup needs root");
        assumeTrue(Program.run(List.of("sh", "-c", "strace -V")).exit() == 0, "no strace: apt-get install strace");
        String script =
                "echo $$; exec strace -D -f -qq -o /dev/null -e trace=mkdir -e inject=mkdir:signal=TERM:when=1 ";
        String program = Archive.home().resolve("lib/ayatori-aggregate").toString();
        Finished finished = Program.run(List.of("sh", "-c", script + program + " plain sleep 60"));
        assertEquals(143, finished.exit(), finished.err());
        String group = "ayatori-aggregate-" + finished.out().strip();
        assertEquals(
                "",
                Program.run(List.of("find", "/sys/fs/cgroup", "-name", group)).out());
    }

    @Test
    void whatItStartsHasTheLongestSlice() throws IOException {
        Path own = Path.of("/proc/self/sched");
        assumeTrue(Files.isReadable(own) && SLICE.matcher(Files.readString(own)).find(), "this kernel shows no slices");
        Finished finished = Program.run(run("sh", "-c", "sh -c 'cat /proc/self/sched'"));
        Matcher slice = SLICE.matcher(finished.out());
        assertTrue(slice.find(), finished.out());
        assertEquals("100000000", slice.group(1));
    }

    /** A new cgroup of version 1 has no budget for them, and refuses them, unless it is given one. */
    @Test
    void itsThreadsMayBeRealTime() {
        assumeTrue("root".equals(System.getProperty("user.name")), "real-time threads need root");
        Finished finished = Program.run(run("chrt", "-f", "1", "chrt", "-p", "0"));
        assertEquals(0, finished.exit(), finished.err());
        assertTrue(finished.out().contains("SCHED_FIFO"), finished.out());
    }

    @Test
    void theEndOfTheCommandIsItsOwn() {
        assertEquals(7, Program.run(run("sh", "-c", "exit 7")).exit());
        assertEquals(143, Program.run(run("sh", "-c", "kill -TERM $$")).exit());
        Finished missing = Program.run(run("no-such-command"));
        assertEquals(127, missing.exit());
        assertEquals("ayatori aggregate run: no-such-command (No such file or directory)\n", missing.err());
    }

    /** Also those that a terminal sends, if a process does; whoever starts us may have ignored them. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "QUIT"})
    void signalsGoOnToTheCommand(String signal) {
        String script = "trap 'echo told; exit 3' " + signal + "; echo ready; i=0; "
                + "while [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done";
        try (Program program = Program.start(run("env", "--default-signal=" + signal, "sh", "-c", script))) {
            program.awaitOut("ready\n");
            program.signal(signal);
            Finished finished = program.end();
            assertEquals("ready\ntold\n", finished.out());
            assertEquals(3, finished.exit());
        }
    }

    @Test
    void whatIsRefusedIsSaidAndTheCommandRuns() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become another user");
        Finished finished = Program.run(TargetJvm.asNobody(run("echo", "there")));
        assertEquals("there\n", finished.out());
        assertEquals(0, finished.exit());
        assertTrue(finished.err().startsWith("ayatori aggregate run: "), finished.err());
        assertFalse(finished.err().contains("Exception"), finished.err());
    }

    @Test
    void aKernelThatTakesNoSchedulersIsNamed() {
        assumeFalse(Files.exists(Path.of("/sys/kernel/sched_ext")), "this kernel takes schedulers");
        String sentence = "this kernel takes no schedulers: take Linux 6.13 or later with CONFIG_SCHED_CLASS_EXT";
        for (List<String> words : List.of(List.of("run", "--", "true"), List.of("start"))) {
            List<String> all = new ArrayList<>(List.of(Archive.command(), "aggregate"));
            all.addAll(words);
            Finished finished = Program.run(all);
            assertEquals(2, finished.exit());
            assertTrue(finished.err().contains(sentence), finished.err());
            assertEquals(1, finished.err().lines().count(), finished.err());
        }
        Finished status = Program.run(List.of(Archive.command(), "aggregate", "status"));
        assertEquals(2, status.exit());
        assertTrue(status.err().contains("no scheduler of ayatori aggregate is there"), status.err());
    }
}
