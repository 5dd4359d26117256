package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive that users get: all there, moved anywhere, and started by a script that leaves no trace. */
class ArchiveIT {
    @TempDir
    static Path folder;

    private static Path home = Path.of("");

    @BeforeAll
    static void unpack() throws Exception {
        Path archive = Path.of(Objects.requireNonNull(System.getProperty("ayatori.archive")));
        // A space in the path, as users have them.
        Path place = Files.createDirectory(folder.resolve("a place"));
        assertEquals("", output(Map.of(), "tar", "-xzf", archive.toString(), "-C", place.toString()));
        try (var entries = Files.list(place)) {
            home = entries.findFirst().orElseThrow();
        }
    }

    @Test
    void everythingIsThere() {
        for (String file : List.of(
                "bin/ayatori",
                "lib/libayatori.so",
                "lib/ayatori-load.jar",
                "lib/ayatori-aggregate",
                "lib/ayatori-aggregate.LICENSE",
                "man/man8/ayatori-aggregate.8",
                "runtime/bin/java",
                "completions/ayatori.bash",
                "LICENSE",
                "README.md")) {
            assertTrue(Files.exists(home.resolve(file)), file);
        }
    }

    @Test
    void everyPageIsThereAndNoLinkLeadsNowhere() throws Exception {
        Pattern link = Pattern.compile("]\\(([^():\\s#]+)[)#]");
        List<Path> pages;
        try (var files = Files.walk(home)) {
            pages = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        int links = 0;
        for (Path page : pages) {
            Matcher matcher = link.matcher(Files.readString(page));
            for (; matcher.find(); links++) {
                Path target = page.resolveSibling(matcher.group(1));
                assertTrue(Files.exists(target), () -> page + " leads to " + target);
            }
        }
        assertTrue(pages.contains(home.resolve("docs/server.md")) && links > 50, links + " links in " + pages);
        for (String reference : List.of("ayatori.threads/ayatori/server/Endpoint.html", "jpi/jpi/JComm.html")) {
            assertTrue(Files.exists(home.resolve("docs/api").resolve(reference)), reference);
        }
    }

    @Test
    void objectPassingIsThereAndNeedsNoMoreThanItsJar() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        int found = 0; // with the adapters for other manners
        try (var jars = Files.newDirectoryStream(home.resolve("lib/jpi"), "ayatori-jpi-*.jar")) {
            for (Path jar : jars) {
                found++;
                assertTrue(output(Map.of(), java.toString(), "-cp", jar.toString(), "jpi.JRun", "-version")
                        .startsWith("jpi "));
            }
        }
        assertEquals(3, found);
    }

    @Test
    void everyCommandHasAManPage() {
        assertTrue(Files.exists(home.resolve("man/man1/ayatori.1")));
        for (String command : Ayatori.commandLine().getSubcommands().keySet()) {
            Path page = home.resolve("man/man1/ayatori-" + command + ".1");
            assertTrue(Files.exists(page), page::toString);
        }
    }

    @Test
    void theCommandStartsThroughSymbolicLinks() throws Exception {
        Path absolute = Files.createSymbolicLink(folder.resolve("absolute"), home.resolve("bin/ayatori"));
        Path relative = Files.createSymbolicLink(folder.resolve("relative"), Path.of("absolute"));
        for (Path link : List.of(absolute, relative)) {
            assertTrue(output(Map.of(), link.toString(), "--version").startsWith("ayatori "), link::toString);
        }
    }

    @Test
    void optionsForOtherJvmsDoNotReachTheCommand() throws Exception {
        String broken = "-XX:NoSuchOption";
        Map<String, String> environment =
                Map.of("JAVA_TOOL_OPTIONS", broken, "_JAVA_OPTIONS", broken, "JDK_JAVA_OPTIONS", broken);
        assertTrue(output(environment, home.resolve("bin/ayatori").toString(), "--version")
                .startsWith("ayatori "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "POSIX", "C.UTF-8"})
    void aProgramFindsItsEnvironmentAsItWas(String locale) throws Exception {
        // Not a java, so that JAVA_TOOL_OPTIONS is the one variable that changes.
        Map<String, String> environment = new TreeMap<>(Map.of(
                "PATH", "/usr/bin:/bin",
                "a.b-c", "not a name in the shell's language\n",
                "name", "the script must not use this",
                "JDK_JAVA_OPTIONS", " -Dx='a b' ",
                "_JAVA_OPTIONS", ""));
        if (!locale.isEmpty()) {
            environment.put("LC_ALL", locale);
        }
        String direct = sorted(output(environment, "/usr/bin/env", "-0"));
        String through = sorted(output(
                environment, home.resolve("bin/ayatori").toString(), "run", "--policy", "none", "/usr/bin/env", "-0"));
        assertEquals(direct, through);
    }

    private static String sorted(String environment) {
        return String.join(
                "\n",
                environment.transform(text -> List.of(text.split("\0"))).stream()
                        .filter(variable -> !variable.startsWith("JAVA_TOOL_OPTIONS="))
                        .sorted()
                        .toList());
    }

    /** What the command prints on both streams, in exactly this environment if it is not empty; it has to succeed. */
    private static String output(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (environment.containsKey("PATH")) {
            builder.environment().clear();
        }
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + output);
        return output;
    }
}
