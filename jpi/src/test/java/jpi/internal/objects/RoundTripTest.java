package jpi.internal.objects;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import jpi.JComparison;
import jpi.JException;
import jpi.JLocated;
import jpi.JShift;
import jpi.JStatus;
import jpi.JType;
import jpi.internal.objects.Samples.Circle;
import jpi.internal.objects.Samples.Five;
import jpi.internal.objects.Samples.Grid;
import jpi.internal.objects.Samples.Mode;
import jpi.internal.objects.Samples.Node;
import jpi.internal.objects.Samples.Pair;
import jpi.internal.objects.Samples.Range;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes back from bytes is what went in. */
class RoundTripTest {
    private static final ObjectCodec CODEC = codec(Serialisation.FORY);

    private static ObjectCodec codec(Serialisation serialisation) {
        return new ObjectCodec(new AllowedTypes(Samples.class, ""), serialisation);
    }

    private static <T> T back(T object) {
        return back(CODEC, object);
    }

    @SuppressWarnings("unchecked")
    private static <T> T back(ObjectCodec codec, T object) {
        byte[] bytes = Samples.encode(codec, object);
        // As the engine has it: somewhere in a larger array.
        byte[] larger = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, larger, 7, bytes.length);
        return (T) requireNonNull(codec.decode(larger, 7, bytes.length));
    }

    @Test
    void nothingIsNothing() {
        byte[] bytes = Samples.encode(CODEC, null);
        assertNull(CODEC.decode(bytes, 0, bytes.length));
    }

    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void valuesOfTheJdk(Serialisation serialisation) {
        ObjectCodec codec = codec(serialisation);
        List<Object> values = List.of(
                1,
                2L,
                (short) 3,
                (byte) 4,
                'c',
                5.5,
                6.5f,
                true,
                "text \u00e4 \u30a2\u30e4\u3068\u308a",
                BigInteger.TWO.pow(200),
                new BigDecimal("1.50"),
                Mode.DOUBLED,
                TimeUnit.DAYS,
                UUID.randomUUID(),
                Duration.ofNanos(1),
                Instant.now(),
                LocalDateTime.now(ZoneId.systemDefault()),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneId.of("Asia/Tokyo")),
                Locale.JAPAN,
                String.class,
                int[].class,
                Mode.class);
        for (Object value : values) {
            assertEquals(value, back(codec, value), value.getClass().getName());
        }
    }

    /** Also at the borders of what travels without a serialisation. */
    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void arraysOfValues(Serialisation serialisation) {
        ObjectCodec codec = codec(serialisation);
        String latin = "\u00ff".repeat(64);
        @Nullable Object[] plain = {1, -2L, Double.NaN, true, false, "", latin, null};
        assertArrayEquals(plain, back(codec, plain));
        assertArrayEquals(new Object[0], back(codec, new Object[0]));
        List<@Nullable Object[]> others = List.of(
                new Object[] {1, latin + "x"},
                new Object[] {"\u0100", "\ud800"},
                new Object[] {1, new Object[] {2, null}},
                new Object[] {1, 2f, (short) 3},
                new Integer[] {1, null},
                new String[] {"a", "b"});
        for (@Nullable Object[] other : others) {
            @Nullable Object[] received = back(codec, other);
            assertArrayEquals(other, received);
            assertSame(other.getClass(), received.getClass());
        }
        Object[] many = IntStream.range(0, 100_000).boxed().toArray();
        assertArrayEquals(many, back(codec, many));
    }

    @Test
    void bytesThatAreNoValueAreRefused() {
        for (Object object : List.of(1, "text", new Object[] {1, "text"})) {
            byte[] bytes = Samples.encode(CODEC, object);
            for (int length = 1; length < bytes.length; length++) {
                int cut = length;
                assertThrows(JException.class, () -> CODEC.decode(bytes, 0, cut));
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThrows(JException.class, () -> CODEC.decode(longer, 0, longer.length));
            for (int place = 1; place < bytes.length; place++) {
                byte[] broken = bytes.clone();
                broken[place] ^= (byte) 0x80;
                try {
                    var _ = CODEC.decode(broken, 0, broken.length);
                } catch (JException e) {
                    assertTrue(String.valueOf(e.getMessage()).startsWith("cannot receive a message of "));
                }
            }
        }
    }

    /** The buffer stays with its thread: it is not to be many times as large as what it has ever held. */
    @Test
    void arraysOfNumbersTakeTheMemoryThatTheyNeed() {
        Object[] numbers = new Object[100_000];
        Arrays.fill(numbers, 7);
        EncodedBytes bytes = new EncodedBytes();
        CODEC.encode(numbers, bytes);
        assertTrue(bytes.array().length < 2 * bytes.length(), bytes.array().length + " for " + bytes.length());
    }

    /** Primitive types have classes too. */
    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void classesAsValues(Serialisation serialisation) {
        for (Class<?> type : List.of(int.class, void.class, double[].class, String.class, Five.class)) {
            assertSame(type, back(codec(serialisation), type));
        }
    }

    @ParameterizedTest
    @EnumSource(Serialisation.class)
    @SuppressWarnings("JdkObsolete") // users send LinkedLists
    void collectionsOfTheJdk(Serialisation serialisation) {
        ObjectCodec codec = codec(serialisation);
        List<Integer> three = List.of(3, 1, 2);
        Map<String, Integer> map = Map.of("a", 1, "b", 2);
        List<Object> collections = List.of(
                three,
                List.of(),
                List.of(1),
                Set.of(1, 2, 3),
                Set.of(1),
                map,
                Map.of(),
                Map.of("k", "v"),
                new ArrayList<>(three),
                new LinkedList<>(three),
                new LinkedHashSet<>(three),
                new TreeSet<>(three),
                new TreeMap<>(map),
                new HashMap<>(map),
                new LinkedHashMap<>(map),
                new ConcurrentHashMap<>(map),
                new EnumMap<>(Map.of(Mode.DOUBLED, 1)),
                EnumSet.of(Mode.PLAIN),
                Arrays.asList(1, null, 3),
                Collections.unmodifiableList(new ArrayList<>(three)),
                Collections.synchronizedMap(new HashMap<>(map)),
                Collections.emptyList(),
                Collections.singletonList(1),
                Collections.nCopies(3, "x"),
                ConcurrentHashMap.newKeySet(),
                new ConcurrentHashMap<>(map).keySet(1),
                BitSet.valueOf(new long[] {5}));
        for (Object collection : collections) {
            assertEquals(
                    collection, back(codec, collection), collection.getClass().getName());
        }
        assertEquals(2, back(codec, new ArrayDeque<>(three)).pollLast());
        PriorityQueue<Integer> queue = new PriorityQueue<>(Comparator.reverseOrder());
        queue.addAll(three);
        assertEquals(3, back(codec, queue).poll());
        assertEquals(9, back(codec, new AtomicLong(9)).get());
    }

    @Test
    void whatJavaSerialisationCannotSend() {
        assertEquals(List.of(1, 2), back(new ArrayList<>(List.of(3, 1, 2)).subList(1, 3)));
        assertEquals(Map.entry("a", 1), back(Map.entry("a", 1)));
        assertEquals(Optional.of("x"), back(Optional.of("x")));
        assertEquals(new Pair<>(Optional.empty(), 1), back(new Pair<>(Optional.empty(), 1)));
    }

    @Test
    void recordsAreMadeByTheirConstructor() {
        Five five = new Five(1, 1L << 40, Math.PI, "five", Mode.DOUBLED);
        assertEquals(five, back(five));
        assertEquals(4, back(five).mode().apply(2));
        int before = Range.made;
        assertEquals(new Range(1, 2), back(new Range(1, 2)));
        assertEquals(before + 3, Range.made);
    }

    @Test
    void nestedGenerics() {
        Map<String, List<Pair<Five, Set<Mode>>>> nested = new TreeMap<>();
        nested.put("k", List.of(new Pair<>(new Five(1, 2, 3, "4", Mode.PLAIN), EnumSet.allOf(Mode.class))));
        nested.put("l", new ArrayList<>());
        assertEquals(nested, back(nested));
        assertEquals(Map.of(new Pair<>(1, "a"), nested), back(Map.of(new Pair<>(1, "a"), nested)));
    }

    @Test
    void inheritedAndPrivateFieldsComeAlongTransientOnesDoNot() {
        Circle circle = back(new Circle("c", 2.5));
        assertEquals("c", circle.name());
        assertEquals(2.5, circle.radius);
        assertNull(circle.cache);
    }

    @Test
    void cyclesAndSharedObjectsStay() {
        Node first = new Node(1);
        first.next = new Node(2);
        requireNonNull(first.next).next = first;
        Node again = back(first);
        assertSame(again, requireNonNull(again.next).next);

        List<Object> twice = new ArrayList<>(List.of(first, first));
        twice.add(twice);
        List<Object> back = back(twice);
        assertSame(back.get(0), back.get(1));
        assertSame(back, back.get(2));
    }

    @Test
    void arraysInsideOfObjects() {
        Grid grid = new Grid();
        grid.row = new SplittableRandom(1).doubles(200_000).toArray();
        grid.flags = new boolean[] {true, false, true};
        grid.cells = new int[][] {{1, 2}, {}, {3}};
        grid.names = new String[] {"a", "b"};
        Grid back = back(grid);
        assertArrayEquals(grid.row, back.row);
        assertArrayEquals(grid.flags, back.flags);
        assertArrayEquals(grid.cells, back.cells);
        assertArrayEquals(grid.names, back.names);
        assertArrayEquals(new Five[2], back(new Five[2]));
        assertArrayEquals(new Object[] {1, "a", null}, back(new Object[] {1, "a", null}));
        assertArrayEquals(new boolean[] {true}, back(new boolean[] {true}));
    }

    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void exceptionsKeepTheirMessageAndCause(Serialisation serialisation) {
        Exception failure = new IllegalStateException("no luck", new ArithmeticException("/ by zero"));
        Exception back = back(codec(serialisation), failure);
        assertEquals("no luck", back.getMessage());
        assertInstanceOf(ArithmeticException.class, back.getCause());
    }

    @Test
    void anArrayIsUsedAgain() {
        EncodedBytes bytes = new EncodedBytes();
        for (Object object : List.of("a", IntStream.range(0, 5000).boxed().toList(), "b")) {
            CODEC.encode(object, bytes);
            assertEquals(object, CODEC.decode(bytes.array(), 0, bytes.length()));
        }
        assertTrue(bytes.array().length > 5000 && bytes.length() < 20);
    }

    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void whatIsNoMessageIsRefused(Serialisation serialisation) {
        ObjectCodec codec = codec(serialisation);
        byte[] good = Samples.encode(codec, new ArrayList<>(List.of(1, 2, "three")));
        JException empty = assertThrows(JException.class, () -> codec.decode(good, 0, 0));
        assertTrue(requireNonNull(empty.getMessage()).contains("0 bytes"), empty::getMessage);
        assertThrows(JException.class, () -> codec.decode(good, 0, good.length - 2));
        byte[] other = Samples.encode(
                codec(serialisation == Serialisation.FORY ? Serialisation.JAVA : Serialisation.FORY), List.of("other"));
        String said = assertThrows(JException.class, () -> codec.decode(other, 0, other.length))
                .getMessage();
        assertTrue(requireNonNull(said).contains("start all workers with the same"), said);
        Object after = codec.decode(good, 0, good.length);
        assertEquals(List.of(1, 2, "three"), after);
    }

    @Test
    void aChainMayBeLongButNotEndless() {
        Node root = chain(1000);
        int length = 0;
        for (@Nullable Node node = back(root); node != null; node = node.next) {
            length++;
        }
        assertEquals(1000, length);
        String said = assertThrows(JException.class, () -> Samples.encode(CODEC, chain(1_000_000)))
                .getMessage();
        assertTrue(requireNonNull(said).contains("too deep"), said);
    }

    private static Node chain(int length) {
        Node root = new Node(0);
        Node last = root;
        for (int i = 1; i < length; i++) {
            Node next = new Node(i);
            last.next = next;
            last = next;
        }
        return root;
    }

    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void valuesOfJpi(Serialisation serialisation) {
        ObjectCodec codec = codec(serialisation);
        for (Object value : List.of(
                new JLocated<>(1.5, 3),
                new JLocated<>("text", 0),
                new JStatus(1, 2, 5, 4),
                new JShift(-1, 2),
                JType.DOUBLE,
                JComparison.SIMILAR,
                List.of(new JLocated<>(1, 2)))) {
            assertEquals(value, back(codec, value));
        }
    }

    /** Whatever room they have. */
    @Test
    void collectionsForSeveralThreads() {
        for (Collection<Object> some : List.<Collection<Object>>of(
                new LinkedBlockingQueue<>(1000),
                new ConcurrentLinkedQueue<>(),
                new ConcurrentLinkedDeque<>(),
                new ConcurrentSkipListSet<>(),
                new CopyOnWriteArrayList<>(),
                new CopyOnWriteArraySet<>(),
                ConcurrentHashMap.newKeySet(),
                new ArrayDeque<>(1000),
                new ArrayList<>(1000),
                new PriorityQueue<>(1000))) {
            assertEquals(List.of(), List.copyOf(back(some)));
            some.add("a");
            some.add("b");
            assertEquals(
                    List.copyOf(some), List.copyOf(back(some)), some.getClass().getName());
        }
    }
}
