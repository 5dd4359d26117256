package ayatori.bench.load;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.SynchronousQueue;

/**
 * {@code CountedWords VM GATE BATCHES}: a thread makes batches of a thousand words and another one counts them; both allocate all
 * the time, so that the collector takes part.
 */
public final class CountedWords {
    private static final int WORDS = 1000;
    private static final int VOCABULARY = 20_000;

    private CountedWords() {}

    public static void main(String[] arguments) throws InterruptedException {
        new OneOfMany(arguments[0], Path.of(arguments[1]))
                .doTogether(CountedWords::count, Integer.parseInt(arguments[2]));
    }

    private static void count(int batches) throws InterruptedException {
        SynchronousQueue<String[]> handOver = new SynchronousQueue<>();
        Thread maker = Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int i = 0; i < batches; i++) {
                    handOver.put(words(i));
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < batches; i++) {
            for (String word : handOver.take()) {
                counts.merge(word, 1, Integer::sum);
            }
        }
        maker.join();
        int sum = counts.values().stream().mapToInt(Integer::intValue).sum();
        if (sum != batches * WORDS) {
            throw new IllegalStateException(sum + " words of " + batches * WORDS);
        }
    }

    private static String[] words(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String[] words = new String[WORDS];
        for (int i = 0; i < WORDS; i++) {
            words[i] = "word " + random.nextInt(VOCABULARY);
        }
        return words;
    }
}
