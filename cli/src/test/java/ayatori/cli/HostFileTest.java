package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a host file says, and what it must not say. */
class HostFileTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("host.conf"), text);
    }

    private static String mistake(Path path) {
        return String.valueOf(
                assertThrows(UserMistake.class, () -> HostFile.read(path)).getMessage());
    }

    @Test
    void whatHasNoEndIsNoHostFile() {
        assertEquals("the host file /dev/zero is longer than 1048576 bytes: is it one?", mistake(Path.of("/dev/zero")));
    }

    @Test
    void programsInTheirOrder() throws IOException {
        Path path = file("""
                # who comes first on this host
                ; and who second

                [Program audio]   # a native program
                  Priority = 47
                Policy=fifo
                [Program renderer]\r
                Band=30-45\r
                [Program ingest.2@eu]
                Band=10-29     ; up to the renderer
                [Program watchdog]
                Priority=98
                [Program logger]
                Policy=rr
                Priority=1
                """);
        HostFile file = HostFile.read(path);
        assertEquals(
                List.of(
                        new HostFile.Program("audio", 4, new Band(47, 47), Optional.of(SchedulingParameters.fifo(47))),
                        new HostFile.Program("renderer", 7, new Band(30, 45), Optional.empty()),
                        new HostFile.Program("ingest.2@eu", 9, new Band(10, 29), Optional.empty()),
                        new HostFile.Program(
                                "watchdog", 11, new Band(98, 98), Optional.of(SchedulingParameters.roundRobin(98))),
                        new HostFile.Program(
                                "logger", 13, new Band(1, 1), Optional.of(SchedulingParameters.roundRobin(1)))),
                file.programs());
        assertEquals(Optional.of(file.programs().get(1)), file.program("renderer"));
        assertEquals(Optional.empty(), file.program("Renderer"));
        assertEquals(List.of(), HostFile.read(file("# nobody yet\n")).programs());
    }

    @Test
    void theExampleOfTheGuide() throws IOException {
        Path root = Path.of(System.getProperty("ayatori.root", ".."));
        String page = Files.readString(root.resolve("docs/bands.md"));
        HostFile file = HostFile.read(file(page.split("```ini\n", 2)[1].split("```\n", 2)[0]));
        assertEquals("audio, renderer, ingest", file.names());
        assertEquals("--host-file " + file.path() + " --band audio", file.runOptions("audio"));
        assertEquals("--band audio", new HostFile(HostFile.USUAL, List.of()).runOptions("audio"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Band=10-29                       | 1: Band= stands before the first [Program NAME]
            [Service]                        | 1: unknown section '[Service]': a section is [Program NAME]
            [Program a                       | 1: unknown section '[Program a': a section is [Program NAME]
            [Program 10-29]                  | 1: no name for a program '10-29': a letter, then up to 62 letters, digits and any of . _ @ -
            [Program a b]                    | 1: no name for a program 'a b': a letter, then up to 62 letters, digits and any of . _ @ -
            [Program a]                      | 1: program a has to have either Band=, or Priority= and, if wanted, Policy=
            [Program a]/Band 10-29           | 2: 'Band 10-29' is neither [Program NAME] nor KEY=VALUE
            [Program a]/band=10-29           | 2: unknown key 'band': it is one of Band, Priority, Policy
            [Program a]/=10-29               | 2: unknown key '': it is one of Band, Priority, Policy
            [Program a]/Band=10-29/Band=1-5  | 3: Band= stands in line 2 already
            [Program a]/Band=                | 2: no band '': it is LOW-HIGH, two real-time values from 1 to 49, such as 10-29
            [Program a]/Band=29-10           | 2: no band '29-10': it is LOW-HIGH, two real-time values from 1 to 49, such as 10-29
            [Program a]/Band=0-10            | 2: no band '0-10': it is LOW-HIGH, two real-time values from 1 to 49, such as 10-29
            [Program a]/Band=40-50           | 2: no band '40-50': it is LOW-HIGH, two real-time values from 1 to 49, such as 10-29
            [Program a]/Band=1-9999999999    | 2: no band '1-9999999999': it is LOW-HIGH, two real-time values from 1 to 49, such as 10-29
            [Program a]/Priority=0           | 2: no priority '0': it is a real-time value from 1 to 98
            [Program a]/Priority=99          | 2: no priority '99': it is a real-time value from 1 to 98
            [Program a]/Priority=4.5         | 2: no priority '4.5': it is a real-time value from 1 to 98
            [Program a]/Priority=9/Policy=RR | 3: unknown policy 'RR': it is rr or fifo
            [Program a]/Policy=rr            | 1: program a has to have either Band=, or Priority= and, if wanted, Policy=
            [Program a]/Band=1-9/Policy=rr   | 1: program a has to have either Band=, or Priority= and, if wanted, Policy=
            [Program a]/Band=1-9/Priority=9  | 1: program a has to have either Band=, or Priority= and, if wanted, Policy=
            [Program a]/Band=1-9//[Program a]/Band=20-29 | 4: program a stands in line 1 already
            [Program a]/Band=1-9//[Program b]/Band=9-20  | 5: 9-20 of program b overlaps 1-9 of program a (line 1)
            [Program a]/Priority=9/[Program b]/Priority=9 | 4: 9 of program b overlaps 9 of program a (line 1)
            [Program a]/Band=1-20/[Program b]/Priority=9 | 4: 9 of program b overlaps 1-20 of program a (line 1)
            [Program a]/Band=1-9/[Program b] | 3: program b has to have either Band=, or Priority= and, if wanted, Policy=
            """)
    void aMistakeIsRefusedWithItsLine(String lines, String expected) throws IOException {
        Path path = file(lines.replace('/', '\n') + "\n");
        assertEquals(path + ":" + expected, mistake(path));
    }

    @Test
    void whatCannotBeReadIsNamed() throws IOException {
        Path nowhere = folder.resolve("nowhere");
        assertEquals("there is no host file " + nowhere, mistake(nowhere));
        assertEquals("the host file " + folder + " cannot be read: Is a directory", mistake(folder));
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xFF, 27, '[', '\n'});
        assertEquals(binary + ":1: '\uFFFD?[' is neither [Program NAME] nor KEY=VALUE", mistake(binary));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-49", "10-29", "48-49"})
    void bandsOfJvms(String text) {
        assertEquals(Optional.of(text), Band.parse(text).map(Band::toString));
    }

    @Test
    void bandsCompareAsAWhole() {
        Band band = new Band(10, 20);
        assertEquals(
                List.of(true, true, false),
                List.of(
                        band.overlaps(new Band(20, 30)),
                        band.overlaps(new Band(1, 49)),
                        band.overlaps(new Band(21, 30))));
        assertEquals(
                List.of(true, true, false),
                List.of(
                        band.contains(new Band(10, 20)),
                        band.contains(new Band(15, 15)),
                        band.contains(new Band(15, 21))));
    }

    @Test
    void aProcessBearsItsNameInItsEnvironment() {
        assertEquals(
                List.of("A=1", "AYATORI_PROGRAM=audio"),
                ProgramName.put(List.of("AYATORI_PROGRAM=old", "A=1"), Optional.of("audio")));
        assertEquals(List.of("A=1"), ProgramName.put(List.of("AYATORI_PROGRAM=old", "A=1"), Optional.empty()));
        assertEquals(Optional.of("audio"), ProgramName.in("A=1\0AYATORI_PROGRAM=audio\0B=2\0"));
        assertEquals(Optional.empty(), ProgramName.in("AYATORI_PROGRAM=\033[2J\0XAYATORI_PROGRAM=a\0"));
    }
}
