package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import jpi.internal.launch.ControlMessage.Standing;
import jpi.internal.launch.ControlMessage.Wait;
import org.junit.jupiter.api.Test;

class DeadlockWatchTest {
    private final DeadlockWatch watch = new DeadlockWatch();

    private static Standing blocked(int rank, long sent, long taken) {
        return new Standing(0, 1, List.of(new Wait(rank, "for rank " + (1 - rank))), sent, taken);
    }

    private static Standing runs(long sent, long taken) {
        return new Standing(1, 0, List.of(), sent, taken);
    }

    @Test
    void allWaitTwiceAndNothingIsUnderWay() {
        List<Standing> round = List.of(blocked(0, 3, 2), blocked(1, 2, 3));
        assertEquals(Optional.empty(), watch.look(round));
        assertEquals(Optional.of("""
                deadlock: every rank that has not ended waits
                  rank 0 waits for rank 1
                  rank 1 waits for rank 0"""), watch.look(round));
    }

    @Test
    void whoeverRunsMayWakeTheOthers() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Optional.empty(), watch.look(List.of(blocked(0, 0, 0), runs(0, 0))));
        }
    }

    @Test
    void aMessageUnderWayMayWakeSomebodyButNotForEver() {
        List<Standing> round = List.of(blocked(0, 3, 2), blocked(1, 2, 2));
        for (int i = 1; i < DeadlockWatch.PATIENT; i++) {
            assertEquals(Optional.empty(), watch.look(round));
        }
        String explanation = watch.look(round).orElseThrow();
        assertEquals(
                "deadlock: every rank that has not ended waits, and nobody receives 1 message",
                explanation.lines().findFirst().orElseThrow());
    }

    @Test
    void messagesSinceTheLastRoundShowThatTheProgramGoesOn() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Optional.empty(), watch.look(List.of(blocked(0, i, i), blocked(1, i, i))));
        }
    }

    @Test
    void aRankThatRanInBetweenBeginsTheCountAgain() {
        List<Standing> round = List.of(blocked(0, 1, 1), blocked(1, 1, 1));
        assertEquals(Optional.empty(), watch.look(round));
        assertEquals(Optional.empty(), watch.look(List.of(blocked(0, 1, 1), runs(1, 1))));
        assertEquals(Optional.empty(), watch.look(round));
    }

    @Test
    void aProgramWhoseRanksHaveEndedIsNoDeadlock() {
        Standing ended = new Standing(0, 0, List.of(), 5, 5);
        assertEquals(Optional.empty(), watch.look(List.of(ended)));
        assertEquals(Optional.empty(), watch.look(List.of(ended)));
    }

    @Test
    void theExplanationIsBounded() {
        List<Wait> waits =
                IntStream.range(0, 32).mapToObj(rank -> new Wait(rank, "")).toList();
        List<Standing> round = List.of(new Standing(0, 60, waits, 0, 0), new Standing(0, 40, waits, 0, 0));
        assertEquals(Optional.empty(), watch.look(round));
        List<String> lines = watch.look(round).orElseThrow().lines().toList();
        assertEquals(34, lines.size());
        assertEquals("  and 68 more", lines.getLast());
    }
}
