package ayatori.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void aStrictRunIsInOrderAndItsHoleIsThrottledTime() {
        Figures figures = Figures.of(SyntheticRun.strict(Configuration.STATIC, 1));
        assertTrue(figures.inPriorityOrder(1));
        assertEquals("T4 T3 T2 T1", figures.order());
        assertEquals(0.0, figures.largestLowerProgress());
        assertEquals(420, figures.allEnded());
        assertEquals(20, figures.throttled());
        assertEquals(0, figures.elsewhere());
        assertEquals(400, figures.net(1));
    }

    @Test
    void aSharedRunIsOutOfOrderAndItsHoleWentToOthers() {
        Figures figures = Figures.of(SyntheticRun.shared(Configuration.STOCK, 1));
        assertFalse(figures.inPriorityOrder(1));
        assertFalse(figures.inPriorityOrder(2), "T1 ends first");
        assertEquals("T1 T2 T3 T4", figures.order());
        assertEquals(List.of(1.0, 1.0, 1.0, Double.NaN), figures.lowerProgress());
        assertEquals(0, figures.throttled());
        assertEquals(40, figures.elsewhere());
        assertEquals(400, figures.net(1));
    }

    @Test
    void onTwoCpusALowerThreadMayCountOnceOneOfTheHigherTwoHasEnded() {
        Figures figures = Figures.of(SyntheticRun.onTwoCpus(Configuration.STATIC));
        // T1 has three above it: until T4, the second of them, has ended. T2 has two: until T3 has ended.
        assertEquals(List.of(0.01, 0.0, Double.NaN, Double.NaN), figures.lowerProgress());
        assertEquals("T3 T4 T2 T1", figures.order());
        assertTrue(figures.inPriorityOrder(2));
        assertFalse(figures.inPriorityOrder(1));
    }

    @Test
    void theRatioComparesWhatIsLeftWithoutThrottlingAndOthers() {
        Summary summary = new Summary(
                List.of(
                        SyntheticRun.shared(Configuration.STOCK, 1),
                        SyntheticRun.strict(Configuration.STATIC, 1),
                        SyntheticRun.shared(Configuration.STOCK, 2),
                        SyntheticRun.strict(Configuration.STATIC, 2)),
                List.of());
        Summary.Line line = summary.lines(1).getLast();
        assertEquals(Configuration.STATIC, line.configuration());
        assertEquals(1.0, line.ratio().orElseThrow());
        assertTrue(summary.held());
        assertEquals(1, summary.verdicts().size());
        assertTrue(summary.verdicts().getFirst().startsWith("holds: under static on 1 CPU"));
    }

    @Test
    void aRunThatDidNotEndIsToldAndLeavesTheOtherRoundsTheirRatios() {
        Configuration naive = Configuration.ALL.get(2);
        List<RunRecord> runs = List.of(
                SyntheticRun.shared(Configuration.STOCK, 1),
                SyntheticRun.shared(Configuration.STOCK, 2),
                SyntheticRun.strict(Configuration.STATIC, 1),
                SyntheticRun.strict(naive, 2));
        Summary naiveHung = new Summary(runs, List.of(new Unended(naive, 1, 1, "60 s")));
        assertTrue(naiveHung.held());
        assertEquals(1.0, naiveHung.lines(1).get(1).ratio().orElseThrow());
        assertEquals(
                "naive, 1 CPU, run 1: did not end: 60 s",
                naiveHung.unended().getFirst().toString());
        assertFalse(new Summary(runs, List.of(new Unended(Configuration.STATIC, 1, 2, "60 s"))).held());
    }

    @Test
    void theTargetIsAMultipleOfThePapersThatAnIntHolds() {
        assertEquals(1, Calibration.multiple(0.01));
        assertEquals(21, Calibration.multiple(20.6));
        assertEquals(30, Calibration.multiple(1000));
    }
}
