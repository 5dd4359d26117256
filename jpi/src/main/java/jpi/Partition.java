package jpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How ranks agree on new communicators. */
final class Partition {
    private Partition() {}

    /** A number for a communicator, which the first rank draws. */
    static int agree(Exchange exchange) {
        Integer drawn = exchange.me() == 0 ? exchange.members().rank().newCommunicator() : null;
        return number(Broadcast.object(exchange, drawn, 0));
    }

    /** The same of the ranks of groups that have no rank in common. In checking mode these are compared. */
    static int agree(Exchange exchange, int[] group) {
        if (exchange.members().rank().settings().checking()) {
            requireSame(exchange, Gathering.allObjects(exchange, group));
        }
        return agree(exchange);
    }

    /** Refuses groups of which a rank in one has given another one, on all ranks. */
    private static void requireSame(Exchange exchange, List<@Nullable Object> groups) {
        Members members = exchange.members();
        Map<Integer, Integer> ranks = new TreeMap<>();
        for (int i = 0; i < groups.size(); i++) {
            ranks.put(members.number(i), i);
        }
        for (int i = 0; i < groups.size(); i++) {
            if (!(groups.get(i) instanceof int[] group)) {
                throw Gathering.mismatch();
            }
            for (int number : group) {
                int other = ranks.getOrDefault(number, i);
                if (!(groups.get(other) instanceof int[] given) || !Arrays.equals(group, given)) {
                    throw new JException("rank " + i + " of " + members.name() + " called create of a group that rank "
                            + other + " is in, which gave another one: let all ranks of a group give the same");
                }
            }
        }
    }

    /** The same of the ranks of a graph. In checking mode the edges are compared. */
    static int agree(Exchange exchange, int[] sources, int[] destinations) {
        if (exchange.members().rank().settings().checking()) {
            int size = exchange.size();
            int[] edges = new int[2 * size]; // from each rank, then to each
            Arrays.stream(sources).forEach(source -> edges[source]++);
            Arrays.stream(destinations).forEach(destination -> edges[size + destination]++);
            requireBothEnds(exchange, Gathering.allObjects(exchange, edges));
        }
        return agree(exchange);
    }

    /** Refuses edges that one of their ends does not know, on all ranks. */
    private static void requireBothEnds(Exchange exchange, List<@Nullable Object> edges) {
        int size = exchange.size();
        for (int from = 0; from < size; from++) {
            int[] there = numbers(edges.get(from), 2 * size);
            for (int to = 0; to < size; to++) {
                int sent = there[size + to];
                int received = numbers(edges.get(to), 2 * size)[from];
                if (sent != received) {
                    throw new JException(
                            "in a graph of " + exchange.members().name() + " rank " + from + " names rank " + to
                                    + " as a destination " + sent + " times, and rank " + to + " names rank " + from
                                    + " as a source " + received + " times: let both ends name each edge");
                }
            }
        }
    }

    private static int number(@Nullable Object message) {
        if (message instanceof Integer number) {
            return number;
        }
        throw Gathering.mismatch();
    }

    /** So many numbers that another rank has sent in an operation of the same kind. */
    static int[] numbers(@Nullable Object message, int count) {
        if (message instanceof int[] numbers && numbers.length == count) {
            return numbers;
        }
        throw Gathering.mismatch();
    }

    /** What a rank asks for. */
    private record Wish(int color, int key, int rank) {}

    /**
     * Ranks of one colour come together, in the order of their keys. They may have one number for all colours, since no two of the new
     * communicators have a rank in common. The first rank finds out who belongs together, so that of very many ranks not
     * each has to know all.
     *
     * @return null for a rank without a colour
     */
    static @Nullable Members split(Exchange exchange, int color, int key, String name) {
        List<@Nullable Object> wishes = Gathering.objects(exchange, ((long) color << 32) | (key & 0xffffffffL), 0);
        List<Object[]> parts = wishes == null ? null : parts(exchange.members(), wishes);
        Object part = Scattering.object(exchange, parts, 0);
        if (!(part instanceof Object[] mine) || mine.length != 2 || !(mine[1] instanceof int[] numbers)) {
            throw Gathering.mismatch();
        }
        if (color == JHandle.UNDEFINED) {
            return null;
        }
        int[] place = numbers(mine[0], 2);
        return exchange.members().part(name, place[0], numbers, place[1]);
    }

    /** For each rank its communicator's number and its own rank there, and the numbers of all of that. */
    private static List<Object[]> parts(Members members, List<@Nullable Object> wishes) {
        Map<Integer, List<Wish>> colors = new TreeMap<>();
        for (int i = 0; i < wishes.size(); i++) {
            if (!(wishes.get(i) instanceof Long wish)) {
                throw Gathering.mismatch();
            }
            colors.computeIfAbsent((int) (wish >> 32), _ -> new ArrayList<>())
                    .add(new Wish((int) (wish >> 32), wish.intValue(), i));
        }
        int id = members.rank().newCommunicator();
        Object[][] parts = new Object[wishes.size()][];
        for (List<Wish> together : colors.values()) {
            together.sort(Comparator.comparingInt(Wish::key).thenComparingInt(Wish::rank));
            int[] numbers = together.stream()
                    .mapToInt(wish -> members.number(wish.rank()))
                    .toArray();
            for (int i = 0; i < numbers.length; i++) {
                parts[together.get(i).rank()] = new Object[] {new int[] {id, i}, numbers};
            }
        }
        return List.of(parts);
    }
}
