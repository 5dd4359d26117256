package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both rules as arithmetic: tasks that begin and end one at a time, and no threads. */
class ReclaimingRuleTest {
    private static final ReusableThreadPool POOL =
            ReusableThreadPool.builder().name("unused").build();

    @AfterAll
    static void close() {
        POOL.close();
    }

    /** A pool without threads. */
    private static final class Model {
        private final ReclaimingRule rule;
        private final Worker worker = new Worker(POOL, Thread.ofPlatform().factory());
        Census census;
        int started;
        int reclaimed;

        Model(ReclaimingRule rule, int maximum, int bias) {
            this.rule = rule;
            this.census = Census.empty(maximum, bias);
        }

        void begin() {
            Sleeper top = census.top();
            if (top != null) {
                census = census.woken(top);
            } else {
                census = census.grown();
                started++;
            }
        }

        void end() {
            Census then = rule.fallAsleep(census, new Sleeper(worker, census.top()));
            if (then.total() < census.total()) {
                reclaimed++;
            }
            census = then;
        }

        void burst(int tasks) {
            for (int i = 0; i < tasks; i++) {
                begin();
            }
            for (int i = 0; i < tasks; i++) {
                end();
            }
        }

        /** Tasks one after another until no more than the play would sleep; how many that took. */
        int trickleToThePlay(int limit) {
            int tasks = 0;
            while (census.sleeping() > census.play() && tasks < limit) {
                begin();
                end();
                tasks++;
            }
            return tasks;
        }
    }

    @Test
    void thePapersRuleEndsAThreadAfterMaximumLessTotalInARow() {
        Model model = new Model(ReclaimingRule.PAPER, 20, 1);
        model.burst(16);
        // play is 3; the burst's last 13 moments were above it, and 20 - 16 = 4 of them in a row end a thread
        // 16 -> 15 needs 4, 15 -> 14 needs 5: 4 + 5 of 13, and 4 are left over
        assertEquals(2, model.reclaimed);
        assertEquals(14, model.census.total());
        assertEquals(4, model.census.row());
        model.burst(1); // 20 - 14 = 6 in a row are needed: this is the fifth …
        assertEquals(14, model.census.total());
        model.burst(1); // … and this the sixth
        assertEquals(13, model.census.total());
        assertEquals(0, model.census.row());
    }

    @Test
    void belowThePlayTheRowBeginsAgain() {
        Model model = new Model(ReclaimingRule.PAPER, 100, 1);
        model.burst(16);
        assertEquals(13, model.census.row());
        for (int i = 0; i < 14; i++) {
            model.begin();
        }
        model.end(); // 3 sleep then, and the play is 3
        assertEquals(0, model.census.row());
        assertEquals(16, model.census.total());
    }

    @Test
    void thePapersRuleComesDownSlowly() {
        Model model = new Model(ReclaimingRule.PAPER, 64, 1);
        model.burst(64);
        int tasks = model.trickleToThePlay(10_000);
        assertTrue(tasks > 1000 && tasks < 2000, "took " + tasks);
    }

    @ParameterizedTest
    @CsvSource({"64, 1", "256, 1", "8000, 1", "64, 4", "256, 4", "64, 8", "256, 8"})
    void fromABurstOf64OursIsDownToThePlayWithin200Tasks(int maximum, int bias) {
        Model model = new Model(ReclaimingRule.CONVERGING, maximum, bias);
        model.burst(64);
        int tasks = model.trickleToThePlay(10_000);
        assertTrue(tasks <= 200, "took " + tasks);
        int settled = model.census.total();
        for (int i = 0; i < 1000; i++) {
            model.burst(1);
        }
        assertEquals(settled, model.census.total(), "threads that the play covers stay");
        assertTrue(settled >= 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 20, 50, 100, 190})
    void aLoadThatSwingsKeepsItsThreads(int between) {
        Model model = new Model(ReclaimingRule.CONVERGING, 256, 1);
        int swings = 300;
        for (int swing = 0; swing < swings; swing++) {
            model.burst(32);
            for (int i = 0; i < between; i++) {
                model.burst(1);
            }
        }
        // It has to learn how long an ebb lasts; after that it starts none any more.
        assertTrue(model.started < 32 + swings / 2, "threads started: " + model.started);
        int learnt = model.started;
        for (int swing = 0; swing < 20; swing++) {
            model.burst(32);
            for (int i = 0; i < between; i++) {
                model.burst(1);
            }
        }
        assertEquals(learnt, model.started, "threads started after it has learnt");
    }

    @Test
    void tasksThatOverlapInManyWaysNeverBreakTheSum() {
        Model model = new Model(ReclaimingRule.CONVERGING, 1000, 1);
        java.util.SplittableRandom random = new java.util.SplittableRandom(1);
        Deque<Integer> running = new ArrayDeque<>();
        for (int i = 0; i < 200_000; i++) {
            if (running.isEmpty() || (running.size() < 900 && random.nextInt(100) < 50)) {
                model.begin();
                running.push(i);
            } else {
                model.end();
                running.pop();
            }
            assertEquals(running.size(), model.census.running()); // total = running + sleeping, by its own asserts
        }
    }
}
