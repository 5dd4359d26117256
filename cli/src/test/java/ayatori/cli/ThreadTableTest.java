package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadTableTest {
    private static final SchedulingStatistics STATISTICS =
            new SchedulingStatistics(1_234_567_890L, 45_600_000L, 7, 123_456, 78_901);

    private static ThreadRow row(int tid, String name, SchedulingParameters wanted, SchedulingParameters actual) {
        int unlent = actual.policy().isRealTime() ? -1 - actual.staticPriority() : 20 + actual.nice();
        return new ThreadRow(tid, name, ThreadKind.JAVA, 7, Optional.of(wanted), 0, 1, actual, unlent, 1, STATISTICS);
    }

    private static final SchedulingParameters RR_14 = SchedulingParameters.roundRobin(14);
    private static final SchedulingParameters NICE_0 = SchedulingParameters.other(0);

    private static final List<ThreadRow> ROWS = List.of(
            row(4711, "ForkJoinPool.commonPool-worker-1", RR_14, RR_14.withResetOnFork(true)),
            row(4712, "綾取り", RR_14, NICE_0));

    @Test
    void toAFileNothingIsCut() {
        List<String> lines = ThreadTable.draw(ROWS, Integer.MAX_VALUE, '~');
        assertEquals(
                "4711  ForkJoinPool.commonPool-worker-1  java     7  RR 14   RR 14    1.235     1      45.6  123456  78901",
                lines.get(1));
        assertEquals(
                "4712  綾取り                            java     7  RR 14   OTHER !  1.235     1      45.6  123456  78901",
                lines.get(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 70, 80, 90, 100, 120, 132})
    void fitsTheTerminal(int width) {
        for (String line : ThreadTable.draw(ROWS, width, '~')) {
            assertTrue(CellText.width(line) <= width, line);
        }
    }

    @Test
    void whatMattersMostIsNeverDropped() {
        String title = ThreadTable.draw(ROWS, 40, '~').getFirst();
        for (String column : List.of("TID", "NAME", "PRIO", "WANTED", "ACTUAL", "CPU s")) {
            assertTrue(title.contains(column), title);
        }
    }

    @Test
    void effectiveShowsOnlyWhenAFutexLends() {
        assertFalse(ThreadTable.draw(ROWS, Integer.MAX_VALUE, '~').getFirst().contains("EFFECTIVE"));
        ThreadRow lent =
                new ThreadRow(1, "x", ThreadKind.JAVA, 5, Optional.of(NICE_0), 0, 0, NICE_0, -21, 0, STATISTICS);
        List<String> lines = ThreadTable.draw(List.of(lent), Integer.MAX_VALUE, '~');
        assertTrue(lines.getFirst().contains("EFFECTIVE"), lines.getFirst());
        assertTrue(lines.get(1).contains("RT 20"), lines.get(1));
    }

    @Test
    void highestOnTheLadderComesFirst() {
        List<String> order = Stream.of(
                        row(1, "nice", SchedulingParameters.other(4), NICE_0),
                        row(2, "wanted high", SchedulingParameters.roundRobin(20), NICE_0),
                        row(3, "vm", SchedulingParameters.roundRobin(25), NICE_0))
                .sorted(ThreadRow.LADDER_ORDER)
                .map(ThreadRow::name)
                .toList();
        assertEquals(List.of("vm", "wanted high", "nice"), order);
    }

    @Test
    void threadsOfOneCauseShareALine() {
        List<ThreadRow> rows = List.of(row(1, "a", RR_14, NICE_0), row(2, "b", RR_14, NICE_0), ROWS.getFirst());
        List<String> lines = Refusals.explain(Integer.MAX_VALUE, rows);
        assertEquals(
                List.of("! thread 1 \"a\": wanted RR 14, kernel has OTHER (EPERM), and 1 more of the same cause;"
                        + " raise RLIMIT_RTPRIO or grant CAP_SYS_NICE (see ayatori doctor)"),
                lines);
    }

    @Test
    void aTerminalTellsItsWidth() {
        assertEquals(132, Terminal.columns("43 132\n", null));
        assertEquals(100, Terminal.columns("43 132\n", "100"));
        assertEquals(132, Terminal.columns("43 132\n", "wide"));
        assertEquals(Integer.MAX_VALUE, Terminal.columns("0 0\n", null));
        assertEquals(Integer.MAX_VALUE, Terminal.columns("", ""));
    }
}
