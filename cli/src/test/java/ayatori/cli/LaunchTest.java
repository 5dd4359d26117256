package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.sched.PriorityLadder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the agent gets into which command, on homes of JDKs that hold the files that matter and nothing else. */
class LaunchTest {
    private static final AgentOptions MIXED = new AgentOptions(
            PriorityLadder.Policy.MIXED,
            false,
            false,
            false,
            true,
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty());
    private static final String LIBRARY = "/opt/ayatori/lib/libayatori.so";
    private static final String ARGUMENT = "-agentpath:/opt/ayatori/lib/libayatori.so=policy=mixed";
    private static final String ARCH = System.getProperty("os.arch");

    @TempDir
    Path folder;

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        file.toFile().setExecutable(true);
        return file;
    }

    private Launch plan(List<String> command, String... environment) {
        return Launch.plan(new Invocation(command, List.of(environment), 0, 0), MIXED, LIBRARY);
    }

    private static String mistake(org.junit.jupiter.api.function.Executable plan) {
        return String.valueOf(assertThrows(UserMistake.class, plan).getMessage());
    }

    @Test
    void aHotSpotLauncherGetsTheAgentAsItsFirstArgument() throws IOException {
        String java = file("jdk/bin/java").toString();
        file("jdk/lib/server/libjvm.so");
        Launch launch = plan(List.of(java, "-cp", "x", "Main"), "A=b");
        assertEquals(List.of(java, ARGUMENT, "-cp", "x", "Main"), launch.arguments());
        assertEquals(List.of("A=b"), launch.environment());
        assertEquals(java, launch.path());
    }

    @Test
    void aNativeProgramIsStartedAsItIs() throws IOException {
        String program = file("bin/synth").toString();
        Launch launch = Launch.ofNative(new Invocation(List.of(program, "-x"), List.of("A=b"), 0, 0))
                .named(Optional.of("audio"));
        assertEquals(new Launch(program, List.of(program, "-x"), List.of("A=b", "AYATORI_PROGRAM=audio")), launch);
        String java = file("jdk/bin/java").toString();
        file("jdk/lib/server/libjvm.so");
        assertEquals(
                "'" + java + "' is a JVM, which no single value is for: give the program Band= in place of Priority=",
                mistake(() -> Launch.ofNative(new Invocation(List.of(java), List.of(), 0, 0))));
    }

    @Test
    void soDoesOneOfJdk8AndItsJre() throws IOException {
        String jdk = file("jdk8/bin/java").toString();
        String jre = file("jdk8/jre/bin/java").toString();
        file("jdk8/jre/lib/" + ARCH + "/server/libjvm.so");
        assertEquals(ARGUMENT, plan(List.of(jdk)).arguments().get(1));
        assertEquals(ARGUMENT, plan(List.of(jre)).arguments().get(1));
    }

    @Test
    void aNameIsSearchedOnPathAndLinksAreFollowed() throws IOException {
        file("jdk/bin/java");
        file("jdk/lib/server/libjvm.so");
        Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(folder.resolve("bin/java17"), folder.resolve("jdk/bin/java"));
        Launch launch = plan(List.of("java17", "-version"), "PATH=/nowhere:" + folder.resolve("bin"));
        assertEquals(List.of("java17", ARGUMENT, "-version"), launch.arguments());
        assertEquals(folder.resolve("bin/java17").toString(), launch.path());
    }

    @Test
    void whatIsNoExecutableFileOnPathIsPassedOver() throws IOException {
        Files.createDirectories(folder.resolve("a/tool"));
        Path plain = Files.createDirectories(folder.resolve("b")).resolve("tool");
        Files.createFile(plain);
        Path program = file("c/tool");
        String path = "PATH=" + folder.resolve("a") + ":" + folder.resolve("b") + ":" + folder.resolve("c");
        assertEquals(program.toString(), plan(List.of("tool"), path).path());
    }

    @Test
    void anythingElseGetsTheAgentBehindTheUsersOwnToolOptions() throws IOException {
        String script = file("bin/start").toString();
        Launch launch = plan(List.of(script, "x"), "A=b", "JAVA_TOOL_OPTIONS=-Dq='1 2'", "C=d");
        assertEquals(List.of(script, "x"), launch.arguments());
        assertEquals(List.of("A=b", "C=d", "JAVA_TOOL_OPTIONS=-Dq='1 2' " + ARGUMENT), launch.environment());
    }

    @Test
    void otherToolsOfAJdkAreScriptsToUs() throws IOException {
        String javac = file("jdk/bin/javac").toString();
        file("jdk/lib/server/libjvm.so");
        assertEquals(
                List.of("JAVA_TOOL_OPTIONS=" + ARGUMENT), plan(List.of(javac)).environment());
    }

    @Test
    void openJ9IsRefused() throws IOException {
        String java = file("j9/bin/java").toString();
        file("j9/lib/server/libjvm.so");
        file("j9/lib/default/libj9vm29.so");
        assertEquals(
                "the Java at " + folder.toRealPath().resolve("j9")
                        + " is not HotSpot (OpenJ9): use a JDK with the HotSpot VM",
                mistake(() -> plan(List.of(java))));
    }

    @Test
    void theAgentIsNotLoadedTwice() throws IOException {
        String java = file("jdk/bin/java").toString();
        file("jdk/lib/server/libjvm.so");
        assertEquals(
                "the command line loads libayatori.so already: drop its -agentpath, or run it without 'ayatori run'",
                mistake(() -> plan(List.of(java, "-agentpath:/x/libayatori.so=policy=nice"))));
        for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
            assertEquals(
                    variable + " loads libayatori.so already: one 'ayatori run' around the outermost command is enough",
                    mistake(() -> plan(List.of(java), variable + "=-Da -agentpath:'/x y/libayatori.so'")));
        }
    }

    @Test
    void anotherAgentIsNoneOfOurBusiness() throws IOException {
        String java = file("jdk/bin/java").toString();
        file("jdk/lib/server/libjvm.so");
        assertEquals(
                ARGUMENT,
                plan(List.of(java, "-agentpath:/x/notlibayatori.so"))
                        .arguments()
                        .get(1));
    }

    @Test
    void mistakesNameTheCommand() throws IOException {
        Path plain = Files.createFile(folder.resolve("plain"));
        assertEquals("'no-such' is not on PATH", mistake(() -> plan(List.of("no-such"), "PATH=/nowhere")));
        assertEquals("'/no/such' does not exist", mistake(() -> plan(List.of("/no/such"))));
        assertEquals("'" + folder + "' is a directory, not a program", mistake(() -> plan(List.of(folder.toString()))));
        assertEquals("'" + plain + "' is not executable (chmod +x?)", mistake(() -> plan(List.of(plain.toString()))));
        assertEquals("the command is an empty string", mistake(() -> plan(List.of(""))));
    }

    @Test
    void aPathThatHotSpotCannotReadIsAMistake() throws IOException {
        String java = file("jdk/bin/java").toString();
        Invocation invocation = new Invocation(List.of(java), List.of(), 0, 0);
        assertEquals(
                "HotSpot cannot load an agent from a path with '=': move /a=b/libayatori.so to another folder",
                mistake(() -> Launch.plan(invocation, MIXED, "/a=b/libayatori.so")));
    }

    @Test
    void optionsOfTheAgentAreWrittenAsItReadsThem() {
        AgentOptions all = new AgentOptions(
                PriorityLadder.Policy.STATIC,
                true,
                true,
                true,
                false,
                Optional.of(new Band(10, 29)),
                OptionalInt.of(0),
                Optional.of(Path.of("/a, b.rules")));
        assertEquals(
                "policy=static,rt=fifo,values=paper,strict,placement=off,band=10-29,runaway-limit=0,rules=/a, b.rules",
                all.text());
        assertEquals(List.of("none", "nice", "static", "mixed"), new ArrayList<>(AgentOptions.policyLabels()));
    }
}
