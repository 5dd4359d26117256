package ayatori.cli.doctor;

import java.util.List;
import java.util.Optional;

/**
 * What the agent says of its own mechanisms when it is loaded into a new JVM of a JDK.
 *
 * @param java what was started, or would have been
 * @param notTried why nothing was started
 * @param instead how to find out then
 * @param failure why the JVM did not start with the agent
 * @param version its first line
 * @param lines of the agent
 */
record Mechanisms(
        String java,
        Optional<String> notTried,
        Optional<Remedy> instead,
        Optional<String> failure,
        String version,
        List<String> lines) {
    static Mechanisms notTried(String java, String why, Remedy instead) {
        return new Mechanisms(java, Optional.of(why), Optional.of(instead), Optional.empty(), "", List.of());
    }

    static Mechanisms failed(String java, String why) {
        return new Mechanisms(java, Optional.empty(), Optional.empty(), Optional.of(why), "", List.of());
    }
}
