package ayatori.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Half round trips of a rally, by the one who leads. */
final class PeerTimes {
    private PeerTimes() {}

    /**
     * Prints {@code result,trip,BYTES,MEDIAN_US,P10_US} for each size.
     *
     * @param words {@code WARM_UP_MILLISECONDS BUDGET_MILLISECONDS BYTES...}
     */
    static void lead(Rally rally, List<String> words) {
        long warmUp = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words.get(0)));
        long budget = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words.get(1)));
        int[] sizes = words.stream().skip(2).mapToInt(Integer::parseInt).toArray();
        List<String> lines = new ArrayList<>();
        rally.lead(
                sizes,
                budget,
                warmUp,
                (bytes, timing, _) -> lines.add("result,trip," + bytes + "," + timing.median() + "," + timing.tenth()));
        lines.forEach(System.out::println); // not before: who prints keeps others from their CPU
    }
}
