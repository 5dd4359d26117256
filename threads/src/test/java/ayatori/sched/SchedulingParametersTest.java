package ayatori.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulingParametersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "OTHER",
                "OTHER nice 4",
                "OTHER nice -20",
                "BATCH nice 19",
                "EXT",
                "IDLE",
                "IDLE reset-on-fork",
                "RR 20",
                "FIFO 1 reset-on-fork",
                "OTHER nice 1 reset-on-fork",
                "DEADLINE runtime 1500us deadline 5ms period 1s",
                "DEADLINE runtime 1024ns deadline 1025ns period 1026ns reset-on-fork",
            })
    void whatIsPrintedIsParsed(String text) {
        assertEquals(text, SchedulingParameters.parse(text).toString());
    }

    @Test
    void parsesAnyCaseAndSpacing() {
        assertEquals(SchedulingParameters.roundRobin(20), SchedulingParameters.parse("  rr   20 "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "RR",
                "RR x",
                "RR 0",
                "FIFO 100",
                "OTHER 4",
                "OTHER nice 20",
                "OTHER nice",
                "IDLE nice 3",
                "ROUND 3",
                "RR 20 21",
                "DEADLINE",
                "DEADLINE runtime 5 deadline 6ms period 7ms",
                "DEADLINE runtime 5ms deadline 4ms period 7ms",
                "DEADLINE runtime 5ms deadline 6ms period 1ms",
                "DEADLINE runtime 1ns deadline 6ms period 7ms",
                "DEADLINE runtime 99999999999999999999s deadline 6ms period 7ms",
            })
    void refusesByNameWhatMakesNoSense(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> SchedulingParameters.parse(text))
                .getMessage();
        assertTrue(String.valueOf(message).contains(": "), message);
    }

    @Test
    void refusesNumbersThatDoNotCountUnderThePolicy() {
        assertThrows(IllegalArgumentException.class, () -> parameters(SchedulingPolicy.RR, 3, 20, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> parameters(SchedulingPolicy.OTHER, 3, 20, Duration.ZERO));
        assertThrows(
                IllegalArgumentException.class, () -> parameters(SchedulingPolicy.RR, 0, 20, Duration.ofMillis(1)));
    }

    private static SchedulingParameters parameters(SchedulingPolicy policy, int nice, int priority, Duration time) {
        return new SchedulingParameters(policy, nice, priority, time, time, time, false);
    }

    @ParameterizedTest
    @CsvSource({
        "IDLE, 0",
        "OTHER nice 19, 1",
        "BATCH, 20",
        "OTHER nice -20, 40",
        "RR 1, 101",
        "FIFO 99, 199",
        "DEADLINE runtime 1ms deadline 1ms period 1ms, 200"
    })
    void ranksOrderLevelsAcrossPolicies(String text, int rank) {
        assertEquals(rank, SchedulingParameters.parse(text).rank());
    }

    @Test
    void everyRankHasParameters() {
        for (int rank = 1; rank < 200; rank++) {
            if (rank > 40 && rank <= 100) {
                int hole = rank;
                assertThrows(
                        IllegalArgumentException.class, () -> SchedulingParameters.ofRank(hole, SchedulingPolicy.RR));
            } else {
                assertEquals(
                        rank,
                        SchedulingParameters.ofRank(rank, SchedulingPolicy.FIFO).rank());
            }
        }
    }

    @Test
    void policiesHaveTheKernelsNumbers() {
        for (SchedulingPolicy policy : SchedulingPolicy.values()) {
            assertEquals(policy, SchedulingPolicy.ofLinuxValue(policy.linuxValue()));
        }
        assertThrows(IllegalArgumentException.class, () -> SchedulingPolicy.ofLinuxValue(4));
    }
}
