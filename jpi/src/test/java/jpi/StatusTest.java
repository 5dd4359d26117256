package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is known of a message. */
final class StatusTest {
    private static final int TAG = 7;

    @ParameterizedTest
    @EnumSource
    void elementsAreCountedOfWhatHasSome(PointToPointTest.Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            List<@Nullable Object> sent = Arrays.asList(
                    new long[] {1, 2, 3},
                    new boolean[5],
                    new double[0],
                    new String[] {"two", "texts"},
                    List.of(1, 2),
                    "text",
                    null);
            if (world.rank() == 0) {
                for (Object message : sent) {
                    world.send(message, 1, TAG);
                }
                try (Arena arena = Arena.ofShared()) {
                    world.send(JBuffer.of(arena.allocate(24, 4), JType.INT), 1, TAG);
                    world.send(JBuffer.of(new char[9], 2, 4), 1, TAG);
                }
            } else {
                for (int count : new int[] {3, 5, 0, 1, 1, 1, 1, 6, 4}) {
                    JStatus status = world.probe(0, TAG);
                    assertEquals(new JStatus(0, TAG, Thread.NORM_PRIORITY, count), status);
                    var _ = world.recv(0, TAG);
                }
                assertEquals(
                        0,
                        world.recv(JBuffer.of(new int[1]), JHandle.PROC_NULL, TAG)
                                .count());
            }
        });
    }
}
