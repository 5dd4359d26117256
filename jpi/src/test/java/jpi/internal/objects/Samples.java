package jpi.internal.objects;

import java.io.FileInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Timer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Types and objects of an application, for messages. */
final class Samples {
    private Samples() {}

    /** An object in an array of its own size. */
    static byte[] encode(ObjectCodec codec, @Nullable Object object) {
        EncodedBytes bytes = new EncodedBytes();
        codec.encode(object, bytes);
        return Arrays.copyOf(bytes.array(), bytes.length());
    }

    /** Constants with bodies have classes of their own. */
    enum Mode {
        PLAIN,
        DOUBLED {
            @Override
            int apply(int value) {
                return 2 * value;
            }
        };

        int apply(int value) {
            return value;
        }
    }

    record Five(int number, long large, double fraction, String name, Mode mode) {}

    record Range(int low, int high) {
        static int made;

        Range {
            if (low > high) {
                throw new IllegalArgumentException(low + " > " + high);
            }
            made++;
        }
    }

    record Pair<A, B>(A first, B second) {}

    /** Not serialisable the Java way, no constructor without arguments. */
    static class Shape {
        private final String name;

        Shape(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }
    }

    static final class Circle extends Shape {
        final double radius;
        final transient @Nullable Object cache;

        Circle(String name, double radius) {
            super(name);
            this.radius = radius;
            cache = new Object();
        }
    }

    static final class Node {
        final int number;

        @Nullable
        Node next;

        Node(int number) {
            this.number = number;
        }
    }

    static final class Grid {
        double[] row = new double[0];
        boolean[] flags = new boolean[0];
        int[][] cells = new int[0][];
        String[] names = new String[0];
    }

    static final class Input {
        @Nullable
        InputStream log;

        @Nullable
        Object anything;

        transient @Nullable InputStream scratch;
    }

    static final class Text {
        @Nullable
        Scanner words;

        @Nullable
        ServerSocket server;

        @Nullable
        Socket socket;

        Socket @Nullable [] sockets;

        final Map<String, List<? extends Thread>> threads = new HashMap<>();

        @Nullable
        Thread writer;

        @Nullable
        FileInputStream file;

        @Nullable
        MemorySegment memory;

        @Nullable
        Timer timer;
    }

    static final class Job {
        final Input input = new Input();
        final List<Object> parts = new ArrayList<>();
        final Map<String, Object> named = new HashMap<>();
    }

    /** Some object that has {@code equals}. */
    static Object random(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 4)) {
            case 0 -> random.nextInt();
            case 1 -> "text" + random.nextLong();
            case 2 -> Mode.values()[random.nextInt(2)];
            case 3 -> new Five(random.nextInt(), random.nextLong(), random.nextDouble(), "x", Mode.DOUBLED);
            case 4 -> new Pair<>(random(random, depth - 1), random(random, depth - 1));
            case 5 ->
                IntStream.range(0, random.nextInt(10))
                        .mapToObj(i -> random(random, depth - 1))
                        .collect(Collectors.toCollection(ArrayList::new));
            case 6 -> Map.of("a", random(random, depth - 1), 7, random(random, depth - 1));
            default -> {
                Integer[] array = new Integer[random.nextInt(1, 20)];
                Arrays.setAll(array, i -> random.nextInt());
                yield Arrays.asList(array);
            }
        };
    }
}
