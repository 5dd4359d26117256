package ayatori.cli.aggregate;

import ayatori.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ayatori aggregate status}: what the scheduler did. */
@Command(
        name = "status",
        header = "Shows what the scheduler has done since it is there, or why it went.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "  SWITCHES from one address space to another",
            "  BATCHES  times that a CPU began with an address space, or once more with the same",
            "  USED UP  of these, that it left since the time for it was over",
            "  URGENT   threads that sleep more than they run, and went before a batch",
            "  PUSHED   of these, that stopped a thread for it",
            "  NOW      if the CPU stays with address spaces at present",
            "  SHARE %%  of what all address spaces that are still there ran",
            "",
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is there",
            "1:the kernel has thrown it out, which says why",
            "2:none of ayatori aggregate is there"
        })
final class StatusCommand implements Callable<Integer> {
    private static final int THROWN_OUT = 1;

    @Override
    public Integer call() throws InterruptedException {
        SchedulerStatus status = SchedulerStatus.parse(AggregateProgram.run("status"));
        StatusTable.draw(status, Terminal.columns(), Terminal.cutMark(System.out.charset()))
                .forEach(System.out::println);
        return status.reason().isEmpty() ? 0 : THROWN_OUT;
    }
}
