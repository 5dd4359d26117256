package ayatori.bench.files;

import ayatori.bench.load.PinnedWork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads of Java priority 2 that copy 100 files into another directory, through the file service, and, until they are told to end,
 * do so again.
 */
final class Backup {
    static final int FILES = 100;
    private static final int PRIORITY = 2;

    private final FileService files;
    private final long computeNanos;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger copied = new AtomicInteger();
    private final CountDownLatch begun;
    private final List<FutureTask<Boolean>> copiers = new ArrayList<>();
    private volatile boolean enough;

    Backup(FileService files, int threads, long computeNanos) {
        this.files = files;
        this.computeNanos = computeNanos;
        begun = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            FutureTask<Boolean> copier = new FutureTask<>(this::copy);
            copiers.add(copier);
            Thread.ofPlatform().priority(PRIORITY).start(copier);
        }
    }

    static String source(int number) {
        return "work/" + number;
    }

    static String target(int number) {
        return "backup/" + number;
    }

    private boolean copy() throws InterruptedException, ExecutionException {
        try (FileClient client = files.client()) {
            for (int i = next.getAndIncrement(); i < FILES || !enough; i = next.getAndIncrement()) {
                client.write(target(i % FILES), client.read(source(i % FILES)));
                copied.getAndIncrement();
                if (computeNanos > 0) {
                    PinnedWork.compute(computeNanos);
                }
                begun.countDown();
            }
        }
        return true;
    }

    /** Waits until each thread has copied a file, or all together as many as there are threads. */
    void awaitBegin() throws InterruptedException {
        begun.await();
    }

    /** Files so far. */
    int copied() {
        return copied.get();
    }

    /** Ends when each file has been copied once at least, and waits for that. */
    void end() throws InterruptedException, ExecutionException {
        enough = true;
        for (FutureTask<Boolean> copier : copiers) {
            copier.get();
        }
    }
}
