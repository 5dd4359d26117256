package ayatori.bench.load;

import ayatori.bench.load.Bursts.Timing;
import java.util.Arrays;

/** What a thread takes to copy an array and nothing else: to a new one, and into one that is there. */
final class CopyTimes {
    private byte[] from = {};
    private byte[] into = {};

    /** Where results go. */
    @FunctionalInterface
    interface Results {
        void add(String mode, int bytes, Timing timing);
    }

    /** Through all sizes, as {@link Rally#lead} goes. */
    void time(int[] sizes, long budgetNanos, long warmUpNanos, Results results) {
        long warm = System.nanoTime() + warmUpNanos;
        do {
            time(sizes, budgetNanos / Rally.WARM_UP_PART, (_, _, _) -> {});
        } while (System.nanoTime() < warm);
        time(sizes, budgetNanos, results);
    }

    private void time(int[] sizes, long budgetNanos, Results results) {
        for (int bytes : sizes) {
            from = ObjectRally.array(bytes, bytes);
            results.add("copy-new", bytes, Bursts.time(budgetNanos, this::toNew));
            requireCopied(bytes);
            into = new byte[bytes];
            results.add("copy", bytes, Bursts.time(budgetNanos, this::intoOne));
            requireCopied(bytes);
        }
    }

    private long toNew(int times) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            into = Arrays.copyOf(from, from.length);
        }
        return System.nanoTime() - start;
    }

    private long intoOne(int times) {
        byte[] target = into;
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            System.arraycopy(from, 0, target, 0, from.length);
        }
        return System.nanoTime() - start;
    }

    private void requireCopied(int bytes) {
        if (!Arrays.equals(from, into)) {
            throw new IllegalStateException("the copy of " + bytes + " bytes is another");
        }
    }
}
