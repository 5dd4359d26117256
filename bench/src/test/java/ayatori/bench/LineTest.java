package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LineTest {
    @Test
    void aLineIsFittedByLeastSquares() {
        Line line = Line.fit(new double[] {1, 2, 3, 4}, new double[] {6, 5, 7, 10});
        assertEquals(3.5, line.constant(), 1e-9);
        assertEquals(1.4, line.slope(), 1e-9);
    }

    @Test
    void linesBreakEvenWhereTheyCross() {
        Line flat = new Line(100, 10);
        assertEquals(2.5, flat.breakEven(new Line(0, 50)), 1e-9);
        assertEquals(Double.POSITIVE_INFINITY, flat.breakEven(new Line(0, 10)));
    }
}
