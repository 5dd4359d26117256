package ayatori.cli.aggregate;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ayatori aggregate start}: the scheduler for the whole host. */
@Command(
        name = "start",
        header = "Puts all threads of the host under the scheduler, until it is stopped.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "All but real-time threads, those of ayatori run among them: the kernel takes these first as before. If a thread"
                    + " that is ready has not run for 30 s, the kernel throws the scheduler out, and everything goes on under its"
                    + " own: ayatori aggregate status says so.",
            "",
            "Needs root, and Linux 6.13 or later with CONFIG_SCHED_CLASS_EXT and BTF.",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is there", "2:a mistake on the command line, or the kernel does not let it"})
final class StartCommand implements Callable<Integer> {
    @Mixin
    private Batching batching = new Batching();

    @Override
    public Integer call() throws InterruptedException {
        AggregateProgram.run("start", batching.word());
        return 0;
    }
}
