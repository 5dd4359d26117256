package jpi;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Memory that is there no more, or that cannot be written to: whatever finds that says so. */
final class BufferTest {
    private static String thrown(Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    private static JBuffer closed() {
        try (Arena arena = Arena.ofShared()) {
            return JBuffer.of(arena.allocate(Long.BYTES), JType.LONG);
        }
    }

    @Test
    void closedMemoryIsRefused() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer gone = closed();
            JBuffer one = JBuffer.of(new long[1]);
            List<Executable> calls = List.of(
                    () -> world.allgather(gone, one),
                    () -> world.gather(one, gone, 0),
                    () -> world.scatter(gone, one, 0),
                    () -> world.alltoall(one, gone),
                    () -> world.allreduce(gone, one, JOperation.SUM),
                    () -> world.iscan(one, gone, JOperation.SUM).await(),
                    () -> one.copyFrom(gone));
            for (Executable call : calls) {
                String text = thrown(call);
                assertTrue(text.startsWith("the memory of a message is no more"), text);
            }
        });
    }

    @Test
    void aBufferIsNoObjectToPassTogether() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JCartesian grid = requireNonNull(world.cartesian(new int[] {1}, new boolean[] {true}));
            JBuffer one = JBuffer.of(new long[1]);
            List<Executable> calls = List.of(
                    () -> world.bcast((Object) one, 0),
                    () -> world.gather(one, 0),
                    () -> world.scatter(List.of(one), 0),
                    () -> world.iallgather(one),
                    () -> world.alltoall(List.of(one)),
                    () -> grid.neighborAllgather(one),
                    () -> grid.ineighborAlltoall(List.of(one, one)),
                    () -> world.<Object>allreduce(one, JOperation.SUM),
                    () -> world.<Object>reduceScatter(List.of(one), JOperation.SUM));
            for (Executable call : calls) {
                String text = thrown(call);
                assertTrue(text.startsWith("a buffer of 1 long is given to a collective operation on objects:"), text);
            }
            long[] all = new long[1];
            world.allgather(JBuffer.of(new long[] {5}), JBuffer.of(all)); // nothing of them is left
            assertEquals(5, all[0]);
        });
    }

    @Test
    void memoryThatCannotBeWrittenToIsRefused() {
        MemorySegment memory = MemorySegment.ofArray(new long[] {7}).asReadOnly();
        JBuffer fixed = JBuffer.of(memory, JType.LONG);
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer one = JBuffer.of(new long[1]);
            JWindow window = world.window(JType.LONG, 1);
            window.fence();
            List<Executable> calls = List.of(
                    () -> world.allgather(one, fixed),
                    () -> world.gather(one, fixed, 0),
                    () -> world.scatter(one, fixed, 0),
                    () -> world.alltoall(one, fixed),
                    () -> world.allreduce(one, fixed, JOperation.SUM),
                    () -> world.iscan(one, fixed, JOperation.SUM).await(),
                    () -> window.get(fixed, 0, 0),
                    () -> window.getAccumulate(one, fixed, 0, 0, JOperation.SUM),
                    () -> fixed.copyFrom(one));
            for (Executable call : calls) {
                assertEquals(
                        "a buffer of 1 long is to be written to, and its memory is read-only: give another",
                        thrown(call));
            }
            world.allgather(fixed, one);
            assertEquals(7, ((long[]) one.toArray())[0]);
            window.fence();
            window.close();
        });
    }

    /** And the ranks that have done that wrong can go on. */
    @Test
    void whatCannotBePutWhereItIsToBeIsRefusedByBothRanks() {
        JBuffer fixed = JBuffer.of(MemorySegment.ofArray(new long[2]).asReadOnly(), JType.LONG);
        Ranks.everyWay(2, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer one = JBuffer.of(new long[] {world.rank()});
            JBuffer two = JBuffer.of(new long[] {world.rank(), world.rank()});
            JBuffer others = JBuffer.of(new double[2]);
            for (Executable call : List.<Executable>of(
                    () -> world.allgather(one, fixed),
                    () -> world.alltoall(two, fixed),
                    () -> world.allreduce(two, fixed, JOperation.SUM),
                    () -> world.scan(two, fixed, JOperation.SUM))) {
                String text = thrown(call);
                assertTrue(text.endsWith("is to be written to, and its memory is read-only: give another"), text);
            }
            assertEquals(
                    "a buffer of 1 long does not fit a buffer of 1 double: both must have the same type and count",
                    thrown(() -> world.allgather(one, others)));
            assertEquals(
                    "a buffer of 1 long does not fit a buffer of 1 double: both must have the same type and count",
                    thrown(() -> world.alltoall(two, others)));
            long[] all = new long[2];
            world.allgather(one, JBuffer.of(all));
            assertArrayEquals(new long[] {0, 1}, all);
            world.alltoall(two, JBuffer.of(all));
            assertArrayEquals(new long[] {0, 1}, all);
            world.allreduce(two, JBuffer.of(all), JOperation.SUM);
            assertArrayEquals(new long[] {1, 1}, all);
        });
    }

    /** However often it is asked, and for however many. */
    @Test
    void blocksLieOneAfterTheOther() {
        long[] numbers = LongStream.range(0, 40).toArray();
        JBuffer whole = JBuffer.of(numbers);
        for (int number : new int[] {2, 2, 3, 20, 20, 2, 1, 41}) {
            int size = 40 / number;
            JBuffer[] blocks = whole.blocks(number);
            assertEquals(number, blocks.length);
            for (int i = 0; i < number; i++) {
                long[] expected = Arrays.copyOfRange(numbers, i * size, (i + 1) * size);
                assertArrayEquals(expected, (long[]) blocks[i].toArray());
            }
            numbers[number % 40]++; // no copy
        }
    }
}
