package ayatori.cli.demo;

/** Counter values over time. Room for all is taken at once: the thread that fills it must never wait for a collector. */
final class Samples {
    private final long[] times;
    private final long[][] counters;
    private volatile int size;

    Samples(int capacity, int threads) {
        times = new long[capacity];
        counters = new long[threads][capacity];
    }

    /** Adds what the page shows now; drops it when there is no more room. Called by one thread only. */
    void take(CounterPage page, long now) {
        int at = size;
        if (at == times.length) {
            return;
        }
        times[at] = now;
        for (int thread = 0; thread < counters.length; thread++) {
            counters[thread][at] = page.counter(thread);
        }
        size = at + 1;
    }

    int size() {
        return size;
    }

    /** CLOCK_MONOTONIC nanoseconds. */
    long time(int at) {
        return times[at];
    }

    long counter(int thread, int at) {
        return counters[thread][at];
    }
}
