package ayatori.cli;

import ayatori.sched.PriorityLadder;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code ayatori run} and {@code ayatori apply}: what the user wants of the agent. */
public final class PolicyOptions {
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

    /** What they say. */
    public AgentOptions chosen() {
        OptionalInt limit = runawayLimit == null ? OptionalInt.empty() : OptionalInt.of(runawayLimit);
        return new AgentOptions(policy, fifo, paperValues, strict, placement, Optional.ofNullable(band), limit);
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
