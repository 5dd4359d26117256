package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import jpi.internal.engine.Usage;
import org.junit.jupiter.api.Test;

class StatisticsTableTest {
    @Test
    void numbersOfAnySizeAreFlushRight() {
        List<Usage> usages = List.of(
                new Usage(0, 1_000_000, 3, 123_456_789_012L, 0, 1_499_999),
                new Usage(100_000, 2, 1_000_003, 0, 7, 3_600_000_000_000L));
        assertEquals("""
                  rank       sent      taken       bytes sent  bytes taken  waited ms
                     0  1,000,000          3  123,456,789,012            0          1
                100000          2  1,000,003                0            7  3,600,000
                 total  1,000,002  1,000,006  123,456,789,012            7  3,600,001
                """.lines().toList(), new StatisticsTable(usages).lines());
    }
}
