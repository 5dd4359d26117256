package ayatori.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.sched.SchedulingStatistics;
import org.junit.jupiter.api.Test;

class RatesTest {
    private static final long SECOND = 1_000_000_000;

    private static Counters at(
            long second, boolean runnable, double cpu, double delay, long slices, long voluntary, long involuntary) {
        return new Counters(
                second * SECOND,
                runnable,
                20,
                0,
                new SchedulingStatistics(
                        (long) (cpu * SECOND), (long) (delay * SECOND), slices, voluntary, involuntary));
    }

    @Test
    void ratesAreOfTheInterval() {
        Rates.Step step = Rates.between(at(10, false, 5, 1, 100, 10, 20), at(12, true, 6, 1.5, 150, 30, 50), 0);
        assertEquals(new Rates(0.5, 0.25, 10, 15), step.rates());
        assertEquals(0, step.credited());
    }

    @Test
    void aThreadThatIsBornWithinTheIntervalCountsFromNothing() {
        Rates.Step step = Rates.between(Counters.unborn(10 * SECOND), at(11, false, 0.25, 0.5, 3, 2, 1), 0);
        assertEquals(new Rates(0.25, 0.5, 2, 1), step.rates());
    }

    @Test
    void aStarvingThreadWaitsThoughTheKernelHasNotCountedItYet() {
        Counters ready = at(10, true, 1, 1, 5, 3, 2);
        Rates.Step first = Rates.between(ready, at(11, true, 1, 1, 5, 3, 2), 0);
        assertEquals(new Rates(0, 1, 0, 0), first.rates());
        Rates.Step second = Rates.between(at(11, true, 1, 1, 5, 3, 2), at(12, true, 1, 1, 5, 3, 2), first.credited());
        assertEquals(2 * SECOND, second.credited());
        // It gets a CPU after 2.5 s: the kernel adds them all, of which half a second is new.
        Rates.Step third =
                Rates.between(at(12, true, 1, 1, 5, 3, 2), at(13, false, 1.5, 3.5, 6, 4, 2), second.credited());
        assertEquals(new Rates(0.5, 0.5, 1, 0), third.rates());
        assertEquals(0, third.credited());
    }
}
