package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How findings are shown, and what the command exits with. */
class ReportTest {
    private static final Finding GOOD = Finding.of(Verdict.OK, "CPUs", "2 of 2");
    private static final Finding MEASURED = Finding.of(Verdict.INFO, "timekeeping", "fine")
            .figure("median_ns", 41)
            .figure("max_ns", 90);
    private static final Finding BAD = Finding.of(Verdict.PROBLEM, "nice values", "refused \"here\"")
            .because("no CAP_SYS_NICE")
            .mend("systemd unit", "LimitNICE=-5")
            .mend("this shell", "ulimit -e 25");

    private static Report report(Finding... findings) {
        return new Report(List.of(new Section("user", "user alice", List.of(findings))));
    }

    @Test
    void oneLineACheckThenReasonsAndRemedies() {
        assertEquals("""
                user alice
                  ok       CPUs: 2 of 2
                  problem  nice values: refused "here"
                             no CAP_SYS_NICE
                             systemd unit: LimitNICE=-5
                             this shell: ulimit -e 25

                1 problem
                """.lines().toList(), report(GOOD, BAD).lines());
    }

    @Test
    void onlyProblemsCountForTheExitCode() {
        assertEquals(1, report(GOOD, BAD).exitCode());
        Report warned = report(GOOD, Finding.of(Verdict.WARNING, "CPUs", "one"));
        assertEquals(0, warned.exitCode());
        assertEquals("nothing in the way, 1 warning", warned.lines().getLast());
    }

    @Test
    void jsonSaysTheSame() throws IOException {
        String json = report(MEASURED, BAD).json();
        StringBuilder seen = new StringBuilder();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                seen.append(token.isScalarValue() || token == JsonToken.FIELD_NAME ? parser.getText() + " " : "");
            }
        }
        assertEquals(
                "problems 1 warnings 0 sections about user title user alice findings "
                        + "verdict info check timekeeping text fine reasons remedies figures median_ns 41 max_ns 90 "
                        + "verdict problem check nice values text refused \"here\" reasons no CAP_SYS_NICE remedies "
                        + "where systemd unit line LimitNICE=-5 where this shell line ulimit -e 25 figures ",
                seen.toString());
    }
}
