package ayatori.cli;

import ayatori.sched.PriorityLadder;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code ayatori run} and {@code ayatori apply}: what the user wants of the agent. */
public final class PolicyOptions {
    private static final String BAND = "--band";
    private static final String HOST_FILE = "--host-file";

    /** The others are for JVMs. */
    static final List<String> FOR_NATIVE_PROGRAMS = List.of(BAND, HOST_FILE);

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
            names = BAND,
            paramLabel = "LOW-HIGH|NAME",
            description = {
                "The real-time values between which the whole JVM stands, to rank several JVMs and native programs: 1 to 49.",
                "mixed takes 10 values, static 15; with 15 and 25 there is room between two Java priorities.",
                "NAME: as the host file says for the program of that name. If it says Priority=, COMMAND is a native"
                        + " program and begins with that value, without the agent.",
            })
    private @Nullable String band;

    @Option(
            names = HOST_FILE,
            paramLabel = "FILE",
            description = "The host file that ranks the programs of this host (default: /etc/ayatori/host.conf).")
    private @Nullable Path hostFile;

    @Option(
            names = "--runaway-limit",
            paramLabel = "SECONDS",
            converter = RunawayLimitConverter.class,
            description = {
                "How long real-time threads may leave the ordinary ones no CPU (1 to 3600, default: 10).",
                "Then all Java threads are put back to OTHER, and one line says which thread it was. 0: no guard.",
            })
    private @Nullable Integer runawayLimit;

    @Option(
            names = "--rules",
            paramLabel = "FILE",
            description = {
                "Rules for single threads, by Java name, group or kind: policy, nice, slice, CPUs, I/O priority.",
                "Sections [Thread NAME*], [Group NAME*], [Kind gc-worker] with keys of systemd.exec(5): docs/rules.md.",
                "A mistake in it is refused with its line, and nothing is started.",
            })
    private @Nullable Path rules;

    @Option(names = "--placement", paramLabel = "on|off", hidden = true, converter = OnOffConverter.class)
    private boolean placement = true;

    /** The one that the user named; empty if there is no band, or one of numbers. */
    Optional<HostFile.Program> program() {
        String name = band;
        if (name == null || !ProgramName.isOne(name)) {
            if (hostFile != null) {
                throw new UserMistake(HOST_FILE + " is of no use without --band NAME");
            }
            return Optional.empty();
        }
        return Optional.of(HostFile.program(hostFile, name));
    }

    /**
     * The values that the user names by {@code --band}.
     *
     * @param hostFile where names are looked up; null for the usual one
     * @throws UserMistake if they are none
     */
    public static Band values(String word, @Nullable Path hostFile) {
        if (ProgramName.isOne(word)) {
            return HostFile.program(hostFile, word).values();
        }
        return Band.parse(word)
                .orElseThrow(() -> new UserMistake(
                        "no band '" + word + "': it is " + Band.FORM + ", or the name of a program in the host file"));
    }

    boolean hasBand() {
        return band != null;
    }

    /**
     * What they say, for a JVM.
     *
     * @throws UserMistake if they do not fit together, or the program that they name is a native one
     */
    public AgentOptions chosen() {
        Optional<HostFile.Program> program = program();
        if (program.flatMap(HostFile.Program::level).isPresent()) {
            throw new UserMistake(
                    "program " + program.get().name() + " is a native one: it has Priority= in the host file");
        }
        Optional<Band> values = program.map(HostFile.Program::values);
        if (band != null && values.isEmpty()) {
            values = Optional.of(values(band, hostFile));
        }
        OptionalInt limit = runawayLimit == null ? OptionalInt.empty() : OptionalInt.of(runawayLimit);
        return new AgentOptions(
                policy,
                fifo,
                paperValues,
                strict,
                placement,
                values,
                limit,
                Optional.ofNullable(rules).map(Path::toAbsolutePath));
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
