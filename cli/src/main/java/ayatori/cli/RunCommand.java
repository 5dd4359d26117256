package ayatori.cli;

import ayatori.sched.PriorityLadder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code ayatori run}: becomes the user's command, with the agent in it. */
@Command(
        name = "run",
        header = "Runs a Java program with thread priorities that the kernel obeys.",
        synopsisHeading = "Usage: ",
        customSynopsis =
                // On one line: AsciiDoc would take a second one that begins with [ for an attribute.
                "ayatori run [OPTION...] [--] COMMAND [ARGUMENT...]",
        description = {
            "",
            "Becomes COMMAND: same process, so exit code, signals, standard streams and terminal are its own.",
            "",
            "If COMMAND is the java of a HotSpot JDK or JRE (8 or later), the agent is put on its command line"
                    + " (-agentpath). Nothing is printed, and JVMs that this one starts are not touched.",
            "",
            "If COMMAND is anything else (a start script, mvn, ...), the agent is added to JAVA_TOOL_OPTIONS, after the"
                    + " user's own value. That reaches every JVM that COMMAND starts, child JVMs included. Each of them"
                    + " says \"Picked up JAVA_TOOL_OPTIONS: ...\" on standard error: that line is HotSpot's own.",
            "",
            "JDK_JAVA_OPTIONS and _JAVA_OPTIONS are left as they are, and work as without ayatori.",
            "",
        },
        footer = {
            "",
            "Exit code: COMMAND's own; 2 if it could not be started.",
            "",
            "The same without this command:",
            "  java -agentpath:DIR/lib/libayatori.so=policy=mixed -jar app.jar",
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class RunCommand implements Callable<Integer> {
    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            defaultValue = "mixed",
            completionCandidates = PolicyLabels.class,
            converter = PolicyConverter.class,
            description = {
                "How Java priorities 1 to 10 become Linux policies (default: mixed).",
                "none: not at all, as HotSpot does by default.",
                "nice: nice 4 to -5, as -XX:ThreadPriorityPolicy=1.",
                "static: SCHED_RR for every Java thread, in order.",
                "mixed: nice up to priority 5, SCHED_RR above.",
            })
    private PriorityLadder.Policy policy = PriorityLadder.Policy.MIXED;

    @Option(names = "--fifo", description = "SCHED_FIFO in place of SCHED_RR.")
    private boolean fifo;

    @Option(
            names = "--paper-values",
            description = "The real-time value is the Java priority itself (1 to 10), without room for inheritance.")
    private boolean paperValues;

    @Option(
            names = "--strict",
            description = "What the kernel refuses to set ends the JVM with exit code 2 before main.")
    private boolean strict;

    @Option(
            names = "--band",
            paramLabel = "LOW-HIGH",
            converter = BandConverter.class,
            description = {
                "The real-time values between which the whole JVM stands, to rank several JVMs and native programs: 1 to 49.",
                "mixed takes 10 values, static 15; with 15 and 25 there is room between two Java priorities.",
            })
    private @Nullable String band;

    @Option(
            names = "--runaway-limit",
            paramLabel = "SECONDS",
            converter = RunawayLimitConverter.class,
            description = {
                "How long real-time threads may leave the ordinary ones no CPU (1 to 3600, default: 10).",
                "Then all Java threads are put back to OTHER, and one line says which thread it was. 0: no guard.",
            })
    private @Nullable Integer runawayLimit;

    @Option(names = "--placement", paramLabel = "on|off", hidden = true, converter = OnOffConverter.class)
    private boolean placement = true;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The program and its arguments.")
    private List<String> command = new ArrayList<>();

    /** Returns only by an exception: on success this process is the command. */
    @Override
    public Integer call() {
        if (command.isEmpty()) {
            throw new UserMistake("no command given");
        }
        OptionalInt limit = runawayLimit == null ? OptionalInt.empty() : OptionalInt.of(runawayLimit);
        AgentOptions options =
                new AgentOptions(policy, fifo, paperValues, strict, placement, Optional.ofNullable(band), limit);
        // Only how many they are is taken from here: this JVM's own strings have been decoded.
        Invocation invocation = Invocation.ofThisProcess(command.size());
        Launch launch = Launch.plan(invocation, options, RawText.ofPath(Installation.agent()));
        throw new UserMistake(ProcessImage.replace(launch, invocation));
    }

    /** {@code --policy}'s words. */
    static final class PolicyConverter implements ITypeConverter<PriorityLadder.Policy> {
        @Override
        public PriorityLadder.Policy convert(String word) {
            for (PriorityLadder.Policy policy : PriorityLadder.Policy.values()) {
                if (AgentOptions.label(policy).equals(word)) {
                    return policy;
                }
            }
            throw new TypeConversionException(
                    "unknown policy '" + word + "': it is one of " + String.join(", ", AgentOptions.policyLabels()));
        }
    }

    /** What a shell completes after {@code --policy}. */
    static final class PolicyLabels implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return AgentOptions.policyLabels().iterator();
        }
    }

    /** {@code LOW-HIGH}; the agent says what is too narrow for its policy. */
    static final class BandConverter implements ITypeConverter<String> {
        @Override
        public String convert(String word) {
            if (word.matches("[0-9]{1,2}-[0-9]{1,2}")) {
                return word;
            }
            throw new TypeConversionException("no band '" + word + "': it is LOW-HIGH, such as 10-29");
        }
    }

    /** Whole seconds. */
    static final class RunawayLimitConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String word) {
            if (word.matches("[0-9]{1,4}") && Integer.parseInt(word) <= AgentOptions.MAX_RUNAWAY_LIMIT) {
                return Integer.valueOf(word);
            }
            throw new TypeConversionException("no runaway limit '" + word + "': it is 1 to "
                    + AgentOptions.MAX_RUNAWAY_LIMIT + " seconds, or 0 for no guard");
        }
    }

    /** {@code on} and {@code off}. */
    static final class OnOffConverter implements ITypeConverter<Boolean> {
        @Override
        public Boolean convert(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "on" -> true;
                case "off" -> false;
                default -> throw new TypeConversionException("'" + word + "' is neither on nor off");
            };
        }
    }
}
