package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.sched.PriorityLadder.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentLibraryTest {
    @TempDir
    Path folder;

    private Path library(String place) throws IOException {
        Path file = folder.resolve(place).resolve("libayatori.so");
        Files.createDirectories(folder.resolve(place));
        return Files.createFile(file);
    }

    private static String loading(Path library) {
        return "-agentpath:" + library + "=policy=mixed";
    }

    @Test
    void theUserSaysWhereItIs() throws IOException {
        Path one = library("one");
        Path two = library("two");
        Optional<Path> jar = Optional.of(library("three").resolveSibling("jpi.jar"));
        assertEquals(loading(one), AgentLibrary.option(Policy.MIXED, one.toString(), two.toString(), jar));
        assertEquals(loading(two), AgentLibrary.option(Policy.MIXED, null, two.toString(), jar));
    }

    @Test
    void itIsBesideTheJarOrAsInTheArchive() throws IOException {
        for (String place : new String[] {"a", "b/lib", "c"}) {
            Path library = library(place);
            Path jar = folder.resolve(place.equals("c") ? "c/modules" : place.substring(0, 1))
                    .resolve("jpi.jar");
            assertEquals(loading(library), AgentLibrary.option(Policy.MIXED, null, null, Optional.of(jar)));
            assertEquals(loading(library), AgentLibrary.option(Policy.MIXED, "", "", Optional.of(jar)), "as unset");
        }
    }

    @Test
    void whatCannotBeLoadedIsTold() throws IOException {
        assertEquals(
                "-policy nice needs Ayatori's agent, and there is no libayatori.so beside this jar: name it with"
                        + " -Dayatori.agent= or AYATORI_AGENT",
                refusal(Policy.NICE, null, null));
        assertEquals(
                "-Dayatori.agent names /nowhere/x.so as the agent, which is no file that can be read: name a libayatori.so",
                refusal(Policy.MIXED, "/nowhere/x.so", null));
        assertEquals(
                "AYATORI_AGENT names /nowhere/x.so as the agent, which is no file that can be read: name a libayatori.so",
                refusal(Policy.MIXED, null, "/nowhere/x.so"));
        assertEquals(
                "AYATORI_AGENT names " + folder
                        + " as the agent, which is no file that can be read: name a libayatori.so",
                refusal(Policy.MIXED, null, folder.toString()));
        Path odd = library("a=b");
        assertEquals(
                "the JVM loads no agent from a path with '=': move " + odd + " to another folder",
                refusal(Policy.MIXED, odd.toString(), null));
    }

    private String refusal(Policy policy, @Nullable String property, @Nullable String variable) {
        Optional<Path> jar = Optional.of(folder.resolve("nothing").resolve("jpi.jar"));
        return assertThrows(UserMistake.class, () -> AgentLibrary.option(policy, property, variable, jar))
                .sentence();
    }
}
