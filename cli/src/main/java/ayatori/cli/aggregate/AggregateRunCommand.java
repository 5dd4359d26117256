package ayatori.cli.aggregate;

import ayatori.cli.Installation;
import ayatori.cli.Successor;
import ayatori.cli.UserMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ayatori aggregate run}: a command whose threads are to run one after another. */
@Command(
        name = "run",
        header = "Runs a command so that its threads follow each other on a CPU.",
        synopsisHeading = "Usage: ",
        customSynopsis = "ayatori aggregate run --without-bpf -- COMMAND [ARGUMENT...]",
        description = {
            "",
            "By what the kernel's own scheduler offers: the command and all that it starts get slices of 100 ms (Linux 6.12"
                    + " and later), and a cpu cgroup of their own, so that CPUs are shared among commands that are started so,"
                    + " and only then among the threads of one.",
            "",
            "It can promise fewer switches between threads that compute, and the same share to each command. It cannot"
                    + " promise that a CPU goes to a thread of the same address space next; and a thread that wakes beside such"
                    + " a load may wait for 100 ms. ayatori aggregate meter shows what came of it.",
            "",
            "What the kernel refuses is said on standard error, and the command runs without that: the cgroup needs root, or a"
                    + " part of the hierarchy that is the user's own. Where cgroups of version 1 have budgets for real-time"
                    + " threads, the command's get a tenth of each second. The cgroup goes when the command ends.",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "*:the command's own; 128 and the number of the signal that ended it",
            "2:a mistake on the command line",
            "126:the command cannot be executed",
            "127:there is no such command"
        })
final class AggregateRunCommand implements Callable<Integer> {
    @Option(names = "--without-bpf", description = "By the kernel's own scheduler. There is no other way so far.")
    private boolean withoutBpf;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The program and its arguments.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() {
        if (!withoutBpf) {
            throw new UserMistake("there is no sched_ext scheduler in this version: say --without-bpf");
        }
        if (command.isEmpty()) {
            throw new UserMistake("no command given");
        }
        return Successor.of(Installation.program(Meter.PROGRAM), List.of("plain"), command.size());
    }
}
