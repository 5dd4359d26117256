package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClockTest {
    @Test
    void sleepsUntilTheInstantOfNanoTimeAndNotShorter() {
        long instant = System.nanoTime() + 2_000_000;
        assertEquals(0, Clock.sleepUntil(instant));
        assertTrue(System.nanoTime() >= instant);
    }

    @Test
    void doesNotSleepForThePast() {
        assertEquals(0, Clock.sleepUntil(System.nanoTime() - 1));
        assertEquals(0, Clock.sleepUntil(0));
    }

    @Test
    void anInstantBeforeTheClockBeganIsRefused() {
        assertEquals(-Errno.EINVAL, Clock.sleepUntil(-1));
    }
}
