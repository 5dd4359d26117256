package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AggregationTurnTest {
    private static final List<String> RECORDS = List.of(
            "vm 1 2000000000 1500000000",
            "what the kernel says beside",
            "vm 2 4000000000 2500000000",
            "probe 400 60000 250000",
            "switches 800 200 4000000000");

    private static List<String> turn(String way, List<String> records, int code) {
        List<String> lines = new ArrayList<>(records);
        lines.addFirst("turn " + way);
        lines.add("code " + code);
        return lines;
    }

    @Test
    void whatCameOfATurn() {
        AggregationTurn turn = AggregationTurn.read(turn("fifo", RECORDS, 0)).getFirst();
        assertEquals("fifo", turn.way());
        assertEquals(3.0, turn.meanElapsed());
        assertEquals(4.0, turn.lastElapsed());
        assertEquals(1.0 / 3, turn.behind(), 1e-9);
        assertEquals(4.0, turn.cpu());
        assertEquals(60.0, turn.median());
        assertEquals(250.0, turn.late());
        assertEquals(200.0, turn.switches());
        assertEquals(50.0, turn.spaces());
    }

    @Test
    void turnsThatWereNotMadeAreLeftOut() {
        List<String> lines = new ArrayList<>(turn("fifo", List.of(), 3));
        lines.addAll(turn("slice", RECORDS.subList(0, 3), 0));
        lines.addAll(turn("eevdf", RECORDS, 0));
        lines.addAll(turn("auto", RECORDS, 1));
        assertEquals(
                List.of("eevdf"),
                AggregationTurn.read(lines).stream().map(AggregationTurn::way).toList());
    }
}
