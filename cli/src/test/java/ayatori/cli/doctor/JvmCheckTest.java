package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a JVM says of itself, and what the agent says of a JDK. */
class JvmCheckTest {
    private static JvmFacts jvm(boolean agent, Optional<String> refuses, int feature, Map<String, String> flags) {
        return new JvmFacts("java", agent, refuses.map(said -> "it has " + said), refuses, feature, flags);
    }

    private static List<String> lines(Finding finding) {
        return finding.remedies().stream().map(Remedy::line).toList();
    }

    @Test
    void aJvmWithTheAgentNeedsNoAttaching() {
        assertEquals(
                Verdict.OK,
                JvmCheck.of(jvm(true, Optional.of("-XX:+DisableAttachMechanism"), 25, Map.of()))
                        .getFirst()
                        .verdict());
    }

    @Test
    void aJvmThatRefusesToBeAttachedTo() {
        Finding finding = JvmCheck.of(
                        jvm(false, Optional.of("-XX:+DisableAttachMechanism in JAVA_TOOL_OPTIONS"), 25, Map.of()))
                .getFirst();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertTrue(finding.text().endsWith("-XX:+DisableAttachMechanism in JAVA_TOOL_OPTIONS"), finding::toString);
        assertEquals(List.of("ayatori run -- java …", "-XX:-DisableAttachMechanism"), lines(finding));
    }

    @Test
    void aJvmThatRefusesAgents() {
        Finding finding = JvmCheck.of(jvm(false, Optional.empty(), 25, Map.of("EnableDynamicAgentLoading", "false")))
                .getFirst();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertEquals(List.of("ayatori run -- java …", "-XX:+EnableDynamicAgentLoading"), lines(finding));
    }

    @Test
    void theWarningOfNewerJdks() {
        assertEquals(
                List.of(),
                JvmCheck.of(jvm(false, Optional.empty(), 17, Map.of()))
                        .getFirst()
                        .reasons());
        Finding finding =
                JvmCheck.of(jvm(false, Optional.empty(), 21, Map.of())).getFirst();
        assertEquals(Verdict.INFO, finding.verdict());
        assertTrue(finding.reasons().getFirst().contains("JEP 451"), finding::toString);
    }

    @Test
    void prioritiesThatAreSwitchedOff() {
        Finding finding = JvmCheck.of(jvm(true, Optional.empty(), 17, Map.of("UseThreadPriorities", "false")))
                .getLast();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertEquals(List.of("-XX:+UseThreadPriorities"), lines(finding));
    }

    @Test
    void flagsAreReadAsEveryJdkWritesThem() {
        Map<String, String> flags = JvmReader.flags("""
                [Global flags]
                     bool AlwaysPreTouch                           = false                                     {product} {default}
                    uintx MaxHeapSize                             := 67108864                                  {product}
                    ccstr AOTCache                                 =                                           {product} {default}
                     bool UseLargePages                            = true                                   {pd product} {command line}
                """);
        assertEquals(
                Map.of("AlwaysPreTouch", "false", "MaxHeapSize", "67108864", "AOTCache", "", "UseLargePages", "true"),
                flags);
    }

    @Test
    void versionsAreReadAsEveryJdkWritesThem() {
        assertEquals(25, JvmReader.feature("OpenJDK 64-Bit Server VM version 25.0.3+9-LTS\nJDK 25.0.3\n"));
        assertEquals(8, JvmReader.feature("OpenJDK 64-Bit Server VM version 25.412-b08\nJDK 8.0_412\n"));
        assertEquals(0, JvmReader.feature("?"));
    }

    @Test
    void ofAJvmThatCannotBeAskedTheCommandLineTells() {
        assertEquals(
                Map.of("UseZGC", "true", "AlwaysPreTouch", "false"),
                JvmReader.options("java -XX:+UseZGC -XX:+AlwaysPreTouch -XX:-AlwaysPreTouch -jar x.jar"));
    }

    private static final String VERSION = "openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime Environment\n";

    @Test
    void aJdkThatMissesNothing() {
        Finding finding =
                MechanismCheck.of(AgentTrial.judge("java", 0, VERSION)).getFirst();
        assertEquals(Verdict.OK, finding.verdict());
        assertTrue(finding.text().startsWith("openjdk version \"17.0.15\""), finding::toString);
    }

    @Test
    void missingPrivilegesAreNotTheJdks() {
        String refused = """
                ayatori: policy mixed: wanted RR 25, the kernel refused (EPERM); …; going on with policy nice
                ayatori: thread 1 "main": wanted OTHER nice -5, kernel kept OTHER (EACCES); …
                """;
        assertEquals(
                Verdict.OK,
                MechanismCheck.of(AgentTrial.judge("java", 0, refused + VERSION))
                        .getFirst()
                        .verdict());
    }

    @Test
    void aJdkThatMissesAMechanism() {
        String line = "this JVM's own locks cannot be watched: a low thread that holds one may delay it";
        Finding finding = MechanismCheck.of(AgentTrial.judge("java", 0, "ayatori: " + line + "\n" + VERSION))
                .getFirst();
        assertEquals(Verdict.WARNING, finding.verdict());
        assertEquals(List.of(line), finding.reasons());
    }

    @Test
    void aJdkThatTheAgentDoesNotKnow() {
        Finding finding = MechanismCheck.of(AgentTrial.judge("java", 2, "ayatori: this JVM has no JVMTI 1.2\n"))
                .getFirst();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertTrue(finding.text().endsWith("this JVM has no JVMTI 1.2"), finding::toString);
    }
}
