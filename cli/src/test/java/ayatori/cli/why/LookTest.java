package ayatori.cli.why;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.cli.why.Span.Kind;
import ayatori.sched.SchedulingStatistics;
import org.junit.jupiter.api.Test;

/** Shares without a trace. */
class LookTest {
    private static Look between(char state, long cpu, long delay, long voluntary) {
        return new Look(1000, state, 0, new SchedulingStatistics(cpu, delay, 3, voluntary, 2), 0, 0);
    }

    private static void assertShares(long ran, long waited, long slept, Shares shares) {
        assertEquals(ran, shares.of(Kind.RAN).nanos());
        assertEquals(waited, shares.of(Kind.WAITED).nanos());
        assertEquals(slept, shares.of(Kind.SLEPT).nanos());
        assertEquals(1000, shares.total());
    }

    @Test
    void whatIsNeitherRunningNorWaitingIsSleeping() {
        assertShares(300, 200, 500, between('S', 300, 200, 7).shares(true));
        assertShares(300, 200, 500, between('R', 300, 200, 7).shares(true));
    }

    @Test
    void whoNeverSleptIsStillWaiting() {
        assertShares(0, 1000, 0, between('R', 0, 0, 0).shares(true));
        assertShares(300, 700, 0, between('R', 300, 200, 0).shares(true));
        assertShares(0, 0, 1000, between('R', 0, 0, 0).shares(false));
    }

    @Test
    void accountsThatRunAheadAreCut() {
        assertShares(1000, 0, 0, between('R', 1004, 3, 0).shares(true));
        assertShares(900, 100, 0, between('S', 900, 300, 1).shares(false));
    }
}
