package ayatori.bench.load;

import java.util.concurrent.ExecutionException;

/** Times calls one by one, and tells as {@code round_trip.h} says. */
final class CallTimes {
    private CallTimes() {}

    /** Asks, and waits for the answer. */
    @FunctionalInterface
    interface Call {
        void run() throws InterruptedException, ExecutionException;
    }

    /** Calls from the calling thread, and prints what each call after the warm-up took. */
    static void print(int warmUp, int calls, Call call) throws InterruptedException, ExecutionException {
        long[] nanos = new long[calls];
        for (int i = -warmUp; i < calls; i++) {
            long begin = System.nanoTime();
            call.run();
            long took = System.nanoTime() - begin;
            if (i >= 0) {
                nanos[i] = took;
            }
        }
        StringBuilder lines = new StringBuilder();
        for (long took : nanos) {
            lines.append("result,call,").append(took).append('\n');
        }
        System.out.print(lines);
        System.out.flush();
    }
}
