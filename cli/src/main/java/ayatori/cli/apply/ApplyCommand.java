package ayatori.cli.apply;

import ayatori.cli.AgentOptions;
import ayatori.cli.JvmProcess;
import ayatori.cli.PolicyOptions;
import ayatori.cli.ProcessView;
import ayatori.cli.Refusals;
import ayatori.cli.ThreadRow;
import ayatori.cli.UserMistake;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingPolicy;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ayatori apply}: puts a JVM that runs already under a policy. */
@Command(
        name = "apply",
        header = "Applies thread priorities to a JVM that runs already.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "Loads the agent into the JVM and gives every thread its level; threads that are born later and"
                    + " Thread.setPriority are followed as under ayatori run. Where the agent is in the JVM already, the"
                    + " new policy and options take the place of the old ones.",
            "",
            "The JVM sets its own threads, so its own rights count, not those of who applies: without them see ayatori"
                    + " doctor PID. JDK 21 and later say on the program's standard error that an agent was loaded, unless"
                    + " they were started with -XX:+EnableDynamicAgentLoading.",
            "",
            "A JVM that takes no agents (-XX:-EnableDynamicAgentLoading) is handled from outside: the threads that it has at"
                    + " the moment are placed, and what is missing is said.",
            "",
        },
        footer = {"", "Back again: ayatori restore PID."},
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ApplyCommand implements Callable<Integer> {
    private static final String NO_AGENTS = "Dynamic agent loading is not enabled";

    @Mixin
    private PolicyOptions options = new PolicyOptions();

    @Parameters(paramLabel = "PID", description = "A process id of this PID namespace.")
    private String pid = "";

    @Override
    public Integer call() {
        JvmProcess process = JvmProcess.named(pid);
        try {
            apply(process, options.chosen());
        } catch (IOException e) {
            throw unreachable(process, e);
        }
        return 0;
    }

    private static void apply(JvmProcess process, AgentOptions chosen) throws IOException {
        Optional<String> silent = process.silentBecause();
        if (silent.isPresent()) {
            throw silent(process, silent.get());
        }
        RunningAgent.Answer answer;
        try {
            answer = RunningAgent.tell(process, chosen.text());
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains(NO_AGENTS)) {
                placeFromOutside(process, chosen);
                return;
            }
            throw e;
        }
        report(process, answer);
    }

    /** What came of it, by the kernel's own account. @throws UserMistake if the agent did not do what it was told */
    static void report(JvmProcess process, RunningAgent.Answer answer) throws IOException {
        if (!answer.done()) {
            String why = answer.said().isEmpty()
                    ? "the JVM refused the agent"
                    : answer.said().getLast();
            throw new UserMistake(why.replaceFirst("^ayatori: ", ""));
        }
        answer.said().forEach(System.err::println);
        ProcessView view = ProcessView.of(process);
        long realTime = view.rows().stream()
                .filter(row -> row.actual().policy().isRealTime())
                .count();
        long mismatched = view.rows().stream().filter(ThreadRow::mismatched).count();
        System.out.println("JVM " + process.pid() + ": " + view.summary() + "; "
                + view.rows().size() + " threads, " + realTime + " of them real-time, " + mismatched
                + " not where they should be");
        Refusals.explain(process.pid(), view.rows()).forEach(System.out::println);
    }

    private static void placeFromOutside(JvmProcess process, AgentOptions chosen) throws IOException {
        if (chosen.band().isPresent() || chosen.rules().isPresent() || !chosen.placement()) {
            throw new UserMistake("process " + process.pid() + " takes no agents (-XX:-EnableDynamicAgentLoading), and"
                    + " without one there are no bands and no rules: leave them out");
        }
        PriorityLadder ladder = PriorityLadder.of(chosen.policy())
                .withRealTime(chosen.fifo() ? SchedulingPolicy.FIFO : SchedulingPolicy.RR)
                .withValues(chosen.paperValues() ? PriorityLadder.Values.PAPER : PriorityLadder.Values.LADDER);
        if (ladder.policy() == PriorityLadder.Policy.NONE) {
            throw new UserMistake("process " + process.pid() + " takes no agents, and without one policy none changes"
                    + " nothing: ayatori restore " + process.pid() + " puts its threads back");
        }
        int count = FromOutside.place(process, ladder);
        System.out.println("JVM " + process.pid() + ": policy " + AgentOptions.label(chosen.policy()) + ", placed "
                + count + " threads from outside, since it takes no agents (-XX:-EnableDynamicAgentLoading)");
        System.out.println("  not followed: threads born from now on, Thread.setPriority, low threads that hold up a"
                + " safepoint or a lock, Thread.yield loops, runaways; start it by ayatori run for those");
    }

    /** It must not be asked, for a reason that goes away when it is stopped, and else never does. */
    static UserMistake silent(JvmProcess process, String why) throws IOException {
        String remedy = process.refusesAttach().isPresent()
                ? "start it by ayatori run"
                : "kill -CONT " + process.pid() + " lets it go on";
        return new UserMistake(
                "process " + process.pid() + " cannot be asked anything, because " + why + ": " + remedy);
    }

    /** It has ended, or there is no way in. */
    static UserMistake unreachable(JvmProcess process, IOException e) {
        return new UserMistake(
                process.ended()
                        ? "process " + process.pid() + " has ended meanwhile"
                        : "process " + process.pid() + " did not let us in: " + e.getMessage());
    }
}
