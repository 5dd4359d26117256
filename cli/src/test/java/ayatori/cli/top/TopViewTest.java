package ayatori.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.CellText;
import ayatori.cli.ThreadKind;
import ayatori.cli.ThreadRow;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingStatistics;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Order, filter, layout and JSON of samples that are made up. */
class TopViewTest {
    private static final SchedulingParameters RR_20 = SchedulingParameters.roundRobin(20);
    private static final SchedulingParameters NICE_0 = SchedulingParameters.other(0);

    private static LiveRow row(
            int pid, int tid, String name, SchedulingParameters wanted, SchedulingParameters actual, Rates rates) {
        int unlent = actual.policy().isRealTime() ? -1 - actual.staticPriority() : 20 + actual.nice();
        SchedulingStatistics statistics = new SchedulingStatistics(tid * 1_000_000_000L, 0, 0, 0, 0);
        return new LiveRow(
                pid,
                Optional.of("audio").filter(program -> pid == 5),
                new ThreadRow(tid, name, ThreadKind.JAVA, 5, Optional.of(wanted), 0, 1, actual, unlent, 0, statistics),
                Optional.of(rates));
    }

    private static final LiveRow TOP = row(7, 1, "top", RR_20, RR_20, new Rates(0.1, 0.3, 5, 0));
    private static final LiveRow REFUSED = row(7, 2, "Refused", RR_20, NICE_0, new Rates(0.2, 0.1, 1, 2));
    private static final LiveRow OTHER_JVM = row(5, 3, "other", NICE_0, NICE_0, new Rates(0.9, 0.2, 0, 100));
    private static final List<LiveRow> ROWS = List.of(OTHER_JVM, REFUSED, TOP);

    private static String names(TopView view) {
        return String.join(
                " ", view.select(ROWS).stream().map(row -> row.thread().name()).toList());
    }

    private static TopView view(String keys) {
        TopView view = new TopView(true, "1", '~');
        for (int i = 0; i < keys.length(); i++) {
            char key = keys.charAt(i);
            assertTrue(view.press(key == '\r' ? Key.of(Key.Name.ENTER) : Key.of(key)), "key " + key);
        }
        return view;
    }

    @ParameterizedTest
    @CsvSource({
        "'', top other Refused", // what the kernel has counts, over all JVMs
        "P, other Refused top",
        "p, other Refused top",
        "T, other Refused top",
        "N, top Refused other",
        "D, top other Refused",
        "S, other top Refused",
        "NR, other Refused top",
        "NRR, top Refused other",
        "NRP, other Refused top",
        "!, Refused",
        "N/RE, Refused",
        "/xyz, ''"
    })
    void keysSortAndFilter(String keys, String expected) {
        assertEquals(expected, names(view(keys)));
    }

    @Test
    void lettersOfAFilterAreNoCommands() {
        TopView view = view("/q");
        assertEquals("", names(view));
        view.press(Key.of(Key.Name.ESCAPE));
        assertEquals("top other Refused", names(view));
        assertFalse(view.press(Key.of('q')), "and now it is one");
        assertFalse(view("/top\r").press(Key.of('Q')));
    }

    @ParameterizedTest
    @CsvSource({"40, 10", "80, 24", "200, 5", "20, 3"})
    void fitsTheScreen(int width, int height) {
        Watch.Frame frame = new Watch.Frame(
                List.of(new Watch.Shown(7, true, Optional.empty(), "java", "policy static")), ROWS, List.of());
        for (boolean all : new boolean[] {true, false}) {
            List<TopView.Line> lines = new TopView(all, "1", '~').draw(frame, width, height);
            assertTrue(lines.size() <= height, lines::toString);
            lines.forEach(line -> assertTrue(CellText.width(line.text()) <= width, line.text()));
        }
    }

    @Test
    void whoHasANameInTheHostFileIsShownByIt() {
        Watch.Frame frame = new Watch.Frame(
                List.of(new Watch.Shown(5, false, Optional.of("audio"), "jackd -R", "")), ROWS, List.of());
        List<String> lines = new TopView(true, "1", '~')
                .draw(frame, 160, 24).stream().map(TopView.Line::text).toList();
        assertEquals("5 (audio): jackd -R", lines.get(1));
        assertTrue(lines.get(2).matches("PID +PROGRAM +TID .*"), lines.get(2));
        assertTrue(lines.get(4).matches(" +5 +audio +3 +other .*"), lines.toString());
        assertFalse(new TopView(true, "1", '~')
                .draw(new Watch.Frame(List.of(), List.of(TOP), List.of()), 160, 24)
                .toString()
                .contains("PROGRAM"));
    }

    @Test
    void whatIsNotAsWantedStandsOut() {
        Watch.Frame frame = new Watch.Frame(
                List.of(new Watch.Shown(7, true, Optional.empty(), "java", "policy static")), ROWS, List.of());
        List<TopView.Line> bold = new TopView(false, "1", '~')
                .draw(frame, 160, 24).stream()
                        .filter(line -> line.style() == TopView.Style.BOLD)
                        .toList();
        assertEquals(1, bold.size());
        assertTrue(bold.getFirst().text().contains("OTHER !"), bold.toString());
    }

    @Test
    void controlSequencesAreKeys() throws Exception {
        KeyReader reader = new KeyReader(new StringReader("x\033[A\033[6~\033OH\033[1;5Bq\r\003"));
        for (Key expected : List.of(
                Key.of('x'),
                Key.of(Key.Name.UP),
                Key.of(Key.Name.PAGE_DOWN),
                Key.of(Key.Name.HOME),
                Key.of(Key.Name.DOWN),
                Key.of('q'),
                Key.of(Key.Name.ENTER),
                Key.of('q'),
                Key.of(Key.Name.GONE))) {
            assertEquals(expected, reader.next());
        }
    }
}
