package ayatori.cli.doctor;

import ayatori.cli.Installation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Starts a JDK's {@code java -version} with the agent. The agent probes each of its mechanisms at load and says in one line
 * which one this JVM does not have, so that nothing about versions and vendors has to be known here.
 */
final class AgentTrial {
    private static final String PREFIX = "ayatori: ";
    private static final int PATIENCE_SECONDS = 20;

    private AgentTrial() {}

    /** @param java path, or name to be found on PATH */
    static Mechanisms of(String java, List<String> options) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(options);
        command.addAll(List.of("-Xmx32m", "-agentpath:" + Installation.agent() + "=policy=mixed", "-version"));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return Mechanisms.notTried(java, "there is no such program here", MechanismCheck.INSTALL);
        }
        // What it prints fits into the pipe, so that it ends without being read from.
        try (InputStream output = process.getInputStream()) {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                return Mechanisms.failed(java, "-version does not end within " + PATIENCE_SECONDS + " s");
            }
            return judge(java, process.exitValue(), new String(output.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Mechanisms.failed(java, String.valueOf(e.getMessage()));
        }
    }

    /** What it printed: lines about privileges are none about mechanisms. */
    static Mechanisms judge(String java, int exit, String output) {
        List<String> lines = output.lines()
                .filter(line -> line.startsWith(PREFIX))
                .map(line -> line.substring(PREFIX.length()))
                .filter(line -> !line.contains("the kernel refused") && !line.contains("kernel kept"))
                .toList();
        String version = output.lines()
                .filter(line -> !line.startsWith(PREFIX))
                .filter(line -> line.contains(" version "))
                .findFirst()
                .orElse("");
        if (exit != 0) {
            String first = output.lines().findFirst().orElse("");
            return Mechanisms.failed(java, lines.isEmpty() ? "exit code " + exit + ", " + first : lines.getFirst());
        }
        return new Mechanisms(java, Optional.empty(), Optional.empty(), Optional.empty(), version, lines);
    }
}
