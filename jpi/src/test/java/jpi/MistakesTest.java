package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A mistake is an exception that names the thing, the value and the remedy, at the call; and the rank can go on. */
final class MistakesTest {
    private static final int TAG = 3;

    private static String thrown(Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    /** Null of any type: a program need not know of NullAway. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }

    private static void assertSaid(String start, String remedy, Executable code) {
        String text = thrown(code);
        assertTrue(text.startsWith(start) && text.endsWith(": " + remedy), text);
    }

    /** By the beginning of the sentence. */
    private static void assertRefused(String start, Executable code) {
        String text = thrown(code);
        assertTrue(text.startsWith(start), text);
    }

    /** What needs something says so; by the beginning of the sentence. */
    private static void assertNeeded(Map<Executable, String> calls) {
        calls.forEach((call, need) -> {
            String text = thrown(call);
            assertTrue(text.startsWith(need + ", and is given null: "), text);
        });
    }

    @Test
    void nullIsAMessage() {
        Ranks.everyWay(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int other = 1 - world.rank();
            var _ = world.isend(null, other, TAG);
            assertNull(world.recv(other, TAG));
            assertNull(world.sendrecv(null, other, TAG, other, TAG));
            assertNull(world.bcast((Object) null, 0));
            List<Object> all = Collections.nCopies(2, nothing());
            assertEquals(all, world.<Object>allgather(nothing()));
            assertEquals(all, world.alltoall(all));
        });
    }

    @Test
    void aBufferIsNeeded() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer one = JBuffer.of(new int[1]);
            int[] counts = {1};
            JCartesian grid = Objects.requireNonNull(world.cartesian(counts, new boolean[1]));
            JWindow window = world.window(JType.INT, 1);
            window.fence();
            world.send(new int[1], 0, TAG);
            Map<Executable, String> calls = new LinkedHashMap<>();
            calls.put(() -> world.recv(MistakesTest.<JBuffer>nothing(), 0, TAG), "recv needs a buffer");
            calls.put(() -> world.irecv(nothing(), 0, TAG), "irecv needs a buffer");
            calls.put(() -> world.recv(MistakesTest.<JBuffer>nothing(), JHandle.PROC_NULL, TAG), "recv needs a buffer");
            calls.put(() -> world.recvInit(nothing(), 0, TAG), "recvInit needs a buffer");
            calls.put(() -> world.sendrecv(one, 0, TAG, nothing(), 0, TAG), "sendrecv needs a buffer");
            calls.put(() -> world.sendrecv(nothing(), 0, TAG, one, 0, TAG), "sendrecv needs a buffer");
            JMessage claimed = Objects.requireNonNull(world.mprobe(0, TAG));
            calls.put(() -> claimed.recv(nothing()), "recv needs a buffer");
            calls.put(() -> world.bcast(MistakesTest.<JBuffer>nothing(), 0), "bcast needs a buffer");
            calls.put(() -> world.gather(nothing(), one, 0), "gather needs a buffer");
            calls.put(() -> world.gatherv(nothing(), one, counts, null, 0), "gatherv needs a buffer");
            calls.put(() -> world.scatter(one, nothing(), 0), "scatter needs a buffer");
            calls.put(() -> world.scatterv(one, counts, null, nothing(), 0), "scatterv needs a buffer");
            calls.put(() -> world.allgather(one, nothing()), "allgather needs a buffer");
            calls.put(() -> world.iallgather(nothing(), one), "allgather needs a buffer");
            calls.put(() -> world.allgatherv(one, nothing(), counts, null), "allgatherv needs a buffer");
            calls.put(() -> world.allgatherv(one, one, nothing(), null), "allgatherv needs counts");
            calls.put(() -> world.alltoall(nothing(), one), "alltoall needs a buffer");
            calls.put(() -> world.alltoallv(one, counts, null, nothing(), counts, null), "alltoallv needs a buffer");
            calls.put(() -> world.reduce(nothing(), one, JOperation.SUM, 0), "reduce needs a buffer");
            calls.put(() -> world.allreduce(one, nothing(), JOperation.SUM), "allreduce needs a buffer");
            calls.put(() -> world.reduceScatter(one, one, nothing(), JOperation.SUM), "reduceScatter needs counts");
            calls.put(() -> world.ireduceScatter(one, one, nothing(), JOperation.SUM), "reduceScatter needs counts");
            calls.put(
                    () -> world.reduceScatterBlock(one, nothing(), JOperation.SUM),
                    "reduceScatterBlock needs a buffer");
            calls.put(() -> world.scan(nothing(), one, JOperation.SUM), "scan needs a buffer");
            calls.put(() -> world.iexscan(one, nothing(), JOperation.SUM), "exscan needs a buffer");
            calls.put(() -> grid.neighborAllgather(one, nothing()), "neighborAllgather needs a buffer");
            calls.put(() -> grid.neighborAlltoall(nothing(), one), "neighborAlltoall needs a buffer");
            calls.put(() -> window.put(nothing(), 0, 0), "put needs a buffer");
            calls.put(() -> window.get(nothing(), 0, 0), "get needs a buffer");
            calls.put(() -> window.accumulate(nothing(), 0, 0, JOperation.SUM), "accumulate needs a buffer");
            calls.put(() -> window.getAccumulate(one, nothing(), 0, 0, JOperation.SUM), "getAccumulate needs a buffer");
            calls.put(() -> one.copyFrom(nothing()), "copyFrom needs a buffer");
            assertNeeded(calls);
            assertEquals(1, claimed.recv(one).count());
            world.bcast(one, 0); // nothing of them is left
            window.fence();
            window.close();
        });
    }

    @Test
    void anOperationAndItsValuesAreNeeded() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer one = JBuffer.of(new int[1]);
            Map<Executable, String> calls = new LinkedHashMap<>();
            calls.put(() -> world.reduce(1, nothing(), 0), "a reduction needs an operation");
            calls.put(() -> world.<Object>reduce(nothing(), JOperation.SUM, 0), "a reduction needs a value");
            calls.put(() -> world.<Object>iallreduce(nothing(), JOperation.SUM), "a reduction needs a value");
            calls.put(() -> world.scan(1, nothing()), "a reduction needs an operation");
            calls.put(() -> world.reduce(one, one, nothing(), 0), "reduce needs an operation");
            calls.put(() -> world.allreduce(one, one, nothing()), "allreduce needs an operation");
            calls.put(() -> world.reduceScatterBlock(one, one, nothing()), "reduceScatterBlock needs an operation");
            calls.put(() -> world.reduceScatter(List.of(1), nothing()), "reduceScatter needs an operation");
            calls.put(() -> world.<Object>reduceScatter(nothing(), JOperation.SUM), "reduceScatter needs a list");
            List<Object> values = Collections.nCopies(1, nothing());
            calls.put(() -> world.reduceScatter(values, JOperation.SUM), "a reduction needs a value");
            calls.put(() -> world.alltoall(nothing()), "alltoall needs a list");
            calls.put(() -> JOperation.of(nothing()), "an operation needs a lambda");
            calls.put(() -> JOperation.ofDoubles(nothing()), "an operation needs a lambda");
            assertNeeded(calls);
        });
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            JOperation<Integer> forgets = JOperation.of((_, _) -> nothing());
            if (world.rank() == 0) {
                assertSaid(
                        "a lambda on objects has returned null",
                        "it must return a value",
                        () -> world.reduce(1, forgets, 0));
            } else {
                assertNull(world.reduce(1, forgets, 0));
            }
        });
    }

    /** A rank alone too, which has nothing to combine its value with. */
    @Test
    void anOperationRefusesObjectsThatItDoesNotApplyTo() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            assertRefused("SUM applies to numbers, not to String", () -> world.allreduce("x", JOperation.SUM));
            assertRefused("BAND applies to integers, not to doubles", () -> world.iallreduce(1.0, JOperation.BAND));
            assertRefused(
                    "LAND applies to Booleans and integers, not to boolean[]",
                    () -> world.scan(new boolean[1], JOperation.LAND));
            JOperation<Object> first = JOperation.ofInts((a, _) -> a);
            assertRefused(
                    "a lambda on ints applies to ints, shorts, chars and bytes, not to doubles",
                    () -> world.reduce(1.0, first, 0));
            assertEquals("x", world.allreduce("x", JOperation.MAX));
            assertEquals(true, world.allreduce(true, JOperation.LXOR));
        });
    }

    @Test
    void whatACommunicatorIsMadeOfIsNeeded() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JGroup group = world.group();
            Map<Executable, String> calls = new LinkedHashMap<>();
            calls.put(() -> world.create(nothing()), "create needs a group");
            calls.put(() -> world.compare(nothing()), "compare needs a communicator");
            calls.put(() -> world.createInter(0, null, 0, TAG), "createInter needs a bridge at the leader");
            calls.put(() -> world.cartesian(nothing(), new boolean[1]), "cartesian needs dimensions");
            calls.put(() -> world.cartesian(new int[] {1}, nothing()), "cartesian needs periods");
            calls.put(() -> world.graph(new int[0], nothing()), "graph needs destinations");
            calls.put(() -> world.window(nothing(), 1), "window needs a type");
            calls.put(() -> world.setName(nothing()), "setName needs a name");
            calls.put(() -> world.setAttribute(nothing(), "x"), "setAttribute needs a key");
            calls.put(() -> world.setAttribute(JAttribute.of("key"), nothing()), "setAttribute needs a value");
            calls.put(() -> world.attribute(nothing()), "attribute needs a key");
            calls.put(() -> world.deleteAttribute(nothing()), "deleteAttribute needs a key");
            calls.put(() -> world.recv(MistakesTest.<Class<?>>nothing(), 0, 0), "recv needs a class or a buffer");
            calls.put(() -> group.incl(MistakesTest.<int[]>nothing()), "incl needs ranks");
            calls.put(() -> group.union(nothing()), "union needs a group");
            calls.put(() -> group.translate(new int[1], nothing()), "translate needs a group");
            calls.put(() -> JPersistent.of(nothing()), "JPersistent.of needs an operation");
            calls.put(() -> JBuffer.of(nothing(), JType.INT), "JBuffer.of needs memory");
            calls.put(() -> JBuffer.ofArray(nothing()), "JBuffer.of needs an array");
            calls.put(() -> JBuffer.of(MistakesTest.<double[]>nothing(), 0, 1), "JBuffer.of needs an array");
            calls.put(() -> JCartesian.dims(4, MistakesTest.<int[]>nothing()), "dims needs dimensions");
            List<JRequest<?>> some = new ArrayList<>();
            some.add(nothing());
            calls.put(() -> JRequest.awaitAny(some), "awaitAny needs requests");
            calls.put(() -> JRequest.awaitAll(some), "awaitAll needs requests");
            calls.put(() -> JRequest.testAll(some), "testAll needs requests");
            calls.put(() -> JRequest.testAll(nothing()), "testAll needs requests");
            calls.put(() -> JPersistent.startAll(nothing()), "startAll needs operations");
            calls.put(() -> JPersistent.<Object>of(() -> nothing()).start(), "start needs a request");
            assertNeeded(calls);
            assertEquals(
                    "rank 0 is not in the group, which has none",
                    thrown(() -> group.excl(0).incl(0)));
            assertSaid("tag -2", "must be 0 to 2147483647", () -> world.createInter(0, world, 0, -2));
            world.barrier(); // nobody has been kept waiting
        });
    }

    @Test
    void aPersistentReceiveSaysAtOnceWhatIsWrong() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer one = JBuffer.of(new int[1]);
            JBuffer fixed = JBuffer.of(MemorySegment.ofArray(new int[1]).asReadOnly(), JType.INT);
            assertSaid("tag -2", "must be 0 or more, or ANY_TAG", () -> world.recvInit(0, -2));
            assertSaid("tag -2", "must be 0 or more, or ANY_TAG", () -> world.recvInit(one, 0, -2));
            assertTrue(thrown(() -> world.recvInit(5, TAG)).startsWith("rank 5 is not in COMM_WORLD"));
            assertTrue(thrown(() -> world.recvInit(one, -5, TAG)).startsWith("rank -5 is not in COMM_WORLD"));
            assertSaid("a buffer of 1 int", "give another", () -> world.recvInit(fixed, 0, TAG));
            assertSaid("a buffer of 1 int", "receive into another", () -> world.recv(fixed, 0, TAG));
        });
    }

    @Test
    void aRequestThatHasNoStatusSaysWhatToDo() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JRequest<Object> receive = world.irecv(0, TAG);
            assertSaid("a status is asked for of a receive", "await it first", receive::status);
            assertSaid("a status is asked for of a request", "ask that of a receive", world.ibarrier()::status);
            assertTrue(receive.cancel());
            String remedy = "ask isCancelled first, or begin another";
            assertSaid("the receive was cancelled", remedy, receive::status);
            assertSaid("the receive was cancelled", remedy, receive::await);
        });
    }

    @Test
    void whatIsReceivedAsAnotherClassSaysWhichToName() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            world.send(new int[1][], 0, TAG);
            assertEquals(
                    "received a int[][] where a double[] was expected: name the class of what is sent, or Object.class",
                    thrown(() -> world.recv(double[].class, 0, TAG)));
            world.send(1L, 0, TAG);
            assertRefused(
                    "received a java.lang.Long where a java.lang.Integer was expected",
                    () -> world.recv(int.class, 0, TAG));
            world.send(new boolean[1], 0, TAG);
            assertRefused(
                    "the message from rank 0, tag 3, is a boolean[], and was to be put into a buffer",
                    () -> world.recv(JBuffer.of(new int[1]), 0, TAG));
        });
    }

    @Test
    void aThreadThatIsNoRankSaysHowToBeOne() {
        assertTrue(thrown(JHandle::current).startsWith("this thread is no rank: start the program with jpi.JRun"));
    }

    @Test
    void whatIsNoMemoryForElementsIsRefused() {
        assertSaid(
                "java.lang.String is no array of bytes, chars or numbers",
                "send it as an object",
                () -> JBuffer.ofArray("text"));
        assertSaid("boolean[] is no array", "send it as an object", () -> JType.memoryOf(new boolean[1]));
        assertSaid("null is no array", "send it as an object", () -> JType.memoryOf(nothing()));
        try (Arena arena = Arena.ofShared()) {
            assertSaid(
                    "7 bytes are no whole number of ints",
                    "cut what is left over, by asSlice",
                    () -> JBuffer.of(arena.allocate(7), JType.INT));
        }
    }

    @Test
    void aLocatedValueIsNeeded() {
        assertSaid(
                "JLocated needs a value, and is given null",
                "give one that can be compared",
                () -> new JLocated<Integer>(nothing(), 0));
    }

    /** Without checking mode, some mistakes are seen all the same, and never as a class cast. */
    @Test
    void callsThatDoNotMatchAreSaidToBeThat() {
        String remedy = "start the program with -check to find out where";
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                var _ = world.bcast("text", 0);
            } else {
                assertSaid("the collective calls", remedy, world::dup);
            }
        });
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 1) {
                var _ = world.gather("text", 0);
            } else {
                assertSaid("the collective calls", remedy, () -> world.split(0, 0));
            }
        });
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 1) {
                world.send(new Object[3], 0, TAG);
                var _ = world.bcast(new Object[2], 1);
            } else {
                assertSaid("the collective calls", remedy, () -> world.gather("text", 0));
                assertEquals(3, world.recv(Object[].class, 1, TAG).length);
            }
        });
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.bcast(JBuffer.of(new int[3]), 0);
            } else {
                assertSaid(
                        "rank 0 gave 3 ints, which do not fit into a buffer of 2 ints",
                        "the types and counts of a collective operation must agree",
                        () -> world.bcast(JBuffer.of(new int[2]), 0));
            }
        });
    }
}
