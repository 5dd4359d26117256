package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Grids and graphs, and what neighbours pass to each other. */
final class TopologyTest {
    private static final int NONE = JHandle.PROC_NULL;

    private static JCartesian grid(@Nullable JCartesian grid) {
        assertNotNull(grid);
        return grid;
    }

    private static String thrown(org.junit.jupiter.api.function.Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    @Test
    void dimensionsAreAsAlikeAsTheyCanBe() {
        assertArrayEquals(new int[] {4, 3}, JCartesian.dims(12, 0, 0));
        assertArrayEquals(new int[] {3, 2, 1}, JCartesian.dims(6, 0, 0, 0));
        assertArrayEquals(new int[] {3, 4, 2}, JCartesian.dims(24, 0, 4, 0));
        assertArrayEquals(new int[] {7, 1}, JCartesian.dims(7, 0, 0));
        assertArrayEquals(new int[] {9, 8}, JCartesian.dims(72, 0, 0));
        assertArrayEquals(new int[] {46_341, 46_340}, JCartesian.dims(46_340 * 46_341, 0, 0));
        assertArrayEquals(new int[] {2_147_483_647, 1, 1}, JCartesian.dims(2_147_483_647, 0, 0, 0));
        assertArrayEquals(new int[] {2_147_483_647}, JCartesian.dims(2_147_483_647, 0));
        assertArrayEquals(new int[] {1}, JCartesian.dims(1, 0));
        assertTrue(thrown(() -> JCartesian.dims(10, 4, 0)).contains("must divide"));
        assertTrue(thrown(() -> JCartesian.dims(10, 5)).contains("do not fill"));
    }

    /** Against all grids that there are: none has a smaller largest dimension, and if that is the same a smaller second one. */
    @Test
    void noGridHasDimensionsThatAreMoreAlike() {
        for (int points = 1; points <= 400; points++) {
            int[] two = {points, 1};
            int[] three = {points, 1, 1};
            for (int a = 1; a <= points; a++) {
                for (int b = 1; b <= a && points % a == 0; b++) {
                    int rest = points / a;
                    if (rest % b == 0 && rest / b <= b) {
                        three = Arrays.compare(three, new int[] {a, b, rest / b}) < 0
                                ? three
                                : new int[] {a, b, rest / b};
                    }
                    two = b == rest && a < two[0] ? new int[] {a, b} : two;
                }
            }
            assertArrayEquals(two, JCartesian.dims(points, 0, 0));
            assertArrayEquals(three, JCartesian.dims(points, 0, 0, 0));
        }
    }

    @Test
    void ranksArePointsOfAGrid() {
        Ranks.run(7, handle -> {
            JCartesian made = handle.COMM_WORLD.cartesian(new int[] {2, 3}, new boolean[] {false, true});
            if (handle.COMM_WORLD.rank() == 6) {
                assertNull(made);
                return;
            }
            JCartesian grid = grid(made);
            int me = grid.rank();
            assertArrayEquals(new int[] {me / 3, me % 3}, grid.coords());
            assertArrayEquals(new int[] {1, 1}, grid.coords(4));
            assertEquals(4, grid.rankOf(1, -2));
            assertTrue(thrown(() -> grid.rankOf(2, 0)).startsWith("coordinate 2 of dimension 0"));
            assertEquals(new JShift(me < 3 ? NONE : me - 3, me < 3 ? me + 3 : NONE), grid.shift(0, 1));
            int row = me / 3 * 3;
            assertEquals(new JShift(row + (me + 1) % 3, row + (me + 2) % 3), grid.shift(1, -1));
            assertEquals(new JShift(row + (me + 2) % 3, row + (me + 1) % 3), grid.shift(1, Integer.MIN_VALUE)); // ≡ 1
            assertEquals(JComparison.IDENTICAL, grid.compare(grid.priority(7)));
            assertArrayEquals(new int[] {2, 3}, grid.dup().isolated().dims());

            JCartesian column = grid.sub(true, false);
            assertArrayEquals(new int[] {2}, column.dims());
            assertEquals(List.of(me % 3, me % 3 + 3), column.allgather(me));
            JCartesian ring = grid.sub(false, true);
            assertArrayEquals(new boolean[] {true}, ring.periods());
            assertEquals(me % 3, ring.rank());
            assertEquals(1, ring.sub(false).size());
        });
        Ranks.run(1, handle -> {
            String text = thrown(() -> handle.COMM_WORLD.cartesian(new int[] {2}, new boolean[] {true}));
            assertTrue(text.startsWith("a grid of [2] does not fit the 1 ranks"), text);
        });
    }

    /** What goes forward comes from behind, also where both neighbours are the same rank, or the rank itself. */
    @Test
    void neighboursOfAGrid() {
        for (int[] dims : new int[][] {{1, 1}, {1, 2}, {2, 2}, {3, 2}, {3, 3}}) {
            for (boolean periodic : new boolean[] {true, false}) {
                Ranks.run(dims[0] * dims[1], handle -> {
                    JCartesian grid = grid(handle.COMM_WORLD.cartesian(dims, new boolean[] {periodic, periodic}));
                    int me = grid.rank();
                    List<String> out = List.of(me + " up", me + " down", me + " left", me + " right");
                    String[] arriving = {"down", "up", "right", "left"};
                    int[] neighbours = grid.sources();
                    List<@Nullable String> expected = new ArrayList<>();
                    List<@Nullable Integer> ranks = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        expected.add(neighbours[i] == NONE ? null : neighbours[i] + " " + arriving[i]);
                        ranks.add(neighbours[i] == NONE ? null : neighbours[i]);
                    }
                    assertEquals(expected, grid.neighborAlltoall(out));
                    assertEquals(ranks, grid.neighborAllgather(me));
                    assertEquals(expected, grid.<String>ineighborAlltoall(out).await());
                    assertEquals(ranks, grid.ineighborAllgather(me).await());
                    for (int count : new int[] {0, 1, 10_000}) {
                        passBlocks(grid, count);
                    }
                });
            }
        }
    }

    private static void passBlocks(JCartesian grid, int count) {
        int me = grid.rank();
        int[] send = new int[4 * count];
        Arrays.setAll(send, i -> 10 * me + i / count);
        int[] receive = new int[4 * count];
        Arrays.fill(receive, -1);
        grid.neighborAlltoall(JBuffer.of(send), JBuffer.of(receive));
        int[] sources = grid.sources();
        for (int i = 0; i < receive.length; i++) {
            int direction = i / count;
            int from = sources[direction];
            assertEquals(from == NONE ? -1 : 10 * from + (direction ^ 1), receive[i]);
        }
        int[] mine = new int[count];
        Arrays.fill(mine, me);
        Arrays.fill(receive, -1);
        var _ = grid.ineighborAllgather(JBuffer.of(mine), JBuffer.of(receive)).await();
        for (int i = 0; i < receive.length; i++) {
            int from = sources[i / count];
            assertEquals(from == NONE ? -1 : from, receive[i]);
        }
    }

    @Test
    void neighboursInCheckingMode() {
        Ranks.runChecking(4, handle -> {
            JCartesian grid = grid(handle.COMM_WORLD.cartesian(JCartesian.dims(4, 0, 0), new boolean[] {true, true}));
            passBlocks(grid, 10);
            String text = thrown(() -> {
                if (grid.rank() == 2) {
                    var _ = grid.neighborAllgather(1);
                } else {
                    var _ = grid.sub(true, false);
                }
            });
            assertTrue(text.contains("ranks 0, 1, 3 called sub; rank 2 called neighborAllgather"), text);
        });
    }

    @Test
    void neighboursOfAGraph() {
        int size = 5;
        Ranks.run(size, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            // Each sends to all lower ranks, and twice to itself.
            int[] destinations = new int[me + 2];
            int[] sources = new int[size - me + 1];
            Arrays.setAll(destinations, i -> Math.min(i, me));
            Arrays.setAll(sources, i -> i < 2 ? me : me + i - 1);
            JGraph graph = world.graph(sources, destinations).dup();
            assertArrayEquals(sources, graph.sources());
            List<Integer> expected = Arrays.stream(sources).boxed().toList();
            assertEquals(expected, graph.neighborAllgather(me));
            List<List<Integer>> messages = new ArrayList<>();
            for (int i = 0; i < destinations.length; i++) {
                messages.add(List.of(me, destinations[i], i));
            }
            List<List<Integer>> received = graph.isolated().neighborAlltoall(messages);
            for (int i = 0; i < sources.length; i++) {
                assertEquals(List.of(sources[i], me, i < 2 ? me + i : me), received.get(i));
            }
            assertTrue(thrown(() -> graph.neighborAlltoall(List.of())).startsWith("0 messages for"));
            long[] receive = new long[sources.length];
            graph.priority(8).neighborAllgather(JBuffer.of(new long[] {me}), JBuffer.of(receive));
            assertArrayEquals(Arrays.stream(sources).asLongStream().toArray(), receive);
            assertTrue(thrown(() -> world.graph(new int[] {size}, new int[0])).startsWith("rank 5 is not in"));
        });
    }
}
