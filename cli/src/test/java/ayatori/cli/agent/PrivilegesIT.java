package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Finished;
import ayatori.cli.TargetJvm;
import ayatori.sched.SchedulingParameters;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without the right to do it the agent says so, once per cause, and the program runs; root is in all the other tests. */
class PrivilegesIT {
    private static final String[] AS_NOBODY = {
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--"
    };

    @BeforeAll
    static void needs() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become another user");
        ActorsJvm.assumeRealTime();
    }

    @ParameterizedTest
    @CsvSource({"17, static", "17, nice", "25, static", "25, mixed"})
    void withoutAnyRightItIsSaidOncePerCauseAndTheProgramRuns(int jdk, String policy) {
        try (ActorsJvm jvm =
                ActorsJvm.Launch.of(jdk, "policy=" + policy).by(AS_NOBODY).start()) {
            jvm.start("main", "high", 10);
            jvm.start("main", "low", 1);
            int low = jvm.born("low").tid();
            assertEquals(SchedulingParameters.other(4), ActorsJvm.level(low), "down is allowed");
            jvm.tell("high", "priority low 8", "set");
            assertEquals(SchedulingParameters.other(4), ActorsJvm.level(low), "up is not, not even back");
            int high = jvm.born("high").tid();
            assertEquals(SchedulingParameters.other(0), ActorsJvm.level(high));
            List<String> lines = jvm.end().err().lines().toList();
            boolean realTime = !policy.equals("nice");
            assertEquals(realTime ? 2 : 1, lines.size(), lines.toString());
            if (realTime) {
                assertEquals(
                        "ayatori: policy " + policy + ": wanted RR 25, the kernel refused (EPERM); RLIMIT_RTPRIO is 0:"
                                + " raise it (ulimit -r, LimitRTPRIO=) or grant CAP_SYS_NICE (see ayatori doctor);"
                                + " going on with policy nice",
                        lines.getFirst());
            }
            assertTrue(
                    lines.getLast()
                            .matches(
                                    "ayatori: thread \\d+ \".+\": wanted OTHER nice -\\d, kernel kept OTHER \\(EACCES\\);"
                                            + " RLIMIT_NICE is 0, and this needs 2[0-5]: raise it \\(ulimit -e, LimitNICE=\\) or"
                                            + " grant CAP_SYS_NICE \\(see ayatori doctor\\)"),
                    lines.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"17, nice", "17, static", "25, mixed"})
    void strictDoesNotStartTheProgram(int jdk, String policy) {
        Finished finished = ActorsJvm.Launch.of(jdk, "policy=" + policy + ",strict")
                .by(AS_NOBODY)
                .run("Actors");
        assertEquals(2, finished.exit(), finished.err());
        assertEquals("", finished.out());
        assertEquals(1, finished.err().lines().count(), finished.err());
        assertTrue(
                finished.err()
                        .matches("ayatori: policy " + policy
                                + ": wanted .*, the kernel refused \\(E(PERM|ACCES)\\); .*CAP_SYS_NICE \\(see ayatori doctor\\);"
                                + " not started, as"
                                + " strict asks\n"),
                finished.err());
    }

    @ParameterizedTest
    @CsvSource({"17, static", "25, mixed"})
    void theOneCapabilityIsEnoughForEverything(int jdk, String policy) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=" + policy + ",strict")
                .by(TargetJvm.nobodyWithSysNice())
                .start()) {
            jvm.start("main", "high", 10);
            jvm.start("high", "low", 1);
            int low = jvm.born("low").tid();
            SchedulingParameters lowest =
                    policy.equals("static") ? SchedulingParameters.roundRobin(2) : SchedulingParameters.other(4);
            assertEquals(lowest, ActorsJvm.level(low));
            jvm.tell("low", "priority low 9", "set");
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(low));
            jvm.tell("high", "priority low 1", "set");
            assertEquals(lowest, ActorsJvm.level(low));
            assertEquals(SchedulingParameters.roundRobin(25), ActorsJvm.level(jvm.tid("VM Thread")));
            ActorsJvm.Born process = ActorsJvm.Born.of(jvm.ask("high", "process cat /proc/self/stat"));
            assertEquals(SchedulingParameters.other(0), process.level());
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }
}
