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
            "progress 1 1000000000 0",
            "progress 1 2000000000 100",
            "progress 1 3000000000 300",
            "progress 2 2000000000 50",
            "progress 2 4000000000 350",
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
        assertEquals(List.of(200.0, 150.0), turn.work()); // from 2 s to 3 s
        assertEquals(350.0, turn.allWork());
        assertEquals(1.0 / 7, turn.slowest(), 1e-9);
        assertEquals(4.0, turn.cpu());
        assertEquals(60.0, turn.median());
        assertEquals(250.0, turn.late());
        assertEquals(200.0, turn.switches());
        assertEquals(50.0, turn.spaces());
    }

    @Test
    void noWorkIsComparedOfVmsThatWereNotAtItTogether() {
        List<String> records = new ArrayList<>(RECORDS);
        records.removeIf(line -> line.startsWith("progress 2"));
        records.add("progress 2 3000000000 0");
        records.add("progress 2 4000000000 100");
        assertEquals(
                Double.NaN,
                AggregationTurn.read(turn("fifo", records, 0)).getFirst().allWork());
    }

    @Test
    void turnsThatWereNotMadeAreLeftOut() {
        List<String> lines = new ArrayList<>(turn("fifo", List.of(), 3));
        lines.addAll(turn("slice", RECORDS.subList(0, 8), 0));
        lines.addAll(turn("eevdf", RECORDS, 0));
        lines.addAll(turn("auto", RECORDS, 1));
        assertEquals(
                List.of("eevdf"),
                AggregationTurn.read(lines).stream().map(AggregationTurn::way).toList());
    }
}
