package ayatori.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to run the load.
 *
 * @param key its name in files and tables
 * @param title its name above a plot
 * @param note what it shows
 * @param jvmArguments for HotSpot itself
 * @param agentOptions of the agent; empty: the JVM runs without the agent
 * @param need what the kernel must allow for it to be what it says
 */
record Configuration(
        String key, String title, String note, List<String> jvmArguments, String agentOptions, Privilege.Need need) {

    static final Configuration STOCK = new Configuration(
            "stock-0",
            "stock, policy 0",
            "HotSpot as it comes: priorities mean nothing",
            List.of(),
            "",
            Privilege.Need.NOTHING);

    static final Configuration STATIC = new Configuration(
            "static",
            "ayatori static",
            "every priority real, the JVM's own threads placed above",
            List.of(),
            "policy=static",
            Privilege.Need.REAL_TIME);

    /** In the order in which they run and are shown: the paper's figures first. */
    static final List<Configuration> ALL = List.of(
            STOCK,
            new Configuration(
                    "stock-1",
                    "stock, policy 1",
                    "the paper's figure 1: a nice per priority",
                    List.of("-XX:ThreadPriorityPolicy=1"),
                    "",
                    Privilege.Need.NEGATIVE_NICE),
            new Configuration(
                    "naive",
                    "static without placement",
                    "the paper's figure 2, as a fork of today would give it",
                    List.of(),
                    "policy=static,placement=off",
                    Privilege.Need.REAL_TIME),
            STATIC,
            new Configuration(
                    "none",
                    "ayatori none",
                    "the agent watches and changes nothing",
                    List.of(),
                    "policy=none",
                    Privilege.Need.NOTHING),
            new Configuration(
                    "nice",
                    "ayatori nice",
                    "a nice per priority",
                    List.of(),
                    "policy=nice",
                    Privilege.Need.NEGATIVE_NICE),
            new Configuration(
                    "mixed",
                    "ayatori mixed",
                    "the default: real above priority 5, nice up to it",
                    List.of(),
                    "policy=mixed",
                    Privilege.Need.REAL_TIME));

    /** Whether the JVM carries the agent. */
    boolean withAgent() {
        return !agentOptions.isEmpty();
    }

    /** What comes between {@code java} and the program, for an agent at the given place. */
    List<String> arguments(Path agent) {
        List<String> arguments = new ArrayList<>(jvmArguments);
        if (withAgent()) {
            arguments.add("-agentpath:" + agent + "=" + agentOptions);
        }
        return arguments;
    }
}
