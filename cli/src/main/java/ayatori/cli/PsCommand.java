package ayatori.cli;

import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ayatori ps}: every thread of a JVM, what is wanted for it and what the kernel has. */
@Command(
        name = "ps",
        header = "Shows every thread of a JVM: wanted and actual policy, CPU, delay, switches.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "Without PID: all JVMs, and the real-time threads of native programs, one process after another: first whose"
                    + " highest thread is highest. A name in parentheses is the program's in the host file. JVMs of other"
                    + " users are named on standard error.",
            "",
            "  PRIO       Java priority, 1 to 10; - for the JVM's own threads",
            "  WANTED     what the agent wants: OTHER with its nice, RR or FIFO with",
            "             their static priority; ^ while the thread is lent more than",
            "             its own; - where there is no agent, or its policy is none",
            "  ACTUAL     what the kernel has; ! if that is not what is wanted, which",
            "             is explained under the table",
            "  EFFECTIVE  what the kernel goes by while a futex lends the thread more;",
            "             there is no such column while none does",
            "  CPU s      CPU time since the thread began",
            "  LAST       the CPU that it ran on last",
            "  DELAY ms   how long it was ready to run and waited for a CPU",
            "  VOL        switches because it waited for something",
            "  INVOL      switches because another thread had to run",
            "",
            "From the highest on the ladder to the lowest. A narrow terminal cuts names in the middle and leaves out"
                    + " columns; to a file or a pipe all are written.",
            "",
            "With the agent, all is read from its ledger and /proc: the JVM does not notice. Without it, names and"
                    + " priorities are from a thread dump, which stops the JVM for an instant as jstack does.",
            "",
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class PsCommand implements Callable<Integer> {
    /** A class path can be thousands of characters long. */
    private static final int LONGEST_COMMAND_LINE = 300;

    @Parameters(arity = "0..1", paramLabel = "PID", description = "A process id of this PID namespace.")
    private @Nullable String pid;

    @Override
    public Integer call() {
        if (pid == null) {
            showAll();
        } else {
            JvmProcess process = JvmProcess.named(pid);
            try {
                print(ProcessView.of(process));
            } catch (IOException e) {
                throw new UserMistake("process " + pid + " has ended");
            }
        }
        return 0;
    }

    private static void showAll() {
        Set<Integer> pids = JvmProcess.processes();
        pids.remove(Sched.getpid());
        List<ProcessView> views = new ArrayList<>();
        for (JvmProcess process : JvmProcess.among(pids)) {
            pids.remove(process.pid());
            if (!process.permitted()) {
                System.err.println("ayatori ps: JVM " + process.pid() + " is of " + process.owner()
                        + ": only that user and root may look into it");
                continue;
            }
            try {
                views.add(ProcessView.of(process));
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        for (int other : pids) {
            try {
                if (NativeProgram.isOne(other)) {
                    views.add(ProcessView.of(new NativeProgram(other)));
                }
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        views.sort(ProcessView.HIGHEST_FIRST);
        for (int i = 0; i < views.size(); i++) {
            System.out.print(i == 0 ? "" : System.lineSeparator());
            print(views.get(i));
        }
        if (views.isEmpty()) {
            System.err.println("ayatori ps: no JVM to show, and no native program with real-time threads");
        }
    }

    private static void print(ProcessView view) {
        PrintStream out = System.out;
        int width = Terminal.columns();
        char cut = Terminal.cutMark(out.charset());
        List<String> lines = new ArrayList<>();
        lines.add(CellText.fit(CellText.printable(view.heading()), Math.min(width, LONGEST_COMMAND_LINE), cut));
        lines.add(view.summary());
        lines.addAll(ThreadTable.draw(view.rows(), width, cut));
        lines.addAll(Refusals.explain(view.pid(), view.rows()));
        lines.forEach(out::println);
        out.flush();
    }
}
