package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Communicators, groups and attributes. */
final class CommunicatorTest {
    private static final int TAG = 7;

    private static JComm some(@Nullable JComm comm) {
        assertNotNull(comm);
        return comm;
    }

    private static String thrown(org.junit.jupiter.api.function.Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    @Test
    void aDuplicateHasMessagesOfItsOwn() {
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            JComm copy = world.dup();
            assertEquals(JComparison.CONGRUENT, world.compare(copy));
            assertEquals(JComparison.IDENTICAL, copy.compare(copy.isolated()));
            if (world.rank() == 0) {
                world.send("world", 1, TAG);
                copy.send("copy", 1, TAG);
            } else {
                assertEquals("copy", copy.recv(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
                assertEquals("world", world.recv(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
            }
            copy.setName("mine");
            assertEquals("rank " + world.rank() + " of 2 in mine", copy.toString());
            copy.free();
            assertEquals("mine has been freed: use it no more", thrown(() -> copy.send("x", 0, TAG)));
            assertEquals("mine has been freed: use it no more", thrown(copy::barrier));
            JAttribute<String> key = JAttribute.of("key");
            assertEquals("mine has been freed: use it no more", thrown(() -> copy.setAttribute(key, "kept for ever")));
            assertTrue(thrown(world::free).startsWith("COMM_WORLD cannot be freed"));
            assertEquals(1, handle.COMM_SELF.dup().size());
        });
    }

    @Test
    void aDuplicateMayBeBegunOnly() {
        JAttribute<String> key = JAttribute.inherited("key");
        Ranks.Body body = handle -> {
            JComm world = handle.COMM_WORLD;
            world.setAttribute(key, "of " + world.rank());
            JRequest<JComm> first = world.idup();
            JRequest<JComm> second = world.idup();
            // May meet a blocking one.
            JComm third = world.rank() % 2 == 0 ? world.dup() : world.idup().await();
            List<JComm> copies = List.of(second.await(), first.await(), third);
            for (JComm copy : copies) {
                assertEquals(JComparison.CONGRUENT, world.compare(copy));
                assertEquals("of " + world.rank(), copy.attribute(key));
            }
            int next = (world.rank() + 1) % world.size();
            int before = (world.rank() + world.size() - 1) % world.size();
            for (int i = 0; i < copies.size(); i++) {
                var _ = copies.get(i).isend(i, next, TAG);
            }
            for (int i = copies.size() - 1; i >= 0; i--) {
                assertEquals(i, copies.get(i).recv(before, TAG));
            }
            boolean[] periods = {true};
            JCartesian ring = (JCartesian) some(world.cartesian(new int[] {world.size()}, periods));
            assertEquals(ring.shift(0, 1), ((JCartesian) ring.idup().await()).shift(0, 1));
        };
        Ranks.everyWay(5, body);
        Ranks.runVirtual(5, body);
        Ranks.runVirtualApart(4, 2, body);
    }

    @Test
    void ranksOfOneColourComeTogetherInTheOrderOfTheirKeys() {
        for (int size = 1; size <= 9; size++) {
            Ranks.run(size, handle -> {
                JComm world = handle.COMM_WORLD;
                int me = world.rank();
                JComm part = world.split(me % 4 == 3 ? JHandle.UNDEFINED : me % 4, -me);
                if (me % 4 == 3) {
                    assertNull(part);
                    return;
                }
                List<Integer> members = new ArrayList<>();
                for (int i = world.size() - 1; i >= 0; i--) {
                    if (i % 4 == me % 4) {
                        members.add(i);
                    }
                }
                assertEquals(members, some(part).allgather(me));
                assertEquals(members.indexOf(me), some(part).rank());
            });
        }
        Ranks.run(
                1,
                handle ->
                        assertTrue(thrown(() -> handle.COMM_WORLD.split(-7, 0)).startsWith("colour -7 in a split")));
    }

    @Test
    void communicatorsOfCommunicatorsOfCommunicators() {
        Ranks.run(8, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JComm half = some(world.split(me / 4, 0));
            JComm quarter = some(half.split(half.rank() / 2, -half.rank()));
            JComm deepest = quarter.dup();
            // All at once: each level passes something of its own, by the same ranks and tags.
            JRequest<Integer> ofWorld = world.iallreduce(1 << me, JOperation.SUM);
            JRequest<Integer> ofHalf = half.iallreduce(1 << me, JOperation.SUM);
            JRequest<Integer> ofQuarter = quarter.iallreduce(1 << me, JOperation.SUM);
            assertEquals(3 << (me / 2 * 2), deepest.allreduce(1 << me, JOperation.SUM));
            assertEquals(3 << (me / 2 * 2), ofQuarter.await());
            assertEquals(15 << (me / 4 * 4), ofHalf.await());
            assertEquals(255, ofWorld.await());
            assertEquals(1 - me % 2, deepest.rank());
            int partner = 1 - deepest.rank();
            assertEquals(me ^ 1, deepest.sendrecv(me, partner, TAG, partner, TAG));
        });
    }

    @Test
    void threadsOfARankMakeCommunicatorsAtOnce() {
        int threads = 4;
        Ranks.run(3, handle -> {
            JComm world = handle.COMM_WORLD;
            List<JComm> own = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                own.add(world.dup());
            }
            ConcurrentHashMap<Integer, JComm> made = new ConcurrentHashMap<>();
            List<Thread> all = new ArrayList<>();
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            for (int t = 0; t < threads; t++) {
                int place = world.rank() % 2 == 0 ? t : threads - 1 - t; // in different orders on different ranks
                all.add(Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, e) -> failure.set(e))
                        .start(() -> {
                            for (int i = 0; i < 20; i++) {
                                JComm copy = own.get(place).dup();
                                JComm before = made.putIfAbsent(copy.members.id(), copy);
                                assertNull(before);
                                assertEquals(3 * place, copy.allreduce(place, JOperation.SUM));
                            }
                        }));
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertNull(failure.get());
            assertEquals(20 * threads, made.size());
        });
    }

    @Test
    void byMachineAndByJvm() {
        Ranks.runVirtual(500, handle -> {
            JComm world = handle.COMM_WORLD;
            assertEquals(JComparison.CONGRUENT, world.compare(world.splitShared()));
            assertEquals(world.rank(), world.splitByJvm().rank());
        });
    }

    /** So that times of one rank can be compared with those of another. */
    @Test
    void theClockCountsInTicksOfTheMachines() {
        Ranks.run(2, handle -> {
            double before = System.nanoTime() * handle.wtick();
            double time = handle.wtime();
            double after = System.nanoTime() * handle.wtick();
            assertTrue(before <= time && time <= after, before + ", " + time + ", " + after);
            while (handle.wtime() == time) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void groups() {
        Ranks.run(6, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JGroup all = world.group();
            JGroup odd = all.incl(5, 3, 1);
            assertEquals(me % 2 == 1 ? (5 - me) / 2 : JHandle.UNDEFINED, odd.rank());
            JGroup low = all.excl(3, 4, 5);
            assertArrayEquals(new int[] {5, 3, 1, 0, 2}, odd.union(low).numbers());
            assertArrayEquals(new int[] {1}, odd.intersection(low).numbers());
            assertArrayEquals(new int[] {5, 3}, odd.difference(low).numbers());
            assertArrayEquals(
                    new int[] {2, JHandle.UNDEFINED, JHandle.PROC_NULL},
                    low.translate(new int[] {1, 0, JHandle.PROC_NULL}, odd));
            assertEquals(JComparison.IDENTICAL, all.compare(world.dup().group()));
            assertEquals(JComparison.SIMILAR, odd.compare(all.incl(1, 3, 5)));
            assertEquals(JComparison.UNEQUAL, odd.compare(low));
            assertTrue(thrown(() -> all.incl(1, 1)).contains("given twice"));
            assertTrue(thrown(() -> all.excl(6)).contains("ranks 0 to 5"));
            JComm created = world.create(odd);
            if (me % 2 == 0) {
                assertNull(created);
            } else {
                JComm made = some(created);
                assertEquals(List.of(5, 3, 1), made.allgather(me));
                assertTrue(thrown(() -> made.create(all)).startsWith("3 ranks of the group are not in"));
                assertEquals(JComparison.SIMILAR, made.compare(some(made.split(0, me))));
            }
            JGroup mine = me % 2 == 1 ? odd : all.difference(odd); // disjoint ones at once
            assertEquals(3, some(world.create(mine)).size());
        });
    }

    /** Passed by reference, a group is one object for several ranks: each has its own place in what is made of it. */
    @Test
    void aGroupThatOneRankHasMadeIsGoodForAll() {
        Ranks.run(4, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JGroup backwards = world.bcast(me == 1 ? world.group().incl(3, 2, 1) : null, 1);
            JComm made = world.create(backwards);
            if (me == 0) {
                assertNull(made);
            } else {
                assertEquals(3 - me, some(made).rank());
                assertEquals(List.of(3, 2, 1), some(made).allgather(me));
            }
        });
    }

    @Test
    void attributes() {
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            List<String> deleted = new ArrayList<>();
            JAttribute<String> own = JAttribute.of("own");
            JAttribute<List<String>> shared = JAttribute.inherited("shared");
            JAttribute<String> told = JAttribute.of("told", value -> value + "'", deleted::add);
            JComm comm = world.dup();
            assertNull(comm.attribute(own));
            comm.setAttribute(own, "a");
            comm.setAttribute(shared, deleted);
            comm.setAttribute(told, "x");
            comm.setAttribute(told, "y");
            assertEquals(List.of("x"), deleted);
            JComm copy = comm.dup();
            assertNull(copy.attribute(own));
            assertSame(deleted, copy.attribute(shared));
            assertEquals("y'", copy.attribute(told));
            assertEquals("y", comm.isolated().attribute(told));
            copy.free();
            comm.deleteAttribute(told);
            assertNull(comm.attribute(told));
            assertEquals(List.of("x", "y'", "y"), deleted);
        });
    }

    /** In checking mode. Groups that have no rank in common may differ. */
    @Test
    void groupsAndShapesThatDoNotMatchAreFound() {
        Ranks.runChecking(3, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JGroup group = world.group();
            String orders = thrown(() -> world.create(me == 0 ? group.incl(0, 1) : group.incl(1, 0)));
            assertTrue(orders.startsWith("rank 0 of COMM_WORLD called create of a group that rank 1 is in"), orders);
            String sizes = thrown(() -> world.create(me == 2 ? group : group.incl(me)));
            assertTrue(sizes.startsWith("rank 2 of COMM_WORLD called create of a group that rank 0 is in"), sizes);
            assertEquals(
                    me == 2 ? 1 : 2,
                    some(world.create(me == 2 ? group.incl(2) : group.incl(1, 0)))
                            .size());
            int[] dims = me == 0 ? new int[] {2, 1} : new int[] {1, 2};
            String shapes = thrown(() -> world.cartesian(dims, new boolean[2]));
            assertTrue(shapes.contains("rank 0 called cartesian of [2, 1] points, periods [false, false]"), shapes);
        });
    }
}
