package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void quantilesAreLinearBetweenNeighbours() {
        assertEquals(2.5, Statistics.median(4, 1, 3, 2));
        assertEquals(1, Statistics.quantile(0, 3, 1, 2));
        assertEquals(2.98, Statistics.quantile(0.99, 3, 1, 2), 1e-9);
        assertTrue(Double.isNaN(Statistics.median()));
    }

    @Test
    void aDisturbedPairDoesNotMoveTheRatio() {
        double[] ratios = new double[20];
        Arrays.fill(ratios, 0.995);
        ratios[7] = 0.3;
        Statistics.Estimate estimate = Statistics.trimmedRatio(ratios);
        assertEquals(0.995, estimate.middle(), 1e-9);
        assertTrue(estimate.low() <= estimate.middle() && estimate.middle() <= estimate.high());
    }
}
