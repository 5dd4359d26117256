package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.cli.Band;
import ayatori.cli.HostFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By what a JVM is judged that did not get the band that it was started with. */
class AskedBandTest {
    /** Above the kernel's highest, so that no agent is there to ask. */
    private static final int NOBODY = 4_194_305;

    @TempDir
    private Path root;

    private Optional<Band> asked(String commandLine, String environment, Optional<HostFile> hostFile)
            throws IOException {
        Path process = Files.createDirectories(root.resolve("proc/" + NOBODY));
        Files.writeString(process.resolve("cmdline"), commandLine);
        Files.writeString(process.resolve("environ"), environment);
        return AskedBand.of(new KernelFiles(root), NOBODY, hostFile);
    }

    @Test
    void byTheOptionsOfTheAgent() throws IOException {
        Optional<Band> band = Optional.of(new Band(30, 45));
        String options = "-agentpath:/opt/a/lib/libayatori.so=policy=mixed,band=30-45,rules=/etc/a,band=1-9";
        assertEquals(band, asked("java\0" + options + "\0App\0", "", Optional.empty()));
        assertEquals(
                band, asked("java\0App\0", "A=b\0JAVA_TOOL_OPTIONS=-Xmx1g " + options + " -Xint\0", Optional.empty()));
        assertEquals(
                Optional.empty(),
                asked(
                        "java\0-agentpath:/opt/a/lib/libayatori.so=policy=mixed,rules=/a,band=1-9\0",
                        "",
                        Optional.empty()));
        assertEquals(Optional.empty(), asked("java\0App\0band=1-9\0", "", Optional.empty()));
    }

    @Test
    void byItsNameInTheHostFile() throws IOException {
        Path path = Files.writeString(root.resolve("host.conf"), "[Program renderer]\nBand=20-40\n");
        Optional<HostFile> file = Optional.of(HostFile.read(path));
        String options = "-agentpath:/lib/libayatori.so=band=30-45";
        assertEquals(Optional.of(new Band(20, 40)), asked("java\0" + options, "AYATORI_PROGRAM=renderer\0", file));
        assertEquals(Optional.of(new Band(30, 45)), asked("java\0" + options, "AYATORI_PROGRAM=other\0", file));
    }
}
