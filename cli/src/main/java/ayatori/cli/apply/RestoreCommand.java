package ayatori.cli.apply;

import ayatori.cli.JvmProcess;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ayatori restore}: everything back to what it was. */
@Command(
        name = "restore",
        header = "Puts all threads of a JVM back to what they had without ayatori.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "Each thread gets the policy and value that it had before the agent came, those that were born since then what"
                    + " the JVM was launched with. An agent cannot leave a JVM: it stays, does nothing, and ayatori apply"
                    + " can wake it again.",
            "",
            "In a JVM without the agent, all threads are put to where its first thread is.",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class RestoreCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", description = "A process id of this PID namespace.")
    private String pid = "";

    @Override
    public Integer call() {
        JvmProcess process = JvmProcess.named(pid);
        try {
            if (process.hasAgent()) {
                restore(process);
            } else {
                int count = FromOutside.restore(process);
                System.out.println("JVM " + process.pid() + ": no agent in it; put back " + count + " threads");
            }
        } catch (IOException e) {
            throw ApplyCommand.unreachable(process, e);
        }
        return 0;
    }

    private static void restore(JvmProcess process) throws IOException {
        Optional<String> silent = process.silentBecause();
        if (silent.isPresent()) {
            throw ApplyCommand.silent(process, silent.get());
        }
        ApplyCommand.report(process, RunningAgent.tell(process, "restore"));
    }
}
