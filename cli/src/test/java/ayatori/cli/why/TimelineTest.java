package ayatori.cli.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.why.Span.Kind;
import ayatori.cli.why.TraceEvent.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final int VICTIM = 32469;
    private static final Task SELF = new Task(7, "victim", 120);
    private static final Task HOG = new Task(8, "hog", 90);
    private static final Task IDLE = new Task(0, "swapper/0", 120);

    private final List<Span> spans = new ArrayList<>();

    private Timeline of(char state, int cpu) {
        return new Timeline(SELF.tid(), 0, state, cpu, spans::add);
    }

    private static Task nobodyAsked(int cpu) {
        throw new AssertionError("CPU " + cpu);
    }

    private static Map<String, Long> micros(List<Span> spans, Function<Span, String> key) {
        Map<String, Long> sums = new TreeMap<>();
        spans.forEach(span -> sums.merge(key.apply(span), span.nanos() / 1000, Long::sum));
        return sums;
    }

    /** Spans follow each other without gap or overlap. */
    private void assertWhole(long begin, long end) {
        long at = begin;
        for (Span span : spans) {
            assertEquals(at, span.from(), span::toString);
            assertTrue(span.to() > span.from(), span::toString);
            at = span.to();
        }
        assertEquals(end, at);
    }

    @Test
    void aRecordingIsSharedOut() {
        long begin = 2867_711261_000L;
        Timeline timeline = new Timeline(VICTIM, begin, 'R', 1, spans::add);
        TraceParserTest.recorded().forEach(timeline::accept);
        long end = 2869_200024_000L;
        timeline.finish(end, TimelineTest::nobodyAsked);
        assertWhole(begin, end);
        assertEquals(
                Map.of(
                        "RAN",
                        7143L,
                        "SLEPT",
                        1640L,
                        "WAITED",
                        825L + 1626 + 63 + 50,
                        "UNSEEN",
                        2869_196031L - 2867_718615L),
                micros(spans, span -> span.kind().name()));
        assertEquals(
                Map.of("java", 825L, "hog\ntwo", 1626L, "collector", 63L, "VM Thread", 50L),
                micros(
                        spans.stream()
                                .filter(span -> span.kind() == Kind.WAITED)
                                .toList(),
                        span -> span.other().name()));
        Span slept = spans.stream()
                .filter(span -> span.kind() == Kind.SLEPT)
                .findFirst()
                .orElseThrow();
        assertEquals("VM Thread", slept.other().name());
        assertEquals(2827, timeline.lost());
    }

    @Test
    void whileItIsReadyAndTheCpuIdleNobodyDelaysIt() {
        Timeline timeline = of('S', 0);
        timeline.accept(new TraceEvent.Ready(100, 0));
        timeline.accept(new TraceEvent.Switch(130, 0, IDLE, 'R', SELF));
        timeline.finish(200, TimelineTest::nobodyAsked);
        assertEquals(
                List.of(
                        new Span(Kind.SLEPT, 0, 100, -1, Span.NOBODY, false),
                        new Span(Kind.WAITED, 100, 130, 0, IDLE, false),
                        new Span(Kind.RAN, 130, 200, 0, Span.NOBODY, false)),
                spans);
    }

    @Test
    void onAnotherCpuItIsDelayedByAnother() {
        Task other = new Task(9, "other", 120);
        Timeline timeline = of('R', 0);
        timeline.accept(new TraceEvent.Switch(10, 0, SELF, 'R', HOG));
        timeline.accept(new TraceEvent.Switch(20, 1, IDLE, 'R', other));
        timeline.accept(new TraceEvent.Migration(50, 1));
        timeline.accept(new TraceEvent.Switch(60, 1, other, 'S', SELF));
        timeline.finish(61, TimelineTest::nobodyAsked);
        assertEquals(
                List.of(
                        new Span(Kind.RAN, 0, 10, 0, Span.NOBODY, false),
                        new Span(Kind.WAITED, 10, 50, 0, HOG, false),
                        new Span(Kind.WAITED, 50, 60, 1, other, false),
                        new Span(Kind.RAN, 60, 61, 1, Span.NOBODY, false)),
                spans);
    }

    @Test
    void whoeverNeverLeftTheCpuIsAskedFor() {
        Timeline timeline = of('R', 3);
        timeline.accept(new TraceEvent.Switch(20, 1, IDLE, 'R', HOG));
        timeline.finish(100, cpu -> cpu == 3 ? HOG : IDLE);
        assertEquals(List.of(new Span(Kind.WAITED, 0, 100, 3, HOG, false)), spans);
    }

    @Test
    void ioIsNoCommonSleepAndATimerIsNoThread() {
        Timeline timeline = of('R', 0);
        timeline.accept(new TraceEvent.Switch(10, 0, SELF, 'D', HOG));
        timeline.accept(new TraceEvent.Waking(30, HOG, true));
        timeline.accept(new TraceEvent.Ready(31, 0));
        timeline.accept(new TraceEvent.Ready(32, 0));
        timeline.accept(new TraceEvent.Switch(40, 0, HOG, 'R', SELF));
        timeline.accept(new TraceEvent.Switch(50, 0, SELF, 'X', HOG));
        timeline.accept(new TraceEvent.Switch(70, 0, HOG, 'S', IDLE));
        timeline.finish(100, TimelineTest::nobodyAsked);
        assertTrue(timeline.ended());
        assertEquals(
                List.of(
                        new Span(Kind.RAN, 0, 10, 0, Span.NOBODY, false),
                        new Span(Kind.BLOCKED, 10, 31, -1, HOG, true),
                        new Span(Kind.WAITED, 31, 40, 0, HOG, false),
                        new Span(Kind.RAN, 40, 50, 0, Span.NOBODY, false)),
                spans);
    }
}
