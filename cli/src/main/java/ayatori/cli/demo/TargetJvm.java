package ayatori.cli.demo;

import ayatori.cli.UserMistake;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The java that runs the load.
 *
 * @param command path, or name to be found on PATH
 * @param version java.version, such as 17.0.15
 * @param name VM name and vendor's version, for the reader
 */
record TargetJvm(String command, String version, String name) {

    /** Asks the JVM what it is. */
    static TargetJvm ask(String command) throws InterruptedException {
        String output;
        int exit;
        try {
            Process process = new ProcessBuilder(command, "-XshowSettings:properties", "-version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            exit = process.waitFor();
        } catch (IOException e) {
            throw new UserMistake("'" + command + "' cannot be started; name a java with --java");
        }
        Map<String, String> settings = output.lines()
                .map(String::strip)
                .filter(line -> line.contains(" = "))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(" = ")),
                        line -> line.substring(line.indexOf(" = ") + 3),
                        (first, second) -> first));
        String version = settings.get("java.version");
        if (exit != 0 || version == null) {
            throw new UserMistake(
                    "'" + command + "' is no java: it exits with " + exit + " when asked for its version");
        }
        return new TargetJvm(
                command,
                version,
                settings.getOrDefault("java.vm.name", "JVM") + " " + settings.getOrDefault("java.vm.version", version));
    }

    /** The number that people say: 8, 17, 25. */
    int feature() {
        String[] parts = version.split("[.\\-_+]");
        int first = Integer.parseInt(parts[0]);
        return first == 1 && parts.length > 1 ? Integer.parseInt(parts[1]) : first;
    }
}
