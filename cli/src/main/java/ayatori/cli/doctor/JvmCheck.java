package ayatori.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a JVM's own flags allow. */
final class JvmCheck {
    static final String AGENT = "agent";
    static final String PRIORITIES = "thread priorities";

    /** Since JEP 451 a JVM warns of agents that come later. */
    private static final int WARNS_SINCE = 21;

    private static final String RUN = "ayatori run -- java …";

    private JvmCheck() {}

    static List<Finding> of(JvmFacts jvm) {
        List<Finding> findings = new ArrayList<>();
        findings.add(agent(jvm));
        if (!jvm.flag("UseThreadPriorities").orElse(true)) {
            findings.add(Finding.of(
                            Verdict.PROBLEM, PRIORITIES, "-XX:-UseThreadPriorities switches them off for the whole JVM")
                    .mend("JVM options, then a new start", "-XX:+UseThreadPriorities"));
        }
        return findings;
    }

    private static Finding agent(JvmFacts jvm) {
        if (jvm.agent()) {
            return Finding.of(Verdict.OK, AGENT, "Ayatori's agent is in this JVM");
        }
        Optional<String> refusal = jvm.refusesAttach();
        if (refusal.isPresent()) {
            return Finding.of(Verdict.PROBLEM, AGENT, "no agent can be loaded into this JVM: it has " + refusal.get())
                    .because("an agent that is there from the start needs no attaching")
                    .mend("instead of java …", RUN)
                    .mend("JVM options, then a new start", "-XX:-DisableAttachMechanism");
        }
        if (!jvm.flag("EnableDynamicAgentLoading").orElse(true)) {
            return Finding.of(
                            Verdict.PROBLEM,
                            AGENT,
                            "no agent can be loaded into this JVM: it has -XX:-EnableDynamicAgentLoading")
                    .because("an agent that is there from the start needs no loading later")
                    .mend("instead of java …", RUN)
                    .mend("JVM options, then a new start", "-XX:+EnableDynamicAgentLoading");
        }
        if (jvm.silent().isPresent()) {
            String why = jvm.silent().get();
            return Finding.of(Verdict.WARNING, AGENT, "this JVM cannot be asked: " + why)
                    .mend("instead of java …", RUN);
        }
        Finding finding = Finding.of(Verdict.INFO, AGENT, "none in this JVM; one can be loaded into it");
        return jvm.feature() >= WARNS_SINCE
                ? finding.because("JDK " + jvm.feature() + " prints a warning when one is loaded later (JEP 451)")
                        .mend("JVM options, against the warning", "-XX:+EnableDynamicAgentLoading")
                : finding.mend("instead of java …", RUN);
    }
}
