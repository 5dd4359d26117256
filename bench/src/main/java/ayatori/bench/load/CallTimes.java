package ayatori.bench.load;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Times calls one by one, and tells as {@code round_trip.h} says. */
final class CallTimes {
    /** To warm up lasts as long as its calls would if each put threads to sleep: the compilers need time, too. */
    private static final long WARM_UP_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    private CallTimes() {}

    /** Asks, and waits for the answer. */
    @FunctionalInterface
    interface Call {
        void run() throws InterruptedException, ExecutionException;
    }

    /** Calls from the calling thread, and prints what each call after the warm-up took. */
    static void print(int warmUp, int calls, Call call) throws InterruptedException, ExecutionException {
        long[] nanos = new long[calls];
        long warm = System.nanoTime() + warmUp * WARM_UP_NANOS;
        for (int i = 0; i < warmUp || System.nanoTime() < warm; i++) {
            call.run();
        }
        for (int i = 0; i < calls; i++) {
            long begin = System.nanoTime();
            call.run();
            nanos[i] = System.nanoTime() - begin;
        }
        StringBuilder lines = new StringBuilder();
        for (long took : nanos) {
            lines.append("result,call,").append(took).append('\n');
        }
        System.out.print(lines);
        System.out.flush();
    }
}
