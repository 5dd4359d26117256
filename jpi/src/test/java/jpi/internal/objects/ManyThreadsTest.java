package jpi.internal.objects;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jpi.JException;
import org.junit.jupiter.api.Test;

/** Any number of threads use one codec, and each gets its own objects back. */
class ManyThreadsTest {
    private static final ObjectCodec CODEC = new ObjectCodec(new AllowedTypes(Samples.class, ""), Serialisation.FORY);

    private static int roundTrips(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        EncodedBytes bytes = new EncodedBytes();
        int refused = 0;
        for (int i = 0; i < count; i++) {
            Object object = Samples.random(random, 3);
            if (random.nextInt(500) == 0) {
                try {
                    CODEC.encode(new Object[] {object, Thread.currentThread()}, bytes);
                } catch (JException _) {
                    refused--;
                }
                refused++;
            }
            CODEC.encode(object, bytes);
            assertEquals(object, CODEC.decode(bytes.array(), 0, bytes.length()));
        }
        return refused;
    }

    private static void run(ExecutorService executor, int tasks, int each) throws Exception {
        try (executor) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                long seed = i;
                results.add(executor.submit(() -> roundTrips(seed, each)));
            }
            for (Future<Integer> result : results) {
                assertEquals(0, result.get());
            }
        }
    }

    @Test
    void platformThreads() throws Exception {
        run(Executors.newFixedThreadPool(32), 32, 1000);
    }

    @Test
    void virtualThreads() throws Exception {
        run(Executors.newVirtualThreadPerTaskExecutor(), 10_000, 3);
    }
}
