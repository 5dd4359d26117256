package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two JVMs and a native program, ranked by a host file: what the kernel has then, and what is refused. */
class HostFileIT {
    private static final String RANKED = """
            [Program audio]   # a native program
            Priority=47
            Policy=fifo
            [Program renderer]
            Band=30-45
            [Program ingest]
            Band=10-29
            """;

    private final Path folder = Archive.publicFolder("ayatori-host-file");

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("host.conf"), text);
    }

    private static List<String> run(Path file, String name, List<String> command) {
        return TargetJvm.underAyatori(List.of("--host-file", file.toString(), "--band", name), command);
    }

    /** A program that says that it is there, and ends with its standard input. */
    private static Program start(Path file, String name, List<String> command) {
        Program program = Program.start(run(file, name, command));
        program.awaitOut("ready\n");
        return program;
    }

    private static List<LinuxThread> realTime(Program program) {
        return LinuxThread.ofProcess((int) program.pid()).stream()
                .filter(thread -> thread.get().policy().isRealTime())
                .toList();
    }

    private static int value(Program program, String thread) {
        return realTime(program).stream()
                .filter(each -> each.name().equals(thread))
                .findFirst()
                .orElseThrow()
                .get()
                .staticPriority();
    }

    private static void assertWithin(int low, int high, Program program) {
        List<LinuxThread> threads = realTime(program);
        assertTrue(threads.size() >= 6, threads::toString);
        for (LinuxThread thread : threads) {
            int value = thread.get().staticPriority();
            assertTrue(value >= low && value <= high, thread + " is at " + value);
        }
    }

    private static void assertMistake(String line, List<String> command) {
        Finished finished = Program.run(command);
        assertEquals("ayatori run: " + line + "; see ayatori run --help\n", finished.err());
        assertEquals("", finished.out());
        assertEquals(2, finished.exit());
    }

    private static void assumeRealTime() {
        assumeTrue("root".equals(System.getProperty("user.name")), "real-time policies need root here");
    }

    @Test
    void twoJvmsAndANativeProgramStandWhereTheFileSays() throws IOException {
        assumeRealTime();
        Path file = file(RANKED);
        try (Program audio = start(file, "audio", List.of("sh", "-c", "echo ready; exec cat"));
                Program renderer = start(file, "renderer", TargetJvm.of(25).plain("Workers"));
                Program ingest = start(file, "ingest", TargetJvm.of(17).plain("Workers"))) {
            LinuxThread only = LinuxThread.of((int) audio.pid());
            assertEquals(SchedulingParameters.fifo(47), only.get(), "not reset on fork: its threads stand there too");
            assertEquals("cat", only.name());
            assertWithin(30, 45, renderer);
            assertWithin(10, 29, ingest);
            assertEquals(45, value(renderer, "VM Thread"));
            assertEquals(40, value(renderer, "worker-10"));
            assertEquals(29, value(ingest, "VM Thread"));
            assertEquals(24, value(ingest, "worker-10"));
            assertTopAndPsRankThem(audio, renderer, ingest);
            assertDoctorSeesIt(file, audio, renderer);
            for (Program program : List.of(audio, renderer, ingest)) {
                Finished finished = program.end();
                assertEquals("", finished.err());
                assertEquals(0, finished.exit());
            }
        }
    }

    private static String doctor(int exit, Path file) {
        Finished finished =
                Program.run(List.of(Archive.command(), "doctor", "--probe", "0", "--host-file", file.toString()));
        assertEquals(exit, finished.exit(), finished.out());
        return finished.out();
    }

    private static void assertDoctorSeesIt(Path file, Program audio, Program renderer) {
        String said = doctor(0, file);
        assertTrue(said.contains("  ok       host file: " + file + ": audio 47, renderer 30-45, ingest 10-29\n"), said);
        assertTrue(said.contains("RR or FIFO 47: process " + audio.pid() + " (cat, program audio)\n"), said);
        assertFalse(said.contains("outside of its band"), said);
        LinuxThread.of((int) audio.pid()).set(SchedulingParameters.fifo(44));
        said = doctor(0, file);
        assertTrue(
                said.contains("  warning  bands: process " + audio.pid()
                        + " (cat, program audio) stands at 44, outside of its band 47\n"),
                said);
        assertTrue(said.contains("processes " + renderer.pid() + " and " + audio.pid() + " overlap"), said);
    }

    /** Others may be at work on this host: what counts is who of the three comes before whom. */
    private static void assertInOrder(String text, String... parts) {
        int last = -1;
        for (String part : parts) {
            int at = text.indexOf(part);
            assertTrue(at > last, part + " is not there, or not in its place:\n" + text);
            last = at;
        }
    }

    private static void assertTopAndPsRankThem(Program audio, Program renderer, Program ingest) {
        Finished top = Program.run(List.of(Archive.command(), "top", "--json", "-d", "0.2"));
        assertEquals(0, top.exit(), top.err());
        String json = top.out();
        String threads = json.substring(json.indexOf("\"threads\""));
        assertInOrder(
                threads,
                "{\"pid\": " + audio.pid() + ", \"tid\": " + audio.pid() + ", \"name\": \"cat\", \"kind\": \"native\"",
                "{\"pid\": " + renderer.pid() + ",",
                "{\"pid\": " + ingest.pid() + ",");
        assertInOrder(
                json,
                "\"native_programs\"",
                "{\"pid\": " + audio.pid() + ", \"program\": \"audio\", \"command\": \"cat\"");
        assertTrue(json.contains("{\"pid\": " + renderer.pid() + ", \"program\": \"renderer\", "), json);
        assertTrue(json.contains("\"summary\": \"policy mixed with RR in band 30-45, launched at OTHER\""), json);
        Finished ps = Program.run(List.of(Archive.command(), "ps"));
        assertEquals(0, ps.exit(), ps.err());
        assertInOrder(
                ps.out(),
                "native program " + audio.pid() + " (audio): cat\n",
                "JVM " + renderer.pid() + " (renderer): ",
                "\npolicy mixed with RR in band 30-45, launched at OTHER\n",
                "JVM " + ingest.pid() + " (ingest): ");
    }

    @Test
    void doctorNamesWhatRunRefuses() throws IOException {
        Path file = file(RANKED + "[Program b]\nBand=29-40\n");
        String said = doctor(1, file);
        assertTrue(
                said.contains("  problem  host file: " + file
                        + ":9: 29-40 of program b overlaps 30-45 of program renderer (line 4)\n"),
                said);
    }

    @ParameterizedTest
    @CsvSource({
        "ingest, '[Program b]\\nBand=29-40\\n', ':9: 29-40 of program b overlaps 30-45 of program renderer (line 4)'",
        "b, '[Program b]\\nBand=5\\n', ':9: no band ''5'': it is LOW-HIGH, two real-time values from 1 to 49, such as 10-29'",
        "b, '[Program b]\\nNice=5\\n', ':9: unknown key ''Nice'': it is one of Band, Priority, Policy'"
    })
    void aMistakeInTheFileStartsNothing(String name, String lines, String expected) throws IOException {
        Path file = file(RANKED + lines.replace("\\n", "\n"));
        Path started = folder.resolve("started");
        assertMistake(file + expected, run(file, name, List.of("touch", started.toString())));
        assertFalse(Files.exists(started));
    }

    @Test
    void whatDoesNotFitTheFileIsRefused() throws IOException {
        Path file = file(RANKED);
        String java = TargetJvm.of(17).java();
        assertMistake(
                "no program 'video' in " + file + ": it has audio, renderer, ingest",
                run(file, "video", List.of("true")));
        assertMistake(
                "there is no host file " + folder.resolve("none"),
                run(folder.resolve("none"), "audio", List.of("true")));
        assertMistake(
                "'" + java + "' is a JVM, which no single value is for: give the program Band= in place of Priority=",
                run(file, "audio", List.of(java, "-version")));
        List<String> withPolicy = new ArrayList<>(run(file, "audio", List.of("true")));
        withPolicy.addAll(2, List.of("--policy", "static"));
        assertMistake(
                "--policy is for JVMs, and program audio is a native one: it has Priority= in the host file",
                withPolicy);
        assertMistake(
                "--host-file is of no use without --band NAME",
                List.of(Archive.command(), "run", "--host-file", file.toString(), "--band", "1-20", "true"));
    }

    @Test
    void aValueThatTheKernelRefusesStartsNothing() throws IOException {
        Path file = file(RANKED);
        Path started = folder.resolve("started");
        List<String> touch = TargetJvm.asNobody(run(file, "audio", List.of("touch", started.toString())));
        assertMistake(
                "program audio: wanted FIFO 47, the kernel refused (EPERM); raise RLIMIT_RTPRIO (it is 0, and this needs"
                        + " 47) or grant CAP_SYS_NICE",
                touch);
        assertFalse(Files.exists(started));
    }

    /** What AmbientCapabilities= of a unit gives. */
    @Test
    void aServiceWithTheCapabilityIsRanked() throws IOException {
        assumeRealTime();
        Path file = file(RANKED);
        List<String> command = new ArrayList<>(List.of(TargetJvm.nobodyWithSysNice()));
        command.addAll(run(file, "renderer", TargetJvm.of(25).plain("Workers")));
        try (Program renderer = Program.start(command)) {
            renderer.awaitOut("ready\n");
            assertWithin(30, 45, renderer);
            assertTrue(
                    doctor(0, file).contains(": process " + renderer.pid() + " (java, program renderer)\n"),
                    "root sees whose it is");
            assertEquals("", renderer.end().err());
        }
    }

    @Test
    void systemdTakesTheUnitOfTheGuide() throws IOException {
        assumeTrue(
                Program.run(List.of("sh", "-c", "command -v systemd-analyze")).exit() == 0, "no systemd-analyze");
        Path page = Path.of(System.getProperty("ayatori.root", "..")).resolve("docs/deployment.md");
        String unit = Files.readString(page).split("```ini\n", 2)[1].split("```\n", 2)[0];
        assertTrue(unit.startsWith("[Unit]\n") && unit.contains("AmbientCapabilities=CAP_SYS_NICE\n"), unit);
        Path service = folder.resolve("renderer.service");
        Files.writeString(service, unit.replace("/opt/ayatori/bin/ayatori", Archive.command()));
        Finished verified = Program.run(List.of("systemd-analyze", "verify", "--man=no", service.toString()));
        assertEquals("", verified.err());
        assertEquals(0, verified.exit());
    }

    /** A program that another one starts with a band of numbers is none of that name. */
    @Test
    void aBandOfNumbersHasNoName() throws IOException {
        assumeRealTime();
        Path file = file(RANKED);
        List<String> inner = TargetJvm.underAyatori(
                List.of("--band", "1-9", "--policy", "nice"), List.of("sh", "-c", "echo ${AYATORI_PROGRAM-none}"));
        List<String> outer = new ArrayList<>(Arrays.asList("sh", "-c", "echo $AYATORI_PROGRAM; exec \"$@\"", "sh"));
        outer.addAll(inner);
        assertEquals(
                "audio\nnone\n",
                Program.run(run(file, "audio", outer), Map.of()).out());
    }
}
