package ayatori.cli.doctor;

import java.util.List;

/** Which of the agent's mechanisms a JDK supports. */
final class MechanismCheck {
    static final String CHECK = "JDK";
    static final Remedy INSTALL = new Remedy("a stock HotSpot, on Debian", "sudo apt-get install default-jdk");

    private MechanismCheck() {}

    static List<Finding> of(Mechanisms tried) {
        if (tried.notTried().isPresent()) {
            return List.of(Finding.of(
                            Verdict.INFO,
                            CHECK,
                            "whether the agent works with " + tried.java() + " was not tried: "
                                    + tried.notTried().get())
                    .mend(tried.instead().stream().toList()));
        }
        if (tried.failure().isPresent()) {
            return List.of(Finding.of(
                            Verdict.PROBLEM,
                            CHECK,
                            tried.java() + " does not start with the agent: "
                                    + tried.failure().get())
                    .mend(List.of(INSTALL)));
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
        return List.of(finding.mend(List.of(INSTALL)));
    }
}
