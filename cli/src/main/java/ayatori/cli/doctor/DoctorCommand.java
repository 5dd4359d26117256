package ayatori.cli.doctor;

import ayatori.cli.Band;
import ayatori.cli.JvmProcess;
import ayatori.cli.PolicyOptions;
import ayatori.cli.UserMistake;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ayatori doctor}: what is in the way of real priorities, and what mends it. */
@Command(
        name = "doctor",
        header = "Says what is in the way of real priorities here, and the exact line that mends it.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "Looks at this host and at what this user may do on it; with PID, at that JVM too: privileges, limits,"
                    + " control group, CPUs, containers, memory, flags, and which of the agent's mechanisms the JDK"
                    + " supports. One line a check:",
            "",
            "  ok       as it should be",
            "  info     good to know, nothing to mend",
            "  warning  it works, and worse than it could",
            "  problem  it cannot be had as things are",
            "",
            "Reasons and remedies stand below; one of the remedies is enough. Nothing is changed. The JVM is asked for"
                    + " its flags as jcmd does. Without PID, the java on PATH is started with -version and the agent;"
                    + " with PID, the JVM's own.",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing is in the way", "1:there are problems", "2:a mistake on the command line"})
public final class DoctorCommand implements Callable<Integer> {
    private static final int LONGEST_PROBE_SECONDS = 600;

    @Parameters(arity = "0..1", paramLabel = "PID", description = "A JVM's process id in this PID namespace.")
    private @Nullable String pid;

    @Option(names = "--json", description = "Write one JSON object.")
    private boolean json;

    @Option(
            names = "--probe",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "How long to measure how late threads wake up here, 0 for not at all (default: 2).")
    private int probeSeconds;

    @Option(
            names = "--host-file",
            paramLabel = "FILE",
            description =
                    "The host file that ranks the programs of this host (default: /etc/ayatori/host.conf, if there"
                            + " is one).")
    private @Nullable Path hostFile;

    @Option(
            names = "--band",
            paramLabel = "LOW-HIGH|NAME",
            description = "As of ayatori run: judge the privileges by what this band takes. Without it by the JVM's own"
                    + " band, or by the 25 that a JVM without one takes.")
    private @Nullable String band;

    @Override
    public Integer call() throws InterruptedException {
        if (probeSeconds < 0 || probeSeconds > LONGEST_PROBE_SECONDS) {
            throw new UserMistake("--probe " + probeSeconds + " is not between 0 and " + LONGEST_PROBE_SECONDS);
        }
        if (hostFile != null && !Files.isReadable(hostFile)) {
            throw new UserMistake("the host file " + hostFile + " cannot be read");
        }
        Optional<Band> asked = Optional.ofNullable(band).map(word -> PolicyOptions.values(word, hostFile));
        Optional<JvmProcess> process = Optional.ofNullable(pid).map(JvmProcess::named);
        Report report;
        try {
            report = new Examination(probeSeconds, Optional.ofNullable(hostFile), asked).run(process);
        } catch (IOException e) {
            throw new UserMistake("process " + pid + " has ended");
        }
        PrintStream out = System.out;
        if (json) {
            out.println(report.json());
        } else {
            report.lines().forEach(out::println);
        }
        out.flush();
        return report.exitCode();
    }
}
