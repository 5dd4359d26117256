package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages from rank to rank, within one JVM and between several. */
final class PointToPointTest {
    private static final int TAG = 7;
    private static final long LIMIT_NANOS = 10_000_000_000L;

    /** Where the ranks are. */
    enum Where {
        TOGETHER,
        APART,
        VIRTUAL_APART;

        void run(int ranks, Ranks.Body body) {
            switch (this) {
                case TOGETHER -> Ranks.run(ranks, body);
                case APART -> Ranks.runApart(ranks, ranks, body);
                case VIRTUAL_APART -> Ranks.runVirtualApart(ranks, ranks, body);
            }
        }
    }

    @Test
    void anObjectIsPassedByReference() {
        Object[] sent = {new Object()};
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.send(sent, 1, TAG);
            } else {
                assertSame(sent, world.recv(0, TAG));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aBufferIsCopiedWhateverItsSize(Where where) {
        for (int length : new int[] {0, 1, 1000, 1_000_000}) {
            where.run(2, handle -> {
                JComm world = handle.COMM_WORLD;
                int[] array = new int[length + 2];
                if (world.rank() == 0) {
                    java.util.Arrays.setAll(array, i -> i);
                    world.send(JBuffer.of(array, 1, length), 1, TAG);
                    java.util.Arrays.fill(array, -1);
                    world.send(JBuffer.of(array, 0, 1), 1, TAG + 1);
                } else {
                    JStatus status = world.recv(JBuffer.of(array), 0, TAG);
                    assertEquals(new JStatus(0, TAG, Thread.NORM_PRIORITY, length), status);
                    for (int i = 0; i < length; i++) {
                        assertEquals(i + 1, array[i]);
                    }
                    assertArrayEquals(new int[] {-1}, (int[]) world.recv(0, TAG + 1));
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatDoesNotFitIsRefused(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.send(new double[3], 1, TAG);
                world.send(new float[1], 1, TAG);
                world.send("text", 1, TAG);
                world.send(5, 1, TAG);
            } else {
                JBuffer two = JBuffer.of(new double[2]);
                String tooLong = thrown(() -> world.recv(two, 0, TAG));
                assertEquals(
                        "the message from rank 0, tag 7, of 3 doubles does not fit into a buffer of 2 doubles:"
                                + " receive it into a larger one, or as an object",
                        tooLong);
                assertEquals(
                        "the message from rank 0, tag 7, of 1 float does not fit into a buffer of 2 doubles:"
                                + " receive it into one of floats, or as an object",
                        thrown(() -> world.recv(two, 0, TAG)));
                assertTrue(thrown(() -> world.recv(two, 0, TAG)).endsWith("receive it as an object"));
                assertTrue(thrown(() -> world.recv(String.class, 0, TAG)).contains("java.lang.Integer"));
            }
        });
    }

    private static String thrown(org.junit.jupiter.api.function.Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void ranksAndTagsOutOfRangeAreRefused(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            assertEquals("rank 2 is not in COMM_WORLD, which has ranks 0 to 1", thrown(() -> world.send(1, 2, TAG)));
            assertEquals("rank -4 is not in COMM_WORLD, which has ranks 0 to 1", thrown(() -> world.recv(-4, TAG)));
            assertTrue(thrown(() -> world.send(1, 1, -1)).startsWith("tag -1:"));
            assertTrue(thrown(() -> world.recv(1, -2)).startsWith("tag -2:"));
            assertTrue(thrown(() -> world.priority(11)).startsWith("priority 11"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void orderHoldsWithinSourceTagAndPriority(Where where) {
        int messages = 10_000;
        where.run(3, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() > 0) {
                for (int i = 0; i < messages; i++) {
                    world.send(i, 0, i % 3);
                }
            } else {
                int[][] next = {{}, {0, 1, 2}, {0, 1, 2}};
                for (int i = 0; i < 2 * messages; i++) {
                    JMessage message = assertNotNull2(world.mprobe(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
                    JStatus status = message.status();
                    assertEquals(next[status.source()][status.tag()], message.recv());
                    next[status.source()][status.tag()] += 3;
                }
                assertNull(world.iprobe(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
            }
        });
    }

    private static JMessage assertNotNull2(@org.jspecify.annotations.Nullable JMessage message) {
        assertNotNull(message);
        return message;
    }

    @ParameterizedTest
    @EnumSource
    void theMostImportantComesFirstButNoneStarves(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.priority(2).send("low", 1, 1);
                for (int i = 0; i < 150; i++) {
                    world.priority(9).send(i, 1, 2);
                }
                world.send("all", 1, 3);
            } else {
                assertEquals("all", world.recv(0, 3));
                int before = 0;
                while (world.recv(JHandle.ANY_SOURCE, JHandle.ANY_TAG) instanceof Integer) {
                    before++;
                }
                assertEquals(100, before);
            }
        });
    }

    @Test
    void isolatedSendsCopyInEveryMode() {
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int[] sent = {1};
            if (world.rank() == 0) {
                world.isolated().send(sent, 1, TAG);
                world.isolated().ssend(sent, 1, TAG);
                var _ = world.isolated().issend(sent, 1, TAG).await();
                world.ssend(sent, 1, TAG);
                sent[0] = 2;
                world.barrier();
            } else {
                int[][] received = new int[4][];
                for (int i = 0; i < received.length; i++) {
                    received[i] = world.recv(int[].class, 0, TAG);
                }
                world.barrier();
                assertArrayEquals(new int[][] {{1}, {1}, {1}, {2}}, received);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSynchronousSendEndsWhenTheMessageIsTaken(Where where) {
        AtomicInteger step = new AtomicInteger();
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                JRequest<?> request = world.issend("later", 1, TAG);
                assertFalse(request.test());
                world.send("go", 1, TAG + 1);
                var _ = request.await();
                assertEquals(1, step.get());
            } else {
                assertEquals("go", world.recv(0, TAG + 1));
                step.incrementAndGet();
                assertEquals("later", world.recv(0, TAG));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void requestsCanBeFollowedCancelledAndAwaitedTogether(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int other = 1 - world.rank();
            JRequest<Object> never = world.irecv(other, 99);
            JRequest<Object> first = world.irecv(other, 1);
            JRequest<Object> second = world.irecv(other, 2);
            CompletableFuture<String> followed =
                    second.thenApply(message -> message + "!").toCompletableFuture();
            CompletableFuture<JHandle> follower =
                    second.thenApply(_ -> JHandle.current()).toCompletableFuture();
            JBuffer into = JBuffer.of(new long[1]);
            JRequest<JStatus> third = world.irecv(into, other, 3);
            world.send("one", other, 1);
            assertEquals("one", first.await());
            world.send("two", other, 2);
            assertEquals("two!", followed.join());
            assertSame(handle, follower.join());
            world.send(JBuffer.of(new long[] {3}), other, 3);
            List<JRequest<?>> some = new ArrayList<>(List.of(never, third));
            assertEquals(1, JRequest.awaitAny(some));
            assertEquals(3, third.await().tag());
            assertTrue(never.cancel());
            assertTrue(never.isCancelled());
            assertTrue(thrown(never::await).contains("cancelled"));
            assertTrue(thrown(never::status).contains("ask isCancelled first"));
            assertFalse(first.cancel());
        });
    }

    @ParameterizedTest
    @EnumSource
    void allRequestsAreOverWhenTheLastOneIs(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                List<JRequest<Object>> some = List.of(world.irecv(1, 1), world.irecv(1, 2), world.irecv(1, 3));
                assertFalse(JRequest.testAll(some));
                world.send("the second and the third", 1, TAG);
                JRequest.awaitAll(some.subList(1, 3));
                assertTrue(JRequest.testAll(some.subList(1, 3)));
                assertFalse(JRequest.testAll(some));
                world.send("the first", 1, TAG);
                while (!JRequest.testAll(some)) {
                    Thread.onSpinWait(); // a test that is repeated is enough: nobody has to wait for them
                }
                assertEquals(1, some.getFirst().await());
                assertTrue(JRequest.testAll(List.of()));
            } else {
                world.recv(0, TAG);
                world.send(3, 0, 3);
                world.send(2, 0, 2);
                world.recv(0, TAG);
                world.send(1, 0, 1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatNobodyWaitsForGoesOnAllTheSame(Where where) {
        int length = 1 << 20;
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                var _ = world.isend(new byte[length], 1, TAG);
                world.bsend(JBuffer.of(new long[length]), 1, TAG);
                var _ = world.issend("text", 1, TAG);
            } else {
                assertEquals(length, world.recv(byte[].class, 0, TAG).length);
                assertEquals(length, world.recv(long[].class, 0, TAG).length);
                assertEquals("text", world.recv(0, TAG));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void memoryThatIsClosedTooEarlyHurtsOnlyItsMessage(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                JRequest<?> request;
                try (Arena arena = Arena.ofShared()) {
                    request = world.isend(JBuffer.of(arena.allocate(1 << 20), JType.BYTE), 1, TAG);
                }
                world.send("closed", 1, TAG + 1);
                assertEquals("still there", world.recv(1, TAG));
                assertTrue(request.test());
            } else {
                assertEquals("closed", world.recv(0, TAG + 1));
                String reason = thrown(() -> world.recv(0, TAG));
                assertTrue(reason.contains("memory"), reason);
                world.send("still there", 0, TAG);
            }
        });
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(8);
            assertTrue(thrown(() -> JBuffer.of(own, JType.LONG)).contains("take it from Arena.ofShared"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeWrittenToTakesNoMessage(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.send(new byte[] {1, 2}, 1, TAG);
                world.send(new byte[100_000], 1, TAG);
                return;
            }
            JBuffer fixed = JBuffer.of(MemorySegment.ofArray(new byte[100_000]).asReadOnly(), JType.BYTE);
            assertTrue(thrown(() -> world.recv(fixed, 0, TAG)).contains("read-only"));
            assertTrue(thrown(() -> world.irecv(fixed, 0, TAG)).contains("read-only"));
            assertTrue(
                    thrown(() -> world.sendrecv(fixed, 0, TAG, fixed, 0, TAG)).contains("read-only"));
            assertArrayEquals(new byte[] {1, 2}, (byte[]) world.recv(0, TAG));
            JMessage claimed = assertNotNull2(world.mprobe(0, TAG));
            assertTrue(thrown(() -> claimed.recv(fixed)).contains("read-only"));
            assertArrayEquals(new byte[100_000], (byte[]) claimed.recv());
            assertTrue(thrown(claimed::recv).contains("already"));
            assertNull(world.iprobe(0, TAG));
        });
    }

    @Test
    void aPrimitiveClassStandsForItsWrapper() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            world.send(1, 0, TAG);
            world.send(2L, 0, TAG);
            assertEquals(1, world.recv(int.class, 0, TAG));
            assertTrue(thrown(() -> world.recv(int.class, 0, TAG)).contains("java.lang.Long"));
        });
    }

    @Test
    @SuppressWarnings("restricted") // nobody looks into it
    void noRequestsAndBuffersThatAreTooLargeAreRefused() {
        assertTrue(thrown(() -> JRequest.awaitAny(List.of())).contains("no requests"));
        MemorySegment large = MemorySegment.NULL.reinterpret(1L << 31);
        assertTrue(thrown(() -> JBuffer.of(large, JType.BYTE)).endsWith("send it in parts, by asSlice"));
        assertEquals(1 << 30, JBuffer.of(large, JType.CHAR).count());
    }

    @ParameterizedTest
    @EnumSource
    void largeMessagesThatAreUnderWayAtOnceArriveWhole(Where where) {
        int messages = 6;
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            List<JRequest<?>> requests = new ArrayList<>();
            List<int[]> into = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                int[] array = new int[100_000 * (i + 1)];
                into.add(array);
                if (world.rank() == 0) {
                    Arrays.fill(array, i);
                    requests.add(world.priority(10 - i).isend(JBuffer.of(array), 1, i));
                } else {
                    requests.add(i % 2 == 0 ? world.irecv(0, i) : world.irecv(JBuffer.of(array), 0, i));
                }
            }
            if (world.rank() == 0) {
                world.send("small", 1, messages);
            } else {
                assertEquals("small", world.recv(0, messages));
            }
            for (int i = 0; i < messages; i++) {
                Object came = requests.get(i).await();
                int[] array = came instanceof int[] fresh ? fresh : into.get(i);
                assertEquals(100_000 * (i + 1), array.length);
                int number = i;
                assertTrue(Arrays.stream(array).allMatch(value -> value == number));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSmallMessageDoesNotOvertakeALargeOne(Where where) {
        int[] sizes = {100_000, 10, 50_000, 1};
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            for (int round = 0; round < 20; round++) {
                if (world.rank() == 0) {
                    List<JRequest<?>> requests = new ArrayList<>();
                    for (int size : sizes) {
                        requests.add(world.isend(JBuffer.of(new int[size]), 1, TAG));
                    }
                    JRequest.awaitAll(requests);
                } else {
                    for (int size : sizes) {
                        assertEquals(
                                size,
                                world.recv(JBuffer.of(new int[100_000]), 0, TAG).count());
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aShortMessageFromClosedMemoryHurtsNobody(Where where) {
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                Arena arena = Arena.ofShared();
                JBuffer gone = JBuffer.of(arena.allocate(8), JType.BYTE);
                arena.close();
                String reason = thrown(() -> world.send(gone, 1, TAG));
                assertTrue(reason.contains("memory"), reason);
                world.send("goes on", 1, TAG);
            } else {
                assertEquals("goes on", world.recv(0, TAG));
            }
        });
    }

    @Test
    void nobodyIsNobody() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            world.send("nothing", JHandle.PROC_NULL, 0);
            assertNull(world.recv(JHandle.PROC_NULL, 0));
            assertEquals(
                    JHandle.PROC_NULL,
                    world.recv(JBuffer.of(new byte[1]), JHandle.PROC_NULL, 0).source());
            JRequest<Object> begun = world.irecv(JHandle.PROC_NULL, 0);
            assertNull(begun.await());
            assertEquals(world.probe(JHandle.PROC_NULL, 0), begun.status());
            JRequest<JStatus> intoBuffer = world.irecv(JBuffer.of(new byte[1]), JHandle.PROC_NULL, 0);
            assertEquals(intoBuffer.await(), intoBuffer.status());
            assertTrue(
                    thrown(world.isend("nothing", JHandle.PROC_NULL, 0)::status).endsWith("ask that of a receive"));
            handle.COMM_SELF.send("me", 0, 0);
            assertNull(world.iprobe(0, 0));
            assertEquals("me", handle.COMM_SELF.recv(0, 0));
        });
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsOfARankReceiveEachMessageOnce(Where where) {
        int threads = 4;
        int each = 5_000;
        AtomicInteger sum = new AtomicInteger();
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < each; i++) {
                        if (world.rank() == 0) {
                            world.send(1, 1, TAG);
                        } else {
                            sum.addAndGet(world.recv(Integer.class, 0, TAG));
                        }
                    }
                }));
            }
            for (Thread thread : all) {
                thread.join();
            }
        });
        assertEquals(threads * each, sum.get());
    }

    @ParameterizedTest
    @EnumSource
    void aFailureReachesWhoWaits(Where where) {
        assertThrows(
                AssertionError.class,
                () -> where.run(3, handle -> {
                    if (handle.COMM_WORLD.rank() == 2) {
                        throw new IllegalStateException("broken");
                    }
                    handle.COMM_WORLD.recv(2, 0);
                }));
    }

    @ParameterizedTest
    @EnumSource
    void aFailureReachesWhoAsks(Where where) {
        AtomicReference<String> learnt = new AtomicReference<>("nothing");
        CountDownLatch begun = new CountDownLatch(1);
        assertThrows(
                AssertionError.class,
                () -> where.run(2, handle -> {
                    if (handle.COMM_WORLD.rank() == 0) {
                        begun.await();
                        throw new IllegalStateException("broken");
                    }
                    JRequest<Object> never = handle.COMM_WORLD.irecv(0, TAG);
                    begun.countDown();
                    long deadline = System.nanoTime() + LIMIT_NANOS;
                    try {
                        while (!never.test() && System.nanoTime() < deadline) {
                            Thread.onSpinWait();
                        }
                    } catch (JException e) {
                        learnt.set(String.valueOf(e.getMessage()));
                    }
                }));
        assertTrue(learnt.get().contains("broken"), learnt::get);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureReachesWhatFollowsOnARequest(Where where) {
        List<String> learnt = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        assertThrows(
                AssertionError.class,
                () -> where.run(2, handle -> {
                    JComm world = handle.COMM_WORLD;
                    if (world.rank() == 0) {
                        begun.await();
                        throw new IllegalStateException("broken");
                    }
                    List<JRequest<?>> never =
                            List.of(world.irecv(0, TAG), world.issend("text", 0, TAG), world.ibarrier());
                    List<? extends CompletableFuture<?>> futures =
                            never.stream().map(JRequest::toCompletableFuture).toList();
                    begun.countDown();
                    for (CompletableFuture<?> future : futures) {
                        try {
                            future.get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
                        } catch (ExecutionException | TimeoutException e) {
                            learnt.add(e.toString());
                        }
                    }
                }));
        assertEquals(3, learnt.stream().filter(what -> what.contains("broken")).count(), learnt::toString);
    }

    @ParameterizedTest
    @EnumSource
    void arraysThatAreSentBufferedAreTheReceiversOwn(Where where) {
        byte[] array = {1, 2, 3};
        boolean[] flags = {true, false};
        where.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.bsend(JBuffer.of(array), 1, TAG);
                world.bsend(flags, 1, TAG);
            } else {
                byte[] received = world.recv(byte[].class, 0, TAG);
                assertNotSame(array, received);
                assertArrayEquals(array, received);
                boolean[] others = world.recv(boolean[].class, 0, TAG);
                assertNotSame(flags, others);
                assertArrayEquals(flags, others);
            }
        });
    }
}
