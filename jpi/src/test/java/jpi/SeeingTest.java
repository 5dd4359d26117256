package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jpi.TraceReading.Arrow;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Sleep;
import jpi.internal.engine.Timeline;
import jpi.internal.engine.Usage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What statistics and timelines tell of programs that are known. */
class SeeingTest {
    private static final int LARGE = 1 << 17;

    private final List<Timeline.Part> parts = new ArrayList<>();
    private List<Usage> usages = List.of();

    /** A record, so that it is passed by reference, or encoded. */
    record Word(String text) {}

    private synchronized void collect(Timeline.Part part) {
        parts.add(part);
    }

    private TraceReading watch(int ranks, int workers, boolean virtual, Ranks.Body body) {
        usages = Ranks.runWatched(ranks, workers, virtual, this::collect, body);
        StringBuilder text = new StringBuilder("[{}");
        parts.forEach(part -> text.append(part.lines()));
        TraceReading reading = TraceReading.of(text.append(']').toString());
        reading.assertNested();
        List<String> tracks = reading.phase("M").stream()
                .filter(event -> "thread_name".equals(event.get("name")))
                .map(event -> event.getOrDefault("tid", ""))
                .toList();
        assertEquals(tracks.size(), Set.copyOf(tracks).size(), "no two tracks have the same number");
        return reading;
    }

    /** What the two ends of a message say of it. */
    private static void assertAgree(Arrow arrow) {
        for (String field : List.of("tag", "bytes", "priority", "communicator")) {
            assertEquals(arrow.sent().get("args." + field), arrow.received().get("args." + field), arrow::toString);
        }
        assertEquals("send", arrow.sent().get("cat"));
        assertEquals("receive", arrow.received().get("cat"));
        // A rank's own track has the number after its own.
        assertEquals(arrow.sent().get("tid"), next(arrow.received()), arrow::toString);
        assertEquals(arrow.received().get("tid"), next(arrow.sent()), arrow::toString);
    }

    private static String next(Map<String, String> slice) {
        return Integer.toString(Integer.parseInt(slice.get("args.peer")) + 1);
    }

    private static long count(TraceReading reading, String name) {
        return reading.phase("X").stream()
                .filter(slice -> name.equals(slice.get("name")))
                .count();
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "1, true", "2, true"})
    void arrowsLeadFromSendToReceive(int workers, boolean virtual) {
        TraceReading reading = watch(2, workers, virtual, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.send(new int[3], 1, 7);
                world.priority(9).send(JBuffer.of(new double[100]), 1, 7);
                world.send(new Word("here"), 1, 8);
                world.send(null, 1, 8);
                world.send(JBuffer.of(new byte[LARGE]), 1, 9);
                world.recv(JBuffer.of(new int[1]), 1, 1);
            } else {
                List<JRequest<Object>> requests = List.of(world.irecv(0, 7), world.irecv(0, 7));
                JRequest.awaitAll(requests.reversed());
                world.recv(JHandle.ANY_SOURCE, 8);
                Objects.requireNonNull(world.mprobe(0, JHandle.ANY_TAG)).recv();
                world.recv(JHandle.ANY_SOURCE, JHandle.ANY_TAG);
                world.send(JBuffer.of(new int[1]), 0, 1);
            }
        });
        List<Arrow> arrows = reading.arrows();
        assertEquals(6, arrows.size());
        arrows.forEach(SeeingTest::assertAgree);
        assertEquals(1, count(reading, "send to 1, tag 7, 12 B"));
        assertEquals(1, count(reading, "recv from 0, tag 7, 800 B"));
        assertEquals(1, count(reading, "send to 0, tag 1, 4 B"));
        assertEquals(1, count(reading, "recv from 0, tag 9, " + LARGE + " B"));
        assertEquals(
                List.of("rank 0", "rank 1"), reading.tracks().stream().sorted().toList());
        long called = reading.phase("M").stream()
                .filter(event -> event.getOrDefault("args.name", "").startsWith("worker "))
                .count();
        assertEquals(workers, called);
        assertTrue(parts.stream().allMatch(part -> part.dropped() == 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void waitsForTheReceiverAreSeen(int workers) {
        AtomicReference<@Nullable Rank> sender = new AtomicReference<>();
        TraceReading reading = watch(2, workers, false, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                sender.set(Rank.current());
                world.ssend("now", 1, 3);
            } else {
                // A message that is taken sooner may spare its sender the wait.
                while (world.iprobe(0, 3) == null || !Sleep.isOf(sender.get())) {
                    Thread.onSpinWait();
                }
                JStatus seen = world.probe(0, 3);
                world.recv(seen.source(), seen.tag());
            }
        });
        assertEquals(1, reading.arrows().size());
        assertEquals(1, count(reading, "wait until rank 1 takes its message, tag 3"));
        assertEquals(1, usages.getFirst().sent());
        assertEquals(1, usages.getLast().taken(), "a message that is looked at is not taken");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void collectiveOperationsHoldTheirMessages(int workers) {
        TraceReading reading = watch(3, workers, false, handle -> {
            JComm pair = handle.COMM_WORLD.split(handle.COMM_WORLD.rank() == 0 ? JHandle.UNDEFINED : 4, 0);
            if (pair != null) {
                pair.setName("a \"pair\"\n");
                pair.bcast(JBuffer.of(new long[5]), 1);
                pair.ibarrier().await();
            }
        });
        reading.arrows().forEach(SeeingTest::assertSameSize);
        List<Map<String, String>> casts = reading.phase("X").stream()
                .filter(slice -> "bcast, 40 B".equals(slice.get("name")))
                .toList();
        assertEquals(2, casts.size());
        assertTrue(casts.stream()
                .allMatch(slice -> "a \"pair\"\n".equals(slice.get("args.communicator"))
                        && "1".equals(slice.get("args.root"))
                        && "0".equals(slice.get("args.number"))));
        // Rank 1 of the pair is rank 2 of all.
        assertEquals(1, count(reading, "send to 1, tag 0, 40 B"));
        assertEquals(1, count(reading, "recv from 2, tag 0, 40 B"));
        assertEquals(2, count(reading, "barrier"));
        assertEquals(
                List.of("rank 0", "rank 1", "rank 1, thread 2", "rank 2", "rank 2, thread 2"),
                reading.tracks().stream().sorted().toList(),
                "what has been begun goes on beside the rank's own thread");
    }

    private static void assertSameSize(Arrow arrow) {
        assertEquals(arrow.sent().get("args.bytes"), arrow.received().get("args.bytes"), arrow::toString);
    }

    @Test
    void manyVirtualRanksHaveATrackEach() {
        int ranks = 500;
        TraceReading reading = watch(ranks, 1, true, handle -> {
            JComm world = handle.COMM_WORLD;
            int size = world.size();
            world.sendrecv(world.rank(), (world.rank() + 1) % size, 0, (world.rank() + size - 1) % size, 0);
        });
        assertEquals(ranks, new HashSet<>(reading.tracks()).size());
        List<Arrow> arrows = reading.arrows();
        assertEquals(ranks, arrows.size());
        arrows.forEach(SeeingTest::assertAgree);
    }

    @Test
    void whatFollowsARequestIsSeenToo() {
        TraceReading reading = watch(2, 1, false, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.send(new int[1], 1, 0);
            } else {
                try {
                    world.irecv(0, 0).toCompletableFuture().get();
                } catch (ExecutionException e) {
                    throw new AssertionError(e);
                }
            }
        });
        assertEquals(1, reading.arrows().size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void statisticsAreExact(int workers) {
        var _ = watch(2, workers, false, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                for (int i = 0; i < 1000; i++) {
                    world.send(JBuffer.of(new int[10]), 1, 0);
                }
                world.send(new boolean[5], 1, 0);
                world.send(JBuffer.of(new double[LARGE]), 1, 0);
                world.recv(1, 1);
            } else {
                for (int i = 0; i < 1002; i++) {
                    world.recv(0, 0);
                }
                world.send(new Word("x".repeat(1000)), 0, 1);
            }
        });
        long bytes = 1000 * 40 + 5 + 8L * LARGE;
        Usage first = usages.getFirst();
        Usage second = usages.getLast();
        assertEquals(List.of(0, 1), Stream.of(first, second).map(Usage::rank).toList());
        assertEquals(List.of(1002L, 1L, bytes), List.of(first.sent(), first.taken(), first.bytesSent()));
        assertEquals(List.of(1L, 1002L, bytes), List.of(second.sent(), second.taken(), second.bytesTaken()));
        assertEquals(second.bytesSent(), first.bytesTaken());
        if (workers == 1) {
            assertEquals(0, second.bytesSent(), "by reference");
        } else {
            assertTrue(second.bytesSent() > 1000, second::toString);
        }
    }

    @Test
    void whoeverSleepsForAMessageHasWaited() {
        AtomicReference<@Nullable Rank> receiver = new AtomicReference<>();
        var _ = watch(2, 1, false, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                while (!Sleep.isOf(receiver.get())) {
                    Thread.onSpinWait();
                }
                world.send("wake up", 1, 0);
            } else {
                receiver.set(Rank.current());
                world.recv(0, 0);
            }
        });
        assertTrue(usages.getLast().waitedNanos() > 0, usages::toString);
        assertEquals(0, usages.getFirst().waitedNanos());
    }

    @Test
    void threadsOfARankAreCountedTogether() {
        int threads = 4;
        int messages = 500;
        var _ = watch(2, 1, false, handle -> {
            JComm world = handle.COMM_WORLD;
            List<Thread> running = IntStream.range(0, threads)
                    .mapToObj(tag -> Thread.ofPlatform().start(() -> {
                        for (int i = 0; i < messages; i++) {
                            if (world.rank() == 0) {
                                world.send(new byte[1], 1, tag);
                            } else {
                                world.recv(0, tag);
                            }
                        }
                    }))
                    .toList();
            for (Thread thread : running) {
                thread.join();
            }
        });
        assertEquals((long) threads * messages, usages.getFirst().sent());
        assertEquals((long) threads * messages, usages.getFirst().bytesSent());
        assertEquals((long) threads * messages, usages.getLast().taken());
    }
}
