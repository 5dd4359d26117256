package ayatori.cli;

import ayatori.internal.linux.AgentOptionsCheck;
import ayatori.sched.PriorityLadder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;

/**
 * What the user wants of the agent.
 *
 * @param policy how Java priorities become Linux policies
 * @param fifo SCHED_FIFO in place of SCHED_RR
 * @param paperValues the real-time value is the Java priority itself, as in the paper
 * @param strict what cannot be set ends the JVM before main
 * @param placement false leaves the JVM's own threads alone (for experiments)
 * @param band lowest and highest real-time value of the whole JVM; empty for the agent's default
 * @param runawayLimit seconds that real-time threads may take a whole CPU for, 0 for ever; empty for the agent's default
 * @param rules an absolute path of a file of rules for single threads
 */
public record AgentOptions(
        PriorityLadder.Policy policy,
        boolean fifo,
        boolean paperValues,
        boolean strict,
        boolean placement,
        Optional<Band> band,
        OptionalInt runawayLimit,
        Optional<Path> rules) {
    static final int MAX_RUNAWAY_LIMIT = 3600;
    public static final String LIBRARY = "libayatori.so";

    /** A policy as users write it. */
    public static String label(PriorityLadder.Policy policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }

    /** All policies as users write them. */
    static List<String> policyLabels() {
        return Arrays.stream(PriorityLadder.Policy.values())
                .map(AgentOptions::label)
                .toList();
    }

    /** The text after {@code -agentpath:LIB=}. What is the agent's default is not written. */
    public String text() {
        StringJoiner text = new StringJoiner(",");
        text.add("policy=" + label(policy));
        if (fifo) {
            text.add("rt=fifo");
        }
        if (paperValues) {
            text.add("values=paper");
        }
        if (strict) {
            text.add("strict");
        }
        if (!placement) {
            text.add("placement=off");
        }
        band.ifPresent(values -> text.add("band=" + values));
        runawayLimit.ifPresent(seconds -> text.add("runaway-limit=" + seconds));
        // Last: all that follows is the path.
        rules.ifPresent(file -> text.add("rules=" + file));
        return text.toString();
    }

    /**
     * Asks the agent itself about its rules, which it alone can read.
     *
     * @throws UserMistake if it would refuse to start, in its words
     */
    void check(Path library) {
        if (rules.isPresent()) {
            AgentOptionsCheck.mistakeIn(library, RawText.bytes(RawText.encode(text())))
                    .ifPresent(mistake -> {
                        throw new UserMistake(RawText.display(RawText.of(mistake)));
                    });
        }
    }

    /**
     * The JVM argument that loads the agent.
     *
     * @param library its {@linkplain RawText raw} path
     * @throws UserMistake if HotSpot could not read such a path: it takes what follows the first {@code =} as options
     */
    String argument(String library) {
        if (library.indexOf('=') >= 0) {
            throw new UserMistake("HotSpot cannot load an agent from a path with '=': move " + RawText.display(library)
                    + " to another folder");
        }
        return "-agentpath:" + library + "=" + RawText.encode(text());
    }

    /** Whether a JVM argument loads this agent, from whatever folder. */
    static boolean loadedBy(String argument) {
        if (argument.startsWith("-agentlib:ayatori")) {
            return true;
        }
        if (!argument.startsWith("-agentpath:")) {
            return false;
        }
        String path = argument.substring("-agentpath:".length()).split("=", 2)[0];
        return path.equals(LIBRARY) || path.endsWith("/" + LIBRARY);
    }
}
