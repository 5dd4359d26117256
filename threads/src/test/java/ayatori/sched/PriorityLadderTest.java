package ayatori.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.PriorityLadder.Policy;
import ayatori.sched.PriorityLadder.Rung;
import ayatori.sched.PriorityLadder.Values;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PriorityLadderTest {
    @Test
    void whoInheritsStandsAboveEveryLowerLevelAndBelowTheOneItInheritsFrom() {
        PriorityLadder ladder = PriorityLadder.of(Policy.STATIC);
        for (int p = 1; p <= 10; p++) {
            int inherited = ladder.inheritedFrom(p).orElseThrow().rank();
            assertEquals(100 + 2 * p - 1, inherited);
            assertTrue(inherited < rank(ladder, p));
            if (p > 1) {
                assertTrue(inherited > rank(ladder, p - 1));
            }
        }
    }

    @Test
    void theLowestRealTimeLevelOfMixedInheritsAboveNice() {
        PriorityLadder mixed = PriorityLadder.of(Policy.MIXED);
        assertEquals("RR 11 reset-on-fork", mixed.inheritedFrom(6).orElseThrow().toString());
        assertEquals("OTHER nice 1", mixed.inheritedFrom(4).orElseThrow().toString());
        assertEquals(Optional.empty(), PriorityLadder.of(Policy.NONE).inheritedFrom(9));
    }

    @Test
    void thePapersValuesAreTheJavaPriorities() {
        PriorityLadder paper = PriorityLadder.of(Policy.STATIC).withValues(Values.PAPER);
        for (int p = 1; p <= 10; p++) {
            assertEquals(p, paper.forJavaPriority(p).orElseThrow().staticPriority());
            assertEquals(p, paper.inheritedFrom(p).orElseThrow().staticPriority());
        }
    }

    @Test
    void fifoInPlaceOfRoundRobin() {
        PriorityLadder fifo = PriorityLadder.of(Policy.MIXED).withRealTime(SchedulingPolicy.FIFO);
        assertEquals(
                "FIFO 16 reset-on-fork", fifo.forJavaPriority(8).orElseThrow().toString());
        assertEquals("FIFO 25", fifo.forRung(Rung.VM_THREAD).orElseThrow().toString());
        assertThrows(IllegalArgumentException.class, () -> fifo.withRealTime(SchedulingPolicy.IDLE));
    }

    @Test
    void niceIsRelativeToTheLaunchs() {
        PriorityLadder ladder = PriorityLadder.of(Policy.NICE).withLaunchNice(10);
        assertEquals(14, ladder.forJavaPriority(1).orElseThrow().nice());
        assertEquals(5, ladder.forJavaPriority(10).orElseThrow().nice());
        assertEquals(
                19, ladder.withLaunchNice(18).forJavaPriority(1).orElseThrow().nice());
    }

    @Test
    void theVirtualMachineIsLeftAloneWhereNoJavaThreadIsRealTime() {
        assertEquals(Optional.empty(), PriorityLadder.of(Policy.NICE).forRung(Rung.VM_THREAD));
    }

    @Test
    void otherPrioritiesAreRefused() {
        PriorityLadder ladder = PriorityLadder.of(Policy.MIXED);
        assertThrows(IllegalArgumentException.class, () -> ladder.forJavaPriority(0));
        assertThrows(IllegalArgumentException.class, () -> ladder.inheritedFrom(11));
    }

    private static int rank(PriorityLadder ladder, int javaPriority) {
        return ladder.forJavaPriority(javaPriority).orElseThrow().rank();
    }
}
