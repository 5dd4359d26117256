package ayatori.cli.doctor;

import java.util.List;

/** Which of the agent's mechanisms a JDK supports. */
final class MechanismCheck {
    static final String CHECK = "JDK";
    private static final String INSTALL = "sudo apt-get install openjdk-25-jdk";
    private static final String ANOTHER = "a HotSpot that Ayatori knows";

    private MechanismCheck() {}

    static List<Finding> of(Mechanisms tried) {
        if (tried.notTried().isPresent()) {
            return List.of(Finding.of(
                            Verdict.WARNING,
                            CHECK,
                            "whether the agent works with " + tried.java() + " is not known: "
                                    + tried.notTried().get())
                    .mend(ANOTHER, INSTALL));
        }
        if (tried.lines().isEmpty()) {
            return List.of(Finding.of(
                    Verdict.OK, CHECK, tried.version() + ": the agent was loaded, and misses none of its mechanisms"));
        }
        Finding finding = Finding.of(
                Verdict.WARNING, CHECK, tried.version() + ": the agent was loaded, and misses some of its mechanisms");
        for (String line : tried.lines()) {
            finding = finding.because(line);
        }
        return List.of(finding.mend(ANOTHER, INSTALL));
    }
}
