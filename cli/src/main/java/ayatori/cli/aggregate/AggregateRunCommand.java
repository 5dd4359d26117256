package ayatori.cli.aggregate;

import ayatori.cli.Installation;
import ayatori.cli.Successor;
import ayatori.cli.UserMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ayatori aggregate run}: a command whose threads are to run one after another. */
@Command(
        name = "run",
        header = "Runs a command so that its threads follow each other on a CPU.",
        synopsisHeading = "Usage: ",
        customSynopsis = {
            "ayatori aggregate run [--batch=WHEN] -- COMMAND [ARGUMENT...]",
            "       ayatori aggregate run --without-bpf -- COMMAND [ARGUMENT...]"
        },
        description = {
            "",
            "A scheduler is put into the kernel (sched_ext) for the command and all that it starts, which have the policy"
                    + " SCHED_EXT then; nothing else of the host is under it, and it goes when the command ends. A CPU that has"
                    + " begun with a thread of an address space goes on with the others of it, for 64 ms as a rule; address"
                    + " spaces have equal shares, weighed by the nice values of their threads and by cgroups. A thread that sleeps"
                    + " more than it runs does not wait for that. Threads that get another policy, by ayatori run for example,"
                    + " are under that, and before it: where others compute on all CPUs, ayatori aggregate start is what is wanted."
                    + " Needs root, and Linux 6.13 or later with CONFIG_SCHED_CLASS_EXT and BTF.",
            "",
            "--without-bpf: by what the kernel's own scheduler offers. The command and all that it starts get slices of 100 ms"
                    + " (Linux 6.12 and later), and a cpu cgroup of their own, so that CPUs are shared among commands that are"
                    + " started so, and only then among the threads of one. It can promise fewer switches between threads that"
                    + " compute, and the same share to each command. It cannot promise that a CPU goes to a thread of the same"
                    + " address space next; and a thread that wakes beside such a load may wait for 100 ms. What the kernel"
                    + " refuses is said on standard error, and the command runs without that: the cgroup needs root, or a part of"
                    + " the hierarchy that is the user's own. Where cgroups of version 1 have budgets for real-time threads, the"
                    + " command's get a tenth of each second.",
            "",
            "ayatori aggregate meter shows what came of it.",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "*:the command's own; 128 and the number of the signal that ended it",
            "2:a mistake on the command line, or the kernel does not let it",
            "126:the command cannot be executed",
            "127:there is no such command"
        })
final class AggregateRunCommand implements Callable<Integer> {
    @Mixin
    private Batching batching = new Batching();

    @Option(names = "--without-bpf", description = "By the kernel's own scheduler.")
    private boolean withoutBpf;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The program and its arguments.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() {
        if (command.isEmpty()) {
            throw new UserMistake("no command given");
        }
        if (withoutBpf && batching.isGiven()) {
            throw new UserMistake(
                    "--batch is for the scheduler that --without-bpf does without: leave one of them out");
        }
        List<String> words = withoutBpf ? List.of("plain") : List.of("run", batching.word());
        return Successor.of(Installation.program(AggregateProgram.NAME), words, command.size());
    }
}
