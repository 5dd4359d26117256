package ayatori.cli.doctor;

import java.util.List;
import java.util.Optional;

/**
 * What the agent says of its own mechanisms when it is loaded into a new JVM of a JDK.
 *
 * @param java what was started
 * @param notTried why nothing was started, or it did not work at all
 * @param version its first line
 * @param lines of the agent
 */
record Mechanisms(String java, Optional<String> notTried, String version, List<String> lines) {
    static Mechanisms notTried(String java, String why) {
        return new Mechanisms(java, Optional.of(why), "", List.of());
    }
}
