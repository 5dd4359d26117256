package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Two groups: the even ranks, backwards, and the odd ones. Rank 0 of the program is the last of its group, and leads it. */
final class IntercommTest {
    private static final int TAG = 3;
    private static final JAttribute<String> KEPT = JAttribute.inherited("kept");

    private static void everyWay(int ranks, Ranks.Body body) {
        Ranks.everyWay(ranks, body);
        Ranks.runVirtual(ranks, body);
        Ranks.runVirtualApart(ranks, 2, body);
        Ranks.runChecking(ranks, body);
    }

    private static JComm some(@Nullable JComm comm) {
        return Objects.requireNonNull(comm);
    }

    private static boolean isEven(JComm world) {
        return world.rank() % 2 == 0;
    }

    private static JIntercomm halves(JComm world) {
        boolean even = isEven(world);
        JComm half = some(world.split(world.rank() % 2, even ? -world.rank() : world.rank()));
        int leader = even ? half.size() - 1 : 0;
        return half.createInter(leader, half.rank() == leader ? world : null, even ? 1 : 0, TAG);
    }

    /** What a rank of the even ones, or of the odd ones, is in the whole program. */
    private static int number(JComm world, boolean even, int rank) {
        return even ? (world.size() - 1) / 2 * 2 - 2 * rank : 2 * rank + 1;
    }

    @Test
    void eachGroupNamesTheOther() {
        for (int ranks : new int[] {2, 5}) {
            everyWay(ranks, handle -> {
                JComm world = handle.COMM_WORLD;
                boolean even = isEven(world);
                JIntercomm both = halves(world);
                assertEquals(even ? (ranks + 1) / 2 : ranks / 2, both.size());
                assertEquals(ranks - both.size(), both.remoteSize());
                assertEquals(world.rank(), number(world, even, both.rank()));
                for (int there = 0; there < both.remoteSize(); there++) {
                    var _ = both.isend(world.rank(), there, both.rank());
                }
                for (int there = 0; there < both.remoteSize(); there++) {
                    JStatus status = both.probe(JHandle.ANY_SOURCE, there);
                    assertEquals(there, status.source());
                    assertEquals(number(world, !even, there), both.recv(there, JHandle.ANY_TAG));
                }
                assertNull(both.iprobe(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
                int outside = both.remoteSize();
                JException refused = assertThrows(JException.class, () -> both.send(1, outside, 0));
                assertTrue(
                        String.valueOf(refused.getMessage()).startsWith("rank " + outside + " is not in others of "));
                both.free();
            });
        }
    }

    @Test
    void operationsReachTheOtherGroup() {
        everyWay(5, handle -> {
            JComm world = handle.COMM_WORLD;
            boolean even = isEven(world);
            JIntercomm both = halves(world);
            for (int round = 0; round < 3; round++) {
                for (boolean rootIsEven : new boolean[] {true, false}) {
                    int rank = 1;
                    int root = even != rootIsEven ? rank : both.rank() == rank ? JHandle.ROOT : JHandle.PROC_NULL;
                    String message = both.bcast(root == JHandle.ROOT ? "round " + round : null, root);
                    assertEquals(root == JHandle.PROC_NULL ? null : "round " + round, message);
                    List<Integer> gathered = both.gather(world.rank() + round, root);
                    assertEquals(
                            root == JHandle.ROOT ? numbers(world, !even, both.remoteSize(), round) : null, gathered);
                    both.barrier();
                }
                assertEquals(numbers(world, !even, both.remoteSize(), round), both.allgather(world.rank() + round));
            }
        });
    }

    private static List<Integer> numbers(JComm world, boolean even, int count, int more) {
        return IntStream.range(0, count)
                .mapToObj(rank -> number(world, even, rank) + more)
                .toList();
    }

    /** Nobody leaves it before all have come, of both groups. */
    @Test
    void aBarrierIsOneOfAll() {
        List<Consumer<Ranks.Body>> ways = List.of(
                body -> Ranks.run(4, body), body -> Ranks.runApart(4, 2, body), body -> Ranks.runVirtual(4, body));
        for (Consumer<Ranks.Body> way : ways) {
            AtomicIntegerArray came = new AtomicIntegerArray(4);
            way.accept(handle -> {
                JComm world = handle.COMM_WORLD;
                JIntercomm both = halves(world);
                for (int late = 0; late < world.size(); late++) {
                    if (world.rank() == late) {
                        for (int other = 1; other < world.size(); other++) {
                            var _ = world.recv(JHandle.ANY_SOURCE, late); // all others are about to go in
                        }
                        came.set(late, 1);
                    } else {
                        world.send("first", late, late);
                    }
                    both.barrier();
                    assertEquals(1, came.get(late));
                }
            });
        }
    }

    @Test
    void bothBecomeOne() {
        everyWay(5, handle -> {
            JComm world = handle.COMM_WORLD;
            boolean even = isEven(world);
            JIntercomm both = halves(world);
            List<Integer> evens = List.of(4, 2, 0);
            List<Integer> odds = List.of(1, 3);
            JComm evensFirst = both.merge(!even);
            assertEquals(joined(evens, odds), evensFirst.allgather(world.rank()));
            JComm oddsFirst = both.merge(even);
            assertEquals(joined(odds, evens), oddsFirst.allgather(world.rank()));
            // The order is nobody's wish.
            assertEquals(joined(evens, odds), both.merge(true).allgather(world.rank()));
            var _ = evensFirst.isend("to the next", (evensFirst.rank() + 1) % 5, TAG);
            assertEquals("to the next", evensFirst.recv((evensFirst.rank() + 4) % 5, TAG));
        });
    }

    /** A copy is another one: what is sent over one is not received over the other. */
    @Test
    void aCopyIsOfTheSameGroups() {
        everyWay(5, handle -> {
            JComm world = handle.COMM_WORLD;
            JIntercomm both = halves(world);
            both.local().setAttribute(KEPT, "kept");
            JRequest<JIntercomm> begun = both.idup();
            JIntercomm one = both.dup();
            JIntercomm other = begun.await();
            for (JIntercomm copy : List.of(one, other)) {
                assertEquals(JComparison.CONGRUENT, both.compare(copy));
                assertEquals("kept", copy.local().attribute(KEPT));
                assertEquals(numbers(world, !isEven(world), both.remoteSize(), 0), copy.allgather(world.rank()));
            }
            assertEquals(JComparison.IDENTICAL, both.compare(both));
            if (both.rank() < both.remoteSize()) {
                other.bsend("second", both.rank(), TAG);
                var _ = one.issend("first", both.rank(), TAG);
                JMessage found = Objects.requireNonNull(one.mprobe(both.rank(), TAG));
                assertEquals("first", found.recv());
                JMessage next = null;
                while (next == null) {
                    next = other.improbe(JHandle.ANY_SOURCE, TAG);
                }
                assertEquals("second", next.recv());
            }
            one.free();
            other.barrier();
        });
    }

    private static List<Integer> joined(List<Integer> head, List<Integer> tail) {
        return Stream.of(head, tail).flatMap(List::stream).toList();
    }

    @Test
    void anotherMessageIsNoGroup() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            world.send("first", 0, TAG);
            assertEquals(
                    "rank 0 of COMM_WORLD has sent something else than its group with tag 3:"
                            + " let no other messages have this tag while createInter is called",
                    thrown(() -> world.createInter(0, world, 0, TAG)));
        });
    }

    @Test
    void theOtherLeaderIsARank() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            for (int nobody : new int[] {1, JHandle.PROC_NULL, JHandle.ANY_SOURCE}) {
                JException refused = assertThrows(JException.class, () -> world.createInter(0, world, nobody, TAG));
                assertEquals("rank " + nobody + " is not in COMM_WORLD, which has ranks 0 to 0", refused.getMessage());
            }
        });
    }

    /** Rank 0 is in both, and takes part in either with a thread of its own. */
    @Test
    void groupsWithARankInCommonAreRefused() {
        Ranks.everyWay(3, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JComm one = world.split(me == 2 ? JHandle.UNDEFINED : 0, 0);
            JComm two = world.split(me == 1 ? JHandle.UNDEFINED : 0, 0);
            List<CompletableFuture<Void>> calls = new ArrayList<>();
            for (JComm comm : me == 0 ? List.of(some(one), some(two)) : List.of(some(me == 1 ? one : two))) {
                calls.add(CompletableFuture.runAsync(
                        () -> {
                            JException refused =
                                    assertThrows(JException.class, () -> comm.createInter(1, world, 3 - me, TAG));
                            assertEquals(
                                    "rank 0 of the program is in both groups: they must have none in common",
                                    refused.getMessage());
                        },
                        command -> Thread.ofVirtual().start(command)));
            }
            calls.forEach(CompletableFuture::join);
        });
    }

    @Test
    void messagesGoBothWaysAtOnce() {
        everyWay(4, handle -> {
            JComm world = handle.COMM_WORLD;
            JIntercomm both = halves(world);
            int partner = both.rank();
            int there = number(world, !isEven(world), partner);
            assertEquals(there, both.sendrecv(world.rank(), partner, TAG, partner, TAG));
            int[] mine = {world.rank()};
            int[] theirs = new int[1];
            JStatus status = both.sendrecv(JBuffer.of(mine), partner, TAG, JBuffer.of(theirs), partner, TAG);
            assertEquals(List.of(there, partner), List.of(theirs[0], status.source()));
            JPersistent<@Nullable Void> send = both.sendInit(JBuffer.of(mine), partner, TAG);
            JPersistent<JStatus> into = both.recvInit(JBuffer.of(theirs), partner, TAG);
            JPersistent<Object> object = both.recvInit(JHandle.ANY_SOURCE, JHandle.ANY_TAG);
            for (int i = 0; i < 3; i++) {
                mine[0] += 100;
                JRequest.awaitAll(JPersistent.startAll(List.of(into, send)));
                assertEquals(there + mine[0] - world.rank(), theirs[0]);
                both.barrier();
                JRequest<Object> begun = object.start();
                both.send("round " + i, partner, i);
                assertEquals("round " + i, begun.await());
                assertEquals(i, begun.status().tag());
            }
        });
    }

    @Test
    void operationsAreBegun() {
        everyWay(5, handle -> {
            JComm world = handle.COMM_WORLD;
            boolean even = isEven(world);
            JIntercomm both = halves(world);
            int root = !even ? 2 : both.rank() == 2 ? JHandle.ROOT : JHandle.PROC_NULL;
            JRequest<@Nullable String> message = both.ibcast(root == JHandle.ROOT ? "to all" : null, root);
            JRequest<@Nullable List<Integer>> gathered = both.igather(world.rank(), root);
            JRequest<List<Integer>> all = both.iallgather(world.rank());
            JRequest<@Nullable Void> barrier = both.ibarrier();
            assertEquals(numbers(world, !even, both.remoteSize(), 7), both.allgather(world.rank() + 7));
            barrier.await();
            assertEquals(numbers(world, !even, both.remoteSize(), 0), all.await());
            assertEquals(root == JHandle.ROOT ? numbers(world, !even, both.remoteSize(), 0) : null, gathered.await());
            assertEquals(root == JHandle.PROC_NULL ? null : "to all", message.await());
        });
    }

    private static String thrown(Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    @Test
    void aRootThatIsNoneIsRefused() {
        Ranks.run(2, handle -> {
            JIntercomm both = halves(handle.COMM_WORLD);
            assertEquals(
                    "rank 1 is not in others of part of part of COMM_WORLD, which has ranks 0 to 0",
                    thrown(() -> both.bcast("x", 1)));
            assertTrue(thrown(() -> both.gather("x", JHandle.ANY_SOURCE)).startsWith("rank -1 is not in others of"));
            both.barrier(); // nothing of them is left
        });
    }

    @Test
    void checkingModeTellsWhatEitherGroupCalled() {
        Ranks.runChecking(4, handle -> {
            JComm world = handle.COMM_WORLD;
            JIntercomm both = halves(world);
            boolean even = isEven(world);
            String different = thrown(() -> {
                if (even) {
                    both.barrier();
                } else {
                    both.allgather(1);
                }
            });
            assertEquals(
                    "collective calls between part of part of COMM_WORLD and others of part of part of COMM_WORLD do not"
                            + " match: this group called " + (even ? "barrier" : "allgather") + "; the other called "
                            + (even ? "allgather" : "barrier")
                            + ": let both make the same calls in the same order, with one root",
                    different);
            String roots = thrown(() -> both.ibcast("x", 0).await());
            assertTrue(roots.contains("this group called bcast, root 0; the other called bcast, root 0:"), roots);
            String within = thrown(
                    () -> both.ibcast("x", both.rank() == 0 ? JHandle.ROOT : 0).await());
            assertTrue(
                    within.contains("rank 0 called bcast, root in this group; rank 1 called bcast, root 0:"), within);
        });
    }
}
