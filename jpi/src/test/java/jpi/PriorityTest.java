package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jpi.PointToPointTest.Where;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of several messages is taken first. */
final class PriorityTest {
    private static final int LOW = 2;
    private static final int HIGH = 9;
    private static final int TAG = 7;

    @ParameterizedTest
    @EnumSource
    void onlyWhatCameLaterHasOvertaken(Where where) {
        int before = 150;
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                for (int i = 0; i < before; i++) {
                    world.priority(HIGH).send(i, 1, TAG);
                }
                world.priority(LOW).send("low", 1, TAG);
                world.send("all", 1, TAG + 1);
            } else {
                assertEquals("all", world.recv(0, TAG + 1));
                for (int i = 0; i < before; i++) {
                    assertEquals(i, world.recv(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
                }
                assertEquals("low", world.recv(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
            }
        });
    }

    /** Rank 1 has sent a message to rank 0, then rank 2 a more important one, before that looks at any. Arrays go a shorter way than objects. */
    private static void assertMoreImportantIsTaken(int ranks, int workers) {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch both = new CountDownLatch(1);
        Ranks.runApart(ranks, workers, handle -> {
            JComm world = handle.COMM_WORLD;
            switch (world.rank()) {
                case 0 -> {
                    both.await();
                    assertEquals(HIGH, world.recv(int[].class, JHandle.ANY_SOURCE, TAG)[0]);
                    assertEquals(LOW, world.recv(int[].class, JHandle.ANY_SOURCE, TAG)[0]);
                }
                case 1 -> {
                    world.priority(LOW).send(new int[] {LOW}, 0, TAG);
                    first.countDown();
                }
                case 2 -> {
                    first.await();
                    world.priority(HIGH).send(new int[] {HIGH}, 0, TAG);
                    both.countDown();
                }
                default -> {}
            }
        });
    }

    @Test
    void oneOfTheSameJvmIsTakenBeforeAnother() {
        assertMoreImportantIsTaken(3, 1);
    }

    @Test
    void oneOfAnotherJvmIsTakenBeforeOneOfAThird() {
        assertMoreImportantIsTaken(3, 3);
    }

    @Test
    void oneOfAnotherJvmIsTakenBeforeOneOfTheSame() {
        assertMoreImportantIsTaken(4, 2);
    }

    @Test
    void oneBehindManyOfAnotherJvmIsTakenFirst() {
        CountDownLatch all = new CountDownLatch(1);
        Ranks.runApart(2, 2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                for (int i = 0; i < 99; i++) {
                    world.priority(LOW).send(i, 1, TAG);
                }
                world.priority(HIGH).send("high", 1, TAG);
                all.countDown();
            } else {
                all.await();
                assertEquals("high", world.recv(0, JHandle.ANY_TAG));
                for (int i = 0; i < 99; i++) {
                    assertEquals(i, world.recv(0, JHandle.ANY_TAG));
                }
            }
        });
    }

    /** It has a fraction of their pieces, and they are all there before it could end. */
    @ParameterizedTest
    @EnumSource
    void aLargeMessageGoesOnAlthoughThereAreMoreImportantOnes(Where where) {
        int important = 1000;
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer large = JBuffer.of(new byte[1 << 20]);
            JBuffer some = JBuffer.of(new byte[128 << 10]);
            List<JRequest<?>> requests = new ArrayList<>();
            if (world.rank() == 0) {
                requests.add(world.priority(LOW).isend(large, 1, TAG));
                for (int i = 0; i < important; i++) {
                    requests.add(world.priority(HIGH).isend(some, 1, TAG + 1));
                }
                world.send("go", 1, TAG + 2);
            } else {
                assertEquals("go", world.recv(0, TAG + 2));
                JRequest<?> low = world.irecv(large, 0, TAG);
                for (int i = 0; i < important; i++) {
                    requests.add(world.irecv(some, 0, TAG + 1));
                }
                var _ = low.await();
                assertFalse(requests.getLast().test());
            }
            JRequest.awaitAll(requests);
        });
    }
}
