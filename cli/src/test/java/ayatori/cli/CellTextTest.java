package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CellTextTest {
    @Test
    void whatFitsIsLeftAlone() {
        assertEquals("worker", CellText.fit("worker", 6, '~'));
    }

    @Test
    void theMiddleIsCut() {
        assertEquals("ForkJoi~rker-1", CellText.fit("ForkJoinPool.commonPool-worker-1", 14, '~'));
    }

    @Test
    void wideCharactersTakeTwoCells() {
        assertEquals(8, CellText.width("綾取りx ")); // three wide, one letter, one space
        assertEquals(7, CellText.width(CellText.fit("綾取り綾取り", 8, '~')));
    }

    @Test
    void nothingSteersTheTerminal() {
        assertEquals("a?[31mb?", CellText.printable("a\u001b[31mb\n"));
    }
}
