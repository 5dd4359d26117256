package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent gets into the JVM that was meant, and into which others. */
class AgentInsertionIT {
    private final Path folder = Archive.publicFolder("ayatori-insertion");

    private String script(String name, String text) throws IOException {
        Path script = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text + "\n");
        assertTrue(script.toFile().setExecutable(true, false));
        return script.toString();
    }

    private static String shell(List<String> command) {
        return String.join(" ", command.stream().map(word -> "'" + word + "'").toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aJavaLauncherGetsItAndItsChildDoesNot(int jdk) {
        Finished finished = TargetJvm.of(jdk).run(List.of(), "Tell", "child");
        assertEquals("parent agent=true\nagent=false\n", finished.out(), finished.err());
        assertEquals("", finished.err());
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aStartScriptsJvmGetsItAndSoDoesItsChild(int jdk) throws IOException {
        String start = script("start", "exec " + shell(TargetJvm.of(jdk).plain("Tell", "child")));
        Finished finished = Program.run(TargetJvm.underAyatori(List.of(), List.of(start)));
        assertEquals("parent agent=true\nagent=true\n", finished.out(), finished.err());
        for (String line : finished.err().lines().toList()) {
            assertTrue(line.startsWith("Picked up JAVA_TOOL_OPTIONS: -agentpath:"), line);
        }
    }

    @Test
    void theUsersOwnToolOptionsStay() throws IOException {
        String start = script("start", "exec " + shell(TargetJvm.of(17).plain("Tell", "property", "own")));
        Finished finished = Program.run(
                TargetJvm.underAyatori(List.of(), List.of(start)), Map.of("JAVA_TOOL_OPTIONS", "-Down='a b'"));
        assertEquals("own=a b\n", finished.out(), finished.err());
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void jdkJavaOptionsAreThePlainLaunchersMatter(int jdk) {
        Finished finished = Program.run(
                TargetJvm.underAyatori(List.of(), TargetJvm.of(jdk).plain("Tell", "property", "own")),
                Map.of("JDK_JAVA_OPTIONS", "-Down=1"));
        assertEquals("own=1\n", finished.out());
        assertEquals("NOTE: Picked up JDK_JAVA_OPTIONS: -Down=1\n", finished.err());
    }

    @Test
    void anArchiveBelowAFolderWithSpacesWorksBothWays() throws IOException {
        Path spaced = Files.createDirectories(folder.resolve("it's a \"folder\""));
        Finished copied = Program.run(List.of(
                "cp", "-a", Archive.home().toString(), spaced.resolve("home").toString()));
        assertEquals(0, copied.exit(), copied.err());
        String ayatori = spaced.resolve("home/bin/ayatori").toString();
        List<String> tell = TargetJvm.of(17).plain("Tell", "agent");
        String start = script("start", "exec " + shell(tell));
        Finished direct = Program.run(List.of("sh", "-c", "exec \"$0\" run -- " + shell(tell), ayatori));
        assertEquals("agent=true\n", direct.out(), direct.err());
        Finished scripted = Program.run(List.of(ayatori, "run", "--", start));
        assertEquals("agent=true\n", scripted.out(), scripted.err());
    }

    @Test
    void aLinkToTheCommandWorks() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("ayatori"), Path.of(Archive.command()));
        assertEquals(
                "ayatori "
                        + Path.of(Archive.home().getFileName().toString())
                                .toString()
                                .replace("ayatori-", "") + "\n",
                Program.run(List.of(link.toString(), "--version")).out());
    }
}
