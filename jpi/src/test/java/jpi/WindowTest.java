package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Memory that ranks reach: what is put is there, in every kind of epoch, and what does not fit is refused. */
final class WindowTest {
    /** More elements than are combined at once. */
    private static final int ROW = 1100;

    /** Threads of one JVM and of several, platform and virtual. */
    static void everyWay(int ranks, Ranks.Body body) {
        Ranks.everyWay(ranks, body);
        Ranks.runVirtual(ranks, body);
        if (ranks > 1) {
            Ranks.runVirtualApart(ranks, (ranks + 1) / 2, body);
        }
    }

    private static String thrown(org.junit.jupiter.api.function.Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    private static JBuffer buffer(JType type, long... values) {
        JBuffer buffer = JBuffer.ofArray(type.newArray(values.length));
        for (int i = 0; i < values.length; i++) {
            set(buffer.memory(), type, i, values[i]);
        }
        return buffer;
    }

    private static void set(MemorySegment memory, JType type, long index, long value) {
        switch (type) {
            case BYTE -> memory.set(ValueLayout.JAVA_BYTE, index, (byte) value);
            case CHAR -> memory.setAtIndex(ValueLayout.JAVA_CHAR, index, (char) value);
            case SHORT -> memory.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) value);
            case INT -> memory.setAtIndex(ValueLayout.JAVA_INT, index, (int) value);
            case LONG -> memory.setAtIndex(ValueLayout.JAVA_LONG, index, value);
            case FLOAT -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
            case DOUBLE -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, index, (double) value);
        }
    }

    private static void assertSameContents(JBuffer expected, MemorySegment memory, String what) {
        assertEquals(-1, expected.memory().mismatch(memory), what);
    }

    @Test
    void eachRankHasAPartOfItsOwnSize() {
        everyWay(5, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            for (JType type : JType.values()) {
                try (JWindow window = world.window(type, 3L * me)) {
                    assertEquals(type, window.type());
                    assertEquals(3L * me, window.count());
                    for (int rank = 0; rank < 5; rank++) {
                        assertEquals(3L * rank, window.count(rank));
                        assertEquals(
                                3L * rank * type.size(), window.memory(rank).byteSize());
                    }
                    assertSameContents(JBuffer.ofArray(type.newArray(3 * me)), window.memory(), "zeroes at first");
                    window.fence();
                    int right = (me + 1) % 5;
                    if (right > 0) { // its last element, and of larger ones the two before that
                        window.put(buffer(type, me + 10), right, 3L * right - 1);
                        window.put(buffer(type, me + 20, me + 30), right, 3L * right - 3);
                    }
                    window.fence();
                    if (me > 0) {
                        assertSameContents(buffer(type, me + 19, me + 29, me + 9), last3(window), type.toString());
                    }
                    JBuffer got = buffer(type, 0, 0, 0);
                    window.get(got, 4, 9);
                    assertSameContents(buffer(type, 23, 33, 13), got.memory(), type.toString());
                    window.get(buffer(type), 0, 0); // of nothing there is enough
                }
            }
        });
    }

    /** What is put as bytes is changed as numbers, in the same epoch; a part that is no multiple of a number ends before that. */
    @Test
    void itsElementsMayBeSeenAsOthers() {
        everyWay(3, handle -> {
            JComm world = handle.COMM_WORLD;
            try (JWindow bytes = world.window(JType.BYTE, 21)) {
                JWindow numbers = bytes.as(JType.INT);
                assertEquals(5, numbers.count());
                assertEquals(21, numbers.as(JType.BYTE).count());
                bytes.fence();
                if (world.rank() == 1) {
                    bytes.put(buffer(JType.BYTE, 7), 2, 16);
                }
                bytes.fence();
                numbers.accumulate(buffer(JType.INT, 1 << 20), 2, 4, JOperation.SUM);
                numbers.fence();
                JBuffer got = buffer(JType.INT, 0);
                numbers.get(got, 2, 4);
                assertSameContents(buffer(JType.INT, 7 + (3 << 20)), got.memory(), "all have added");
                assertTrue(thrown(() -> numbers.get(got, 2, 5)).contains("which has 5"));
                numbers.close();
                assertTrue(thrown(bytes::count).contains("has been closed"));
            }
        });
    }

    private static MemorySegment last3(JWindow window) {
        long size = 3L * window.type().size();
        return window.memory().asSlice(window.memory().byteSize() - size);
    }

    private static List<JOperation<Object>> operations(JType type) {
        List<JOperation<Object>> all = new ArrayList<>(List.of(
                JOperation.SUM, JOperation.PROD, JOperation.MAX, JOperation.MIN, JOperation.REPLACE, JOperation.NO_OP));
        switch (type) {
            case FLOAT, DOUBLE -> all.add(JOperation.ofDoubles((a, b) -> a - b).nonCommutative());
            default -> {
                all.addAll(List.of(
                        JOperation.LAND,
                        JOperation.LOR,
                        JOperation.LXOR,
                        JOperation.BAND,
                        JOperation.BOR,
                        JOperation.BXOR));
                all.add(
                        type == JType.LONG
                                ? JOperation.ofLongs((a, b) -> a - b).nonCommutative()
                                : JOperation.ofInts((a, b) -> a - b).nonCommutative());
            }
        }
        return all;
    }

    /** The same as a reduction of arrays does, at any place and of any length; neighbours stay what they are. */
    @Test
    void elementsAreCombinedByEveryOperation() {
        Ranks.everyWay(2, handle -> {
            JComm world = handle.COMM_WORLD;
            for (JType type : JType.values()) {
                try (JWindow window = world.window(type, world.rank() == 1 ? ROW : 0)) {
                    window.fence();
                    if (world.rank() == 0) {
                        JBuffer row = JBuffer.ofArray(type.newArray(ROW));
                        JBuffer values = JBuffer.ofArray(type.newArray(ROW));
                        for (int i = 0; i < ROW; i++) {
                            set(row.memory(), type, i, 100 - 7L * i % 90);
                            set(values.memory(), type, i, i % 5 - 2);
                        }
                        for (JOperation<Object> operation : operations(type)) {
                            for (int count : new int[] {1, 2, 7, ROW - 9}) {
                                combine(window, operation, JBuffer.ofArray(row.toArray()), values.slice(0, count));
                            }
                        }
                    }
                    window.fence();
                }
            }
        });
    }

    private static void combine(JWindow window, JOperation<Object> operation, JBuffer row, JBuffer values) {
        JType type = window.type();
        String what = operation + " of " + values;
        int offset = 5;
        JBuffer part = row.slice(offset, values.count());
        window.put(row, 1, 0);
        Object result = operation.apply(part.toArray(), values.toArray());
        window.accumulate(values, 1, offset, operation);
        JBuffer got = JBuffer.ofArray(type.newArray(ROW));
        window.get(got, 1, 0);
        part.copyFrom(JBuffer.ofArray(result));
        assertSameContents(row, got.memory(), what);
        Object after = operation.apply(part.toArray(), values.toArray());
        JBuffer before = JBuffer.ofArray(values.toArray()); // gives the values, and gets what was there
        window.getAccumulate(before, before, 1, offset, operation);
        assertSameContents(JBuffer.ofArray(result), before.memory(), "before " + what);
        part.copyFrom(JBuffer.ofArray(after));
        window.get(got, 1, 0);
        assertSameContents(row, got.memory(), what + ", twice");
    }

    @Test
    void singleElementsAreFetchedAndExchanged() {
        everyWay(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int other = 1 - world.rank();
            for (JType type : List.of(JType.BYTE, JType.SHORT, JType.CHAR, JType.INT, JType.LONG)) {
                try (JWindow window = world.window(type, 9)) {
                    window.lock(other);
                    assertEquals(0, window.fetchAndOp(100, other, 3, JOperation.SUM));
                    assertEquals(100, window.fetchAndOp(27, other, 3, JOperation.SUM));
                    assertEquals(127, window.fetchAndOp(1, other, 3, JOperation.REPLACE));
                    assertEquals(1, window.fetchAndOp(55, other, 3, JOperation.NO_OP));
                    assertEquals(1, window.fetchAndOp(6, other, 3, JOperation.BOR));
                    assertEquals(7, window.fetchAndOp(3, other, 3, JOperation.MAX));
                    assertFalse(window.compareAndSet(6, 9, other, 3));
                    assertEquals(7, window.compareAndExchange(7, 9, other, 3));
                    assertTrue(window.compareAndSet(9, 8, other, 3));
                    if (type != JType.CHAR) {
                        assertEquals(8, window.fetchAndOp(-10, other, 3, JOperation.SUM));
                        assertEquals(-2, window.compareAndExchange(-2, -3, other, 3));
                        assertEquals(-3, window.fetchAndOp(8, other, 3, JOperation.REPLACE));
                    }
                    window.unlock(other);
                    world.barrier();
                    window.sync();
                    assertSameContents(buffer(type, 0, 0, 0, 8, 0, 0, 0, 0, 0), window.memory(), "neighbours");
                }
            }
            try (JWindow window = world.window(JType.BYTE, 1)) {
                window.lock(other);
                assertEquals(0, window.fetchAndOp(127, other, 0, JOperation.SUM));
                assertEquals(127, window.fetchAndOp(2, other, 0, JOperation.SUM));
                assertEquals(-127, window.fetchAndOp(0, other, 0, JOperation.NO_OP));
                assertTrue(thrown(() -> window.fetchAndOp(128, other, 0, JOperation.SUM))
                        .startsWith("value 128 and"));
                assertTrue(thrown(() -> window.compareAndSet(-129, 0, other, 0)).startsWith("value -129 and"));
                assertTrue(thrown(() -> window.fetchAndOp(1.0, other, 0, JOperation.SUM))
                        .contains("give a long"));
                window.unlock(other);
            }
            for (JType type : List.of(JType.FLOAT, JType.DOUBLE)) {
                try (JWindow window = world.window(type, 2)) {
                    window.lock(other);
                    assertEquals(0, window.fetchAndOp(1.5, other, 1, JOperation.SUM));
                    assertEquals(1.5, window.fetchAndOp(4.0, other, 1, JOperation.MAX));
                    assertEquals(4, window.fetchAndOp(Double.NaN, other, 1, JOperation.REPLACE));
                    assertEquals(Double.NaN, window.fetchAndOp(0.0, other, 1, JOperation.NO_OP));
                    assertEquals(Double.NaN, window.fetchAndOp(0.25, other, 1, JOperation.REPLACE));
                    assertEquals(0.25, window.fetchAndOp(0.0, other, 1, JOperation.NO_OP));
                    assertTrue(thrown(() -> window.fetchAndOp(1, other, 1, JOperation.SUM))
                            .contains("give a double"));
                    assertTrue(
                            thrown(() -> window.compareAndSet(1, 1, other, 1)).contains("integers only"));
                    assertTrue(thrown(() -> window.fetchAndOp(1.0, other, 1, JOperation.BOR))
                            .contains("BOR applies to"));
                    window.unlock(other);
                }
            }
        });
    }

    /** Each waits for its neighbours alone, round after round; the ends have one less. */
    @Test
    void neighboursPostAndStart() {
        int rounds = 200;
        everyWay(5, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            int left = me == 0 ? JHandle.PROC_NULL : me - 1;
            int right = me == 4 ? JHandle.PROC_NULL : me + 1;
            try (JWindow window = world.window(JType.INT, 2)) {
                for (int round = 0; round < rounds; round++) {
                    window.post(left, right);
                    window.start(left, right);
                    window.put(buffer(JType.INT, 1000 * round + me), left, 1);
                    window.put(buffer(JType.INT, 1000 * round + me), right, 0);
                    window.complete();
                    if (round % 2 == 0) {
                        window.await();
                    } else {
                        while (!window.test()) {
                            Thread.onSpinWait();
                        }
                    }
                    assertEquals(
                            me == 0 ? 0 : 1000 * round + left, window.memory().getAtIndex(ValueLayout.JAVA_INT, 0));
                    assertEquals(
                            me == 4 ? 0 : 1000 * round + right, window.memory().getAtIndex(ValueLayout.JAVA_INT, 1));
                }
                window.post(me, me);
                window.start(me);
                window.put(buffer(JType.INT, -1), me, 0);
                window.complete();
                window.await();
                assertEquals(-1, window.memory().getAtIndex(ValueLayout.JAVA_INT, 0));
                window.post();
                window.await();
            }
        });
    }

    /** Direct stores into another's part, ordered by sync and a barrier; and a rank that looks until it sees one. */
    @Test
    void partsOfOthersAreMemory() {
        everyWay(4, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JWindow window = world.window(JType.LONG, 4);
            for (int other = 0; other < 4; other++) {
                window.memory(other).setAtIndex(ValueLayout.JAVA_LONG, me, 10L * me + other);
            }
            window.sync();
            world.barrier();
            window.sync();
            for (int other = 0; other < 4; other++) {
                assertEquals(10L * other + me, window.memory().getAtIndex(ValueLayout.JAVA_LONG, other));
            }
            world.barrier();
            window.lockAll();
            if (me == 0) { // passes a token on, which the others look for
                assertEquals(1, window.fetchAndOp(-1, 1, 0, JOperation.REPLACE));
            } else {
                while (window.fetchAndOp(0, me, 0, JOperation.NO_OP) != -1) {
                    window.flush(me);
                }
                if (me < 3) {
                    window.fetchAndOp(-1, me + 1, 0, JOperation.REPLACE);
                }
            }
            window.unlockAll();
            window.close();
        });
    }

    @Test
    void severalThreadsOfARankAndSeveralWindows() {
        Ranks.everyWay(3, handle -> {
            JComm world = handle.COMM_WORLD;
            List<JWindow> windows = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                windows.add(world.dup().window(JType.INT, 1));
            }
            List<Thread> threads = new ArrayList<>();
            AtomicInteger done = new AtomicInteger();
            for (int i = 0; i < 3; i++) {
                JWindow window = windows.get((i + world.rank()) % 3);
                int target = i;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int turn = 0; turn < 300; turn++) {
                        window.lock(target);
                        int[] value = new int[1];
                        window.get(JBuffer.of(value), target, 0);
                        value[0]++;
                        window.put(JBuffer.of(value), target, 0);
                        window.unlock(target);
                    }
                    var _ = done.incrementAndGet();
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(3, done.get());
            int sum = 0;
            for (JWindow window : windows) {
                window.fence();
                sum += window.memory().get(ValueLayout.JAVA_INT, 0);
                window.fence();
                window.close();
            }
            assertEquals(2700, world.allreduce(sum, JOperation.SUM));
        });
    }

    @Test
    void accessOutsideOfAnEpochIsRefused() {
        Ranks.everyWay(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            int other = 1 - me;
            JBuffer one = buffer(JType.INT, 1);
            try (JWindow window = world.window(JType.INT, 4)) {
                assertEquals(
                        "rank " + me + " accesses the part of rank " + other
                                + " in the window of COMM_WORLD outside of any epoch: call fence, lock(" + other
                                + "), lockAll or start(" + other + ") first",
                        thrown(() -> window.put(one, other, 0)));
                assertTrue(thrown(() -> window.get(one, other, 0)).contains("outside of any epoch"));
                assertTrue(thrown(() -> window.accumulate(one, other, 0, JOperation.SUM))
                        .contains("outside of any epoch"));
                assertTrue(thrown(() -> window.compareAndSet(0, 0, me, 0)).contains("outside of any epoch"));
                assertTrue(thrown(() -> window.unlock(other)).contains("which it has not locked: call lock(" + other));
                assertTrue(thrown(window::unlockAll).contains("call lockAll first"));
                assertTrue(thrown(() -> window.flush(0)).contains("call lock(0) or lockAll first"));
                assertTrue(thrown(window::complete).contains("call start first"));
                assertTrue(thrown(window::await).contains("call post first"));
                assertTrue(thrown(window::test).contains("call post first"));
                window.lockShared(0);
                window.get(one, 0, 0);
                assertTrue(thrown(() -> window.get(one, 1, 0)).contains("outside of any epoch"));
                assertTrue(thrown(() -> window.lock(0)).contains("a second time: call unlock(0) before"));
                assertTrue(thrown(window::lockAll).contains("while it has locked the part of rank 0"));
                assertTrue(thrown(window::fence).contains("call unlock(0) first"));
                assertTrue(thrown(window::close).contains("call unlock(0) first"));
                assertTrue(thrown(() -> window.start(0)).contains("call unlock(0) first"));
                window.unlock(0);
                window.lockAll();
                window.get(one, other, 0);
                assertTrue(thrown(() -> window.lockShared(0)).contains("call unlockAll first"));
                assertTrue(thrown(window::lockAll).contains("call unlockAll first"));
                window.unlockAll();
                window.post(other);
                assertTrue(thrown(() -> window.post(other)).contains("call await first"));
                assertTrue(thrown(window::close).contains("call await first"));
                window.start(other);
                assertTrue(thrown(() -> window.lock(me)).contains("call complete first"));
                assertTrue(thrown(window::fence).contains("call complete first"));
                window.complete();
                window.await();
                window.fence();
                window.lock(other); // nothing has been accessed since the fence
                window.unlock(other);
                assertTrue(thrown(() -> window.put(one, other, 0)).contains("outside of any epoch"));
                window.fence();
                window.put(one, other, 0);
                assertTrue(thrown(() -> window.lock(other)).contains("call fence before"));
                assertTrue(thrown(window::lockAll).contains("call fence before"));
                window.fence();
            }
        });
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Ranks.everyWay(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JBuffer two = buffer(JType.INT, 1, 2);
            JWindow window = world.window(JType.INT, 2 + 2 * me);
            window.setName("board");
            window.fence();
            assertEquals(
                    "2 ints from element 3 on in the part of rank 1 of the board, which has 4: must lie within it",
                    thrown(() -> window.put(two, 1, 3)));
            assertTrue(
                    thrown(() -> window.get(two, 1, -1)).startsWith("2 ints from element -1 on in the part of rank 1"));
            assertTrue(thrown(() -> window.get(two, 0, Long.MAX_VALUE)).contains("which has 2"));
            assertTrue(thrown(() -> window.fetchAndOp(1, 0, 2, JOperation.SUM)).startsWith("1 int from element 2"));
            assertEquals("rank 2 is not in board, which has ranks 0 to 1", thrown(() -> window.put(two, 2, 0)));
            assertTrue(thrown(() -> window.lock(-1)).startsWith("rank -1 is not in"));
            assertTrue(thrown(() -> window.memory(2)).startsWith("rank 2 is not in"));
            assertTrue(thrown(() -> window.put(buffer(JType.FLOAT, 1), 0, 0)).contains("must have the same type"));
            assertTrue(thrown(() -> window.getAccumulate(two, two.slice(0, 1), 0, 0, JOperation.SUM))
                    .contains("must have the same count"));
            assertTrue(thrown(() -> window.accumulate(two, 0, 0, JOperation.MAXLOC))
                    .contains("does not apply"));
            assertTrue(thrown(() -> window.fetchAndOp(0, 0, 0, JOperation.ofLongs(Long::sum)))
                    .contains("applies to longs"));
            window.put(two, JHandle.PROC_NULL, 17);
            window.get(two, JHandle.PROC_NULL, 17);
            window.accumulate(two, JHandle.PROC_NULL, 17, JOperation.SUM);
            window.lock(JHandle.PROC_NULL);
            window.flush(JHandle.PROC_NULL);
            window.unlock(JHandle.PROC_NULL);
            assertTrue(thrown(() -> window.fetchAndOp(0, JHandle.PROC_NULL, 0, JOperation.SUM))
                    .startsWith("rank -2"));
            Arena arena = Arena.ofShared();
            JBuffer gone = JBuffer.of(arena.allocate(4), JType.INT);
            arena.close();
            assertTrue(thrown(() -> window.put(gone, 0, 0)).contains("keep its arena"));
            assertTrue(
                    thrown(() -> window.accumulate(gone, 0, 0, JOperation.SUM)).contains("keep its arena"));
            window.fence();
            window.close();
        });
    }

    @Test
    void aWindowThatCannotBeMadeIsRefusedOnAllRanks() {
        Ranks.everyWay(3, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            assertEquals(
                    "rank 0 wants a window of COMM_WORLD of ints, rank 2 of longs: all must name the same type",
                    thrown(() -> world.window(me == 2 ? JType.LONG : JType.INT, 1)));
            assertEquals(
                    "rank 1 wants -1 ints in a window of COMM_WORLD: must be 0 or more",
                    thrown(() -> world.window(JType.INT, me == 1 ? -1 : 1)));
            assertTrue(
                    thrown(() -> world.window(JType.LONG, Long.MAX_VALUE)).contains("more bytes than can be counted"));
            assertTrue(thrown(() -> world.window(JType.BYTE, 1L << 61)).startsWith("no memory can be had"));
            assertEquals(3, world.allreduce(1, JOperation.SUM));
        });
        Ranks.runChecking(2, handle -> {
            JComm world = handle.COMM_WORLD;
            String mismatch = thrown(() -> {
                if (world.rank() == 0) {
                    var _ = world.window(JType.INT, 1);
                } else {
                    world.barrier();
                }
            });
            assertTrue(mismatch.contains("rank 0 called window of ints; rank 1 called barrier"), mismatch);
            try (JWindow window = world.window(JType.INT, 1 + world.rank())) {
                window.fence();
            }
        });
    }

    /** One goes, the others go on; the memory goes with the last one of a JVM. */
    @Test
    void closingWaitsForNobody() {
        everyWay(4, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JWindow window = world.window(JType.INT, 1);
            MemorySegment kept = window.memory();
            window.fence();
            if (me == 1) {
                window.close();
                window.close();
                world.send("closed", 0, 0);
                assertEquals(
                        "the window of COMM_WORLD has been closed: make another, or close it later",
                        thrown(() -> window.put(buffer(JType.INT, 1), 0, 0)));
                assertTrue(thrown(window::fence).contains("has been closed"));
                assertTrue(thrown(window::memory).contains("has been closed"));
            } else if (me == 0) {
                world.recv(1, 0);
                window.put(buffer(JType.INT, 77), 1, 0);
                assertEquals(77, window.memory(1).get(ValueLayout.JAVA_INT, 0));
            }
            window.close();
            world.barrier();
            assertThrows(IllegalStateException.class, () -> kept.get(ValueLayout.JAVA_INT, 0));
        });
    }

    @Test
    void whoWaitsForALockLearnsOfTheFailure() {
        AtomicInteger learnt = new AtomicInteger();
        Ranks.Body body = handle -> {
            JComm world = handle.COMM_WORLD;
            JWindow window = world.window(JType.INT, 1);
            if (world.rank() == 0) {
                window.lock(2);
                world.barrier();
                for (int i = 1; i < world.size(); i++) {
                    world.recv(i, 0);
                }
                throw new IllegalStateException("a reason");
            }
            world.barrier();
            world.send("about to wait", 0, 0);
            String told = thrown(() -> {
                switch (world.rank()) {
                    case 1 -> window.lockAll();
                    case 2 -> window.fence();
                    case 3 -> window.start(0);
                    case 4 -> {
                        window.post(0);
                        window.await();
                    }
                    default -> {
                        while (true) {
                            window.flushAll();
                        }
                    }
                }
            });
            assertTrue(told.contains("a reason"), told);
            window.close(); // makes no ado about locks then
            var _ = learnt.incrementAndGet();
        };
        String failure = String.valueOf(
                assertThrows(AssertionError.class, () -> Ranks.run(6, body)).getMessage());
        assertTrue(failure.contains("a reason"), failure);
        assertThrows(AssertionError.class, () -> Ranks.runApart(6, 3, body));
        assertThrows(AssertionError.class, () -> Ranks.runVirtual(6, body));
        assertThrows(AssertionError.class, () -> Ranks.runVirtualApart(6, 3, body));
        assertEquals(4 * 5, learnt.get());
    }

    @Test
    void manyVirtualRanksShareOne() {
        Ranks.runVirtual(1000, handle -> {
            JComm world = handle.COMM_WORLD;
            try (JWindow window = world.window(JType.LONG, world.rank() == 0 ? 2 : 0)) {
                JBuffer counter = buffer(JType.LONG, 0);
                window.lock(0);
                window.get(counter, 0, 0);
                set(counter.memory(), JType.LONG, 0, counter.memory().get(ValueLayout.JAVA_LONG, 0) + 1);
                window.put(counter, 0, 0);
                window.unlock(0);
                window.fence();
                long ticket = window.fetchAndOp(1, 0, 1, JOperation.SUM);
                window.get(counter, 0, 0);
                window.fence();
                assertArrayEquals(new long[] {1000}, (long[]) counter.toArray());
                assertEquals(999 * 1000 / 2, world.allreduce(ticket, JOperation.SUM));
            }
        });
    }
}
