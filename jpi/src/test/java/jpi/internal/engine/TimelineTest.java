package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jpi.TraceReading;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final List<Timeline.Part> parts = new ArrayList<>();

    private TraceReading reading() {
        StringBuilder text = new StringBuilder("[{}");
        parts.forEach(part -> text.append(part.lines()));
        return TraceReading.of(text.append(']').toString());
    }

    private static Slice slice(int n, long from, long to) {
        return new Slice(1, Slice.Kind.WAIT, from, to, "for " + n, -1, -1, 0, -1, "", 0);
    }

    @Test
    void theFirstSlicesOfAllWorkersAreKept() {
        Timeline timeline = new Timeline(new Layout(4, 2, 1), parts::add, 6);
        for (int i = 0; i < 10; i++) {
            assertEquals(i >= 3, timeline.isFull());
            timeline.add(slice(i, i, i + 1));
        }
        timeline.flush();
        assertEquals(
                List.of("wait for 0", "wait for 1", "wait for 2"),
                reading().phase("X").stream().map(slice -> slice.get("name")).toList());
        assertEquals(7, parts.getLast().dropped());
        timeline.drop();
        timeline.close();
        assertEquals(8, parts.getLast().dropped());
    }

    @Test
    void moreThanHasRoomAtOnceIsHandedOverMeanwhile() {
        int many = 100_000;
        Timeline timeline = new Timeline(new Layout(1, 1, 0), parts::add);
        timeline.start();
        for (int i = 0; i < many; i++) {
            timeline.add(slice(i, i, i));
        }
        timeline.close();
        assertTrue(parts.size() > 1);
        List<Map<String, String>> slices = reading().phase("X");
        assertEquals(many, slices.size());
        assertEquals("wait for " + (many - 1), slices.getLast().get("name"));
    }

    @Test
    void timesAreMicrosecondsWithAllTheirDigits() {
        Timeline timeline = new Timeline(new Layout(1, 1, 0), parts::add);
        timeline.add(slice(0, -1_002_003, -1_000));
        timeline.add(slice(1, 9_007_199_254_740_993L, 9_007_199_254_741_002L));
        timeline.flush();
        List<Map<String, String>> slices = reading().phase("X");
        assertEquals("-1002.003", slices.getFirst().get("ts"));
        assertEquals("1001.003", slices.getFirst().get("dur"));
        assertEquals("9007199254740.993", slices.getLast().get("ts"));
        assertEquals("0.009", slices.getLast().get("dur"));
    }
}
