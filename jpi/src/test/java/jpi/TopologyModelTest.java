package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random graphs, grids and parts of communicators, against what one thread makes of what all ranks have said. */
final class TopologyModelTest {
    private static final int ROUNDS = 12;

    private static void everyWay(int size, Ranks.Body body) {
        Ranks.everyWay(size, body);
        Ranks.runVirtual(size, body);
        Ranks.runChecking(size, body);
    }

    // Graphs.

    /** That one sends to another; the next number is that of the edges between the same two before it. */
    private record Edge(int from, int to, int nth) {}

    /** Many of the edges are doubled, or lead back to where they begin. */
    private static List<Edge> edges(Random random, int size) {
        int[][] known = new int[size][size];
        List<Edge> edges = new ArrayList<>();
        for (int i = random.nextInt(4 * size); i > 0; i--) {
            int from = random.nextInt(size);
            int to = random.nextInt(4) == 0 ? from : random.nextInt(size);
            edges.add(new Edge(from, to, known[from][to]++));
        }
        return edges;
    }

    /** In which order a rank names its neighbours; those between the same two stay in theirs. */
    private static List<Edge> shuffled(List<Edge> edges, Random random) {
        List<Edge> shuffled = new ArrayList<>(edges);
        Collections.shuffle(shuffled, random);
        List<Edge> inOrder = new ArrayList<>(shuffled);
        for (int i = 0; i < shuffled.size(); i++) {
            Edge at = shuffled.get(i);
            long before = shuffled.subList(0, i).stream()
                    .filter(edge -> edge.from == at.from && edge.to == at.to)
                    .count();
            inOrder.set(i, new Edge(at.from, at.to, (int) before));
        }
        return inOrder;
    }

    private static int value(Edge edge, int index) {
        return edge.from * 1_000_000 + edge.to * 10_000 + edge.nth * 100 + index;
    }

    private static int[] blocks(List<Edge> edges, int count) {
        return edges.stream()
                .flatMapToInt(edge -> IntStream.range(0, count).map(i -> value(edge, i)))
                .toArray();
    }

    private static void passOver(JComm world, Random same, Random own) {
        int me = world.rank();
        List<Edge> edges = edges(same, world.size());
        List<Edge> in = shuffled(edges.stream().filter(edge -> edge.to == me).toList(), own);
        List<Edge> out = shuffled(edges.stream().filter(edge -> edge.from == me).toList(), own);
        JGraph graph = world.graph(
                in.stream().mapToInt(Edge::from).toArray(),
                out.stream().mapToInt(Edge::to).toArray());
        JRequest<List<Edge>> objects = graph.ineighborAlltoall(out);
        int count = same.nextInt(3) == 0 ? 5000 : same.nextInt(4);
        int[] received = new int[in.size() * count];
        JRequest<?> elements = graph.ineighborAlltoall(JBuffer.of(blocks(out, count)), JBuffer.of(received));
        assertEquals(in.stream().map(Edge::from).toList(), graph.neighborAllgather(me));
        int[] fromEach = new int[in.size()];
        graph.neighborAllgather(JBuffer.of(new int[] {me}), JBuffer.of(fromEach));
        assertArrayEquals(graph.sources(), fromEach);
        var _ = elements.await();
        assertArrayEquals(blocks(in, count), received);
        assertEquals(in, objects.await());
    }

    @Test
    void neighboursOfGraphs() {
        for (int size : new int[] {1, 2, 3, 5, 7}) {
            everyWay(size, handle -> {
                JComm world = handle.COMM_WORLD;
                Random same = new Random(size);
                Random own = new Random(100 + world.rank());
                for (int round = 0; round < ROUNDS; round++) {
                    passOver(world, same, own);
                }
            });
        }
    }

    // Grids.

    private static int place(int[] dims, int[] coords) {
        int place = 0;
        for (int i = 0; i < dims.length; i++) {
            place = place * dims[i] + coords[i];
        }
        return place;
    }

    private static int beside(JCartesian grid, int rank, int dimension, int distance) {
        int[] coords = grid.coords(rank);
        int[] dims = grid.dims();
        coords[dimension] += distance;
        if (grid.periods()[dimension]) {
            coords[dimension] = Math.floorMod(coords[dimension], dims[dimension]);
        }
        return coords[dimension] < 0 || coords[dimension] >= dims[dimension] ? JHandle.PROC_NULL : place(dims, coords);
    }

    private static void walkOver(JComm world, Random same) {
        int[] dims = new int[same.nextInt(4)];
        boolean[] periods = new boolean[dims.length];
        int left = world.size();
        for (int i = 0; i < dims.length; i++) {
            dims[i] = 1 + same.nextInt(Math.min(left, 3));
            left /= dims[i];
            periods[i] = same.nextBoolean();
        }
        int points = IntStream.of(dims).reduce(1, (a, b) -> a * b);
        boolean[] remaining = new boolean[dims.length];
        int distance = same.nextInt(9) - 4;
        for (int i = 0; i < dims.length; i++) {
            remaining[i] = same.nextBoolean();
        }
        JCartesian made = world.cartesian(dims, periods);
        if (world.rank() >= points) {
            assertNull(made);
            return;
        }
        JCartesian grid = Objects.requireNonNull(made);
        int me = grid.rank();
        assertEquals(me, grid.rankOf(grid.coords()));
        for (int i = 0; i < dims.length; i++) {
            JShift shift = grid.shift(i, distance);
            assertEquals(new JShift(beside(grid, me, i, -distance), beside(grid, me, i, distance)), shift);
            assertEquals(
                    shift.source() < 0 ? null : shift.source(),
                    grid.sendrecv(me, shift.destination(), i, shift.source(), i));
        }
        List<String> out = new ArrayList<>();
        List<@Nullable String> in = new ArrayList<>();
        for (int i = 0; i < 2 * dims.length; i++) {
            int from = beside(grid, me, i / 2, i % 2 == 0 ? -1 : 1);
            out.add(me + " to " + i);
            in.add(from < 0 ? null : from + " to " + (i ^ 1)); // what comes from behind was sent forward
        }
        assertEquals(in, grid.neighborAlltoall(out));
        List<Integer> together = IntStream.range(0, points)
                .filter(other -> IntStream.range(0, dims.length)
                        .allMatch(i -> remaining[i] || grid.coords(other)[i] == grid.coords()[i]))
                .boxed()
                .toList();
        assertEquals(together, grid.sub(remaining).allgather(me));
    }

    @Test
    void pointsOfGrids() {
        for (int size : new int[] {1, 2, 3, 7, 12}) {
            everyWay(size, handle -> {
                Random same = new Random(size);
                for (int round = 0; round < ROUNDS; round++) {
                    walkOver(handle.COMM_WORLD, same);
                }
            });
        }
    }

    // Parts.

    private record Wish(int color, int key, int rank) {}

    private static void part(JComm comm, int number, Random random, int depth) {
        List<Integer> numbers = comm.allgather(number);
        int[] keys = {Integer.MIN_VALUE, -1, 0, 0, 1, Integer.MAX_VALUE};
        List<Wish> wishes = new ArrayList<>();
        for (int i = 0; i < comm.size(); i++) {
            int color = random.nextInt(4);
            int key = keys[random.nextInt(keys.length)];
            wishes.add(new Wish(color == 3 ? JHandle.UNDEFINED : color == 2 ? Integer.MAX_VALUE : color, key, i));
        }
        Wish mine = wishes.get(comm.rank());
        JComm part = comm.split(mine.color, mine.key);
        if (mine.color == JHandle.UNDEFINED) {
            assertNull(part);
            return;
        }
        List<Integer> together = wishes.stream()
                .filter(wish -> wish.color == mine.color)
                .sorted(Comparator.comparingInt(Wish::key).thenComparingInt(Wish::rank))
                .map(wish -> numbers.get(wish.rank))
                .toList();
        JComm own = Objects.requireNonNull(part);
        assertEquals(together, own.allgather(number));
        assertEquals(together.indexOf(number), own.rank());
        int[] some =
                IntStream.range(0, own.size()).filter(_ -> random.nextBoolean()).toArray();
        JComm created = own.create(own.group().incl(some));
        assertEquals(Arrays.stream(some).anyMatch(rank -> rank == own.rank()), created != null);
        if (created != null) {
            assertEquals(Arrays.stream(some).mapToObj(together::get).toList(), created.allgather(number));
        }
        if (depth > 0) {
            part(own, number, new Random(depth + together.getFirst()), depth - 1);
        }
    }

    @Test
    void partsOfParts() {
        for (int size : new int[] {1, 2, 3, 5, 7, 16}) {
            everyWay(size, handle -> {
                JComm world = handle.COMM_WORLD;
                for (int round = 0; round < ROUNDS; round++) {
                    part(world, world.rank(), new Random(size + 100L * round), 3);
                }
            });
        }
    }
}
