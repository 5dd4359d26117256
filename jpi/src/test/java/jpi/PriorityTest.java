package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jpi.PointToPointTest.Where;
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
}
