package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
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

        /** So many tasks one after another. */
        void trickle(int tasks) {
            for (int i = 0; i < tasks; i++) {
                burst(1);
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
    @CsvSource({
        "32, 0",
        "32, 1",
        "32, 20",
        "32, 50",
        "32, 190",
        "32, 500",
        "32, 5000",
        "32, 16000",
        "4, 20",
        "4, 100",
        "4, 5000",
        "64, 1000",
        "256, 60000"
    })
    void aLoadThatSwingsKeepsItsThreads(int flood, int between) {
        Model model = new Model(ReclaimingRule.CONVERGING, 256, 1);
        for (int swing = 0; swing < 3; swing++) {
            model.burst(flood);
            model.trickle(between);
        }
        int learnt = model.started;
        for (int swing = 0; swing < 20; swing++) {
            model.burst(flood);
            model.trickle(between);
        }
        assertEquals(learnt, model.started, "threads started after it has seen three swings");
        assertTrue(learnt <= 2 * flood, "threads started: " + learnt);
    }

    @Test
    void ebbsOfAnyLengthStartFewerThanAThreadASwing() {
        Model model = new Model(ReclaimingRule.CONVERGING, 256, 1);
        SplittableRandom random = new SplittableRandom(1);
        int swings = 1000;
        for (int swing = 0; swing < swings; swing++) {
            model.burst(random.nextInt(16, 65));
            model.trickle((int) (-300 * Math.log(1 - random.nextDouble())));
        }
        assertTrue(model.started < 64 + swings / 2, "threads started: " + model.started);
    }

    @Test
    void itsThreadsGoWhenAnEbbIsSoLongThatTheyAreNotWorthKeeping() {
        Model model = new Model(ReclaimingRule.CONVERGING, 256, 1);
        for (int swing = 0; swing < 3; swing++) {
            model.burst(32);
            model.trickle(500);
        }
        assertEquals(32, model.census.total());
        model.trickle(1000);
        assertTrue(model.census.sleeping() <= model.census.play(), model.census.sleeping() + " sleep");
        model.trickle(20_000);
        model.burst(32);
        assertTrue(model.trickleToThePlay(10_000) <= 200, "it has forgotten the swings");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 20, 50, 500})
    void whatFewThreadsTeachIsNotForMany(int between) {
        Model model = new Model(ReclaimingRule.CONVERGING, 256, 1);
        for (int i = 0; i < 100; i++) {
            model.burst(2);
            model.trickle(between);
        }
        model.burst(64);
        model.trickle(200);
        // The second has been wanted again and again, and the third is of its rank.
        assertTrue(model.census.total() <= 3, model.census.total() + " threads");
    }

    @Test
    void tasksThatOverlapInManyWaysNeverBreakTheSum() {
        Model model = new Model(ReclaimingRule.CONVERGING, 1000, 1);
        SplittableRandom random = new SplittableRandom(1);
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
