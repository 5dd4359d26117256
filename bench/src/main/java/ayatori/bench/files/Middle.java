package ayatori.bench.files;

import ayatori.bench.load.PinnedWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A thread of Java priority 6, between reader and backup, that computes 1 ms and sleeps half of that, in turn; or none. */
final class Middle {
    private static final int PRIORITY = 6;
    private static final long COMPUTES_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLEEPS_NANOS = COMPUTES_NANOS / 2;

    private static final String PREEMPTIONS = "nonvoluntary_ctxt_switches:";

    private final CountDownLatch begun = new CountDownLatch(1);
    private final FutureTask<Long> task;
    private volatile boolean enough;

    Middle(boolean wanted, int cpu) {
        task = new FutureTask<>(() -> compute(cpu));
        if (wanted) {
            Thread.ofPlatform().priority(PRIORITY).start(task);
        } else {
            enough = true;
            task.run();
        }
    }

    private long compute(int cpu) throws IOException {
        if (enough) {
            begun.countDown();
            return 0;
        }
        PinnedWork.moveTo(cpu);
        long before = preemptions();
        begun.countDown();
        while (!enough) {
            PinnedWork.compute(COMPUTES_NANOS);
            LockSupport.parkNanos(SLEEPS_NANOS);
        }
        return preemptions() - before;
    }

    /** Of the calling thread, proc_pid_status(5). */
    private static long preemptions() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/thread-self/status"))) {
            return lines.filter(line -> line.startsWith(PREEMPTIONS))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(PREEMPTIONS.length()).strip()))
                    .sum();
        }
    }

    void awaitBegin() throws InterruptedException {
        begun.await();
    }

    /** Ends it; how often others took the CPU from it. */
    long end() throws InterruptedException, ExecutionException {
        enough = true;
        return task.get();
    }
}
