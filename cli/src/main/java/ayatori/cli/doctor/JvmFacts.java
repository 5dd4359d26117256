package ayatori.cli.doctor;

import java.util.Map;
import java.util.Optional;

/**
 * What a JVM says of itself.
 *
 * @param commandLine in one line
 * @param agent if Ayatori's agent is in it
 * @param silent why it was not asked, or did not answer; then version and flags are from nowhere or the command line
 * @param refusesAttach what makes it refuse to be attached to, and where that is said
 * @param feature its release, such as 25; 0 if unknown
 * @param flags values of -XX flags by name
 */
record JvmFacts(
        String commandLine,
        boolean agent,
        Optional<String> silent,
        Optional<String> refusesAttach,
        int feature,
        Map<String, String> flags) {

    /** A boolean flag, if it is known. */
    Optional<Boolean> flag(String name) {
        return Optional.ofNullable(flags.get(name)).map(Boolean::valueOf);
    }
}
