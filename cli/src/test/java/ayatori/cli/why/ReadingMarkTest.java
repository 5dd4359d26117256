package ayatori.cli.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Every reading of the trace ends, whatever was lost of it. */
class ReadingMarkTest {
    private final ReadingMark mark = new ReadingMark();

    private static TraceEvent change(long nanos) {
        TraceEvent.Task task = new TraceEvent.Task(1, "a", 120);
        return new TraceEvent.Switch(nanos, 0, task, 'S', task);
    }

    @Test
    void endsAtItsOwnLine() {
        String first = mark.next(1000);
        mark.see(change(999));
        mark.see(new TraceEvent.Fence(990, "ayatori of another"));
        assertFalse(mark.passed());
        mark.see(new TraceEvent.Fence(1500, first));
        assertTrue(mark.passed());
        assertEquals(1500, mark.nanos());
        mark.see(change(1700));
        assertEquals(1500, mark.nanos(), "what follows is of the next reading");
        String second = mark.next(2000);
        mark.see(new TraceEvent.Fence(1999, second));
        assertTrue(mark.passed(), "the trace's times are cut to microseconds");
        assertEquals(2000, mark.nanos());
    }

    @Test
    void endsBehindItsOwnLineIfThatWasLost() {
        mark.next(1000);
        mark.see(change(900));
        mark.see(new TraceEvent.Lost(1, 4711));
        assertFalse(mark.passed());
        mark.see(change(1300));
        assertTrue(mark.passed());
        assertEquals(1300, mark.nanos());
    }
}
