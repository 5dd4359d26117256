package ayatori.cli.aggregate;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ayatori aggregate stop}. */
@Command(
        name = "stop",
        header = "Gives all threads of the host back to the kernel's own scheduler.",
        synopsisHeading = "Usage: ",
        description = {"", "While they run: nobody notices but by the order.", ""},
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is gone", "2:none that ayatori aggregate start has put there was there"})
final class StopCommand implements Callable<Integer> {
    @Override
    public Integer call() throws InterruptedException {
        AggregateProgram.run("stop");
        return 0;
    }
}
