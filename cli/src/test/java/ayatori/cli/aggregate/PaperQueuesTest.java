package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * A model of the two run queues of Yamada and Kusakabe, "Throughput of Erlang under an operating system's scheduler that
 * aggregates in time", figure 1: Linux's O(1) scheduler, and theirs, which has a queue for each address space and puts threads
 * that share the running one's up by one level.
 */
class PaperQueuesTest {
    private static final int BONUS = 1;

    /** A thread that is ready. The higher the level, the sooner it runs; among equals who came first. */
    private record Ready(String name, String space, int level) {}

    /** The order in which one CPU runs each once. */
    private static List<Ready> order(List<Ready> queue, int bonus) {
        List<Ready> waiting = new ArrayList<>(queue);
        List<Ready> order = new ArrayList<>();
        String space = "";
        while (!waiting.isEmpty()) {
            Ready next = waiting.getFirst();
            for (Ready other : waiting) {
                int ahead = level(other, space, bonus) - level(next, space, bonus);
                boolean stays = ahead == 0
                        && other.space().equals(space)
                        && !next.space().equals(space);
                if (ahead > 0 || (stays && bonus > 0)) {
                    next = other;
                }
            }
            waiting.remove(next);
            order.add(next);
            space = next.space();
        }
        return order;
    }

    private static int level(Ready thread, String space, int bonus) {
        return thread.level() + (thread.space().equals(space) ? bonus : 0);
    }

    private static long spaceSwitches(List<Ready> order) {
        long count = 0;
        for (int i = 1; i < order.size(); i++) {
            if (!order.get(i).space().equals(order.get(i - 1).space())) {
                count++;
            }
        }
        return count;
    }

    private static String names(List<Ready> order) {
        return order.stream().map(Ready::name).collect(Collectors.joining(" "));
    }

    private static final List<Ready> FIGURE_1 = List.of(
            new Ready("A", "one", 3),
            new Ready("B", "two", 2),
            new Ready("C", "one", 1),
            new Ready("D", "one", 1),
            new Ready("E", "two", 1));

    @Test
    void figure1HasThreeSwitchesByPriorityAlone() {
        List<Ready> order = order(FIGURE_1, 0);
        assertEquals("A B C D E", names(order));
        assertEquals(3, spaceSwitches(order));
    }

    @Test
    void figure1HasOneSwitchAggregated() {
        List<Ready> order = order(FIGURE_1, BONUS);
        assertEquals("A C D B E", names(order));
        assertEquals(1, spaceSwitches(order));
    }

    @Test
    void whoIsTwoLevelsHigherDoesNotWaitForTheSpace() {
        List<Ready> queue = List.of(new Ready("A", "one", 5), new Ready("B", "two", 4), new Ready("C", "one", 2));
        assertEquals("A B C", names(order(queue, BONUS)));
    }

    @RepeatedTest(200)
    void nobodyIsOvertakenByOneMoreThanOneLevelLower(RepetitionInfo round) {
        Random random = new Random(round.getCurrentRepetition());
        List<Ready> queue = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(12); i++) {
            queue.add(new Ready("" + i, "space " + random.nextInt(4), random.nextInt(5)));
        }
        List<Ready> order = order(queue, BONUS);
        for (int i = 0; i < order.size(); i++) {
            for (Ready later : order.subList(i + 1, order.size())) {
                assertTrue(
                        order.get(i).level() + BONUS >= later.level(),
                        () -> "seed " + round.getCurrentRepetition() + ": " + names(order) + " of " + queue);
            }
        }
    }
}
