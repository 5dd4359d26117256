package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are sent and received again and again; for collective operations see {@link CollectivesMixTest}. */
final class PersistentTest {
    private static final int TAG = 7;
    private static final int ROUNDS = 5;

    @ParameterizedTest
    @EnumSource
    void eachStartReceivesTheNextObject(PointToPointTest.Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int other = 1 - world.rank();
            JPersistent<Object> receive = world.recvInit(other, TAG);
            for (int i = 0; i < ROUNDS; i++) {
                JRequest<Object> request = receive.start();
                world.send(i, other, TAG);
                assertEquals(i, request.await());
            }
        });
    }

    /** What is sent is what the buffer holds at the start, long or short. */
    @ParameterizedTest
    @EnumSource
    void buffersAreFilledAgainAndAgain(PointToPointTest.Where where) {
        for (int length : new int[] {3, 50_000}) {
            where.run(2, handle -> {
                JComm world = handle.COMM_WORLD;
                int other = 1 - world.rank();
                long[] mine = new long[length];
                long[] theirs = new long[length + 1];
                JPersistent<@Nullable Void> send = world.sendInit(JBuffer.of(mine), other, TAG);
                JPersistent<JStatus> receive = world.recvInit(JBuffer.of(theirs), JHandle.ANY_SOURCE, TAG);
                for (int i = 0; i < ROUNDS; i++) {
                    mine[length - 1] = 10L * i + world.rank();
                    JRequest<JStatus> request = receive.start();
                    JRequest.awaitAll(List.of(send.start(), request));
                    assertEquals(new JStatus(other, TAG, Thread.NORM_PRIORITY, length), request.await());
                    assertEquals(10L * i + other, theirs[length - 1]);
                    assertEquals(0, theirs[length]);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void anObjectIsSentAtEachStart(PointToPointTest.Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                int[] array = {0};
                JPersistent<@Nullable Void> send = world.priority(9).isolated().sendInit(array, 1, TAG);
                for (int i = 0; i < ROUNDS; i++) {
                    array[0] = i;
                    var _ = send.start().await();
                }
                JPersistent<@Nullable Void> ends = world.sendInit("no more", 1, TAG + 1);
                JRequest.awaitAll(JPersistent.startAll(List.of(ends, ends)));
            } else {
                assertEquals("no more", world.recv(0, TAG + 1));
                assertEquals("no more", world.recv(0, TAG + 1));
                for (int i = 0; i < ROUNDS; i++) {
                    assertEquals(9, world.probe(0, TAG).priority());
                    assertArrayEquals(new int[] {i}, world.recv(int[].class, 0, TAG));
                }
            }
        });
    }

    @Test
    void whatCannotBeBegunIsRefusedBeforehand() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer buffer = JBuffer.of(new int[1]);
            for (Runnable wrong : List.<Runnable>of(
                    () -> world.sendInit("text", 1, TAG),
                    () -> world.sendInit("text", 0, -2),
                    () -> world.recvInit(1, TAG),
                    () -> world.recvInit(buffer, 1, TAG),
                    () -> world.recvInit(0, -2),
                    () -> world.recvInit(buffer, 0, -2))) {
                assertThrows(JException.class, wrong::run);
            }
            assertEquals(
                    0,
                    world.recvInit(buffer, JHandle.PROC_NULL, TAG)
                            .start()
                            .await()
                            .count());
            var _ = world.sendInit(buffer, JHandle.PROC_NULL, TAG).start().await();
        });
    }
}
