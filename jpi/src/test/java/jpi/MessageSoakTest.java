package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random messages among ranks, some of which share a JVM: objects, arrays and buffers of any size, any of which may have to go in
 * pieces; any tag and priority; received by name or by wildcard, blocking or not, some receives given up. None is lost, doubled,
 * corrupted, or out of order within its source, tag and priority.
 */
final class MessageSoakTest {
    private static final int TAGS = 3;
    private static final int STOP = TAGS;
    private static final int MOST_UNFINISHED = 16;

    /** The first three elements of every message. */
    private static final int HEAD = 3;

    @ParameterizedTest
    @CsvSource({"8, 1, false", "8, 2, false", "4, 4, false", "8, 3, true"})
    void noneIsLost(int ranks, int workers, boolean virtual) {
        Ranks.Body body = handle -> new Player(handle.COMM_WORLD).play(4_000);
        if (virtual) {
            Ranks.runVirtualApart(ranks, workers, body);
        } else {
            Ranks.runApart(ranks, workers, body);
        }
    }

    private static final class Player {
        private final JComm world;
        private final SplittableRandom random;
        /** By destination, tag and priority: the next number. */
        private final int[][][] sent;
        /** By source, tag and priority: the number that is to come. */
        private final int[][][] received;

        private final Queue<JRequest<?>> unfinished = new ArrayDeque<>();
        private int stopped;

        Player(JComm world) {
            this.world = world;
            random = new SplittableRandom(world.rank());
            sent = new int[world.size()][TAGS][Thread.MAX_PRIORITY + 1];
            received = new int[world.size()][TAGS][Thread.MAX_PRIORITY + 1];
        }

        void play(int messages) {
            for (int i = 0; i < messages; i++) {
                sendOne();
                receiveSome();
                while (unfinished.size()
                        > MOST_UNFINISHED) { // not await: who waits for this rank's receives may be the other one
                    receiveSome();
                    unfinished.removeIf(JRequest::test);
                }
            }
            // One that is to come after all others of its source is the last of a priority only: count them.
            for (int other = 0; other < world.size(); other++) {
                unfinished.add(world.isend(sent[other], other, STOP));
            }
            List<int[][]> announced = new ArrayList<>();
            List<Integer> sources = new ArrayList<>();
            while (stopped < world.size()) {
                JMessage message = java.util.Objects.requireNonNull(world.mprobe(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
                if (message.status().tag() == STOP) {
                    sources.add(message.status().source());
                    announced.add((int[][]) message.recv());
                    stopped++;
                } else {
                    check(message.recv(), message.status());
                }
            }
            drain(sources, announced);
            JRequest.awaitAll(unfinished);
            world.barrier();
            assertNull(world.iprobe(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
        }

        private void drain(List<Integer> sources, List<int[][]> announced) {
            for (int i = 0; i < sources.size(); i++) {
                for (int tag = 0; tag < TAGS; tag++) {
                    for (int priority = 1; priority <= Thread.MAX_PRIORITY; priority++) {
                        while (received[sources.get(i)][tag][priority]
                                < announced.get(i)[tag][priority]) {
                            JMessage message =
                                    java.util.Objects.requireNonNull(world.mprobe(sources.get(i), JHandle.ANY_TAG));
                            check(message.recv(), message.status());
                        }
                    }
                }
            }
        }

        private int size() {
            int kind = random.nextInt(100);
            if (kind < 80) {
                return HEAD + random.nextInt(60);
            }
            return HEAD + random.nextInt(kind < 97 ? 5_000 : 60_000);
        }

        private void sendOne() {
            int destination = random.nextInt(world.size());
            int tag = random.nextInt(TAGS);
            int priority = 1 + random.nextInt(Thread.MAX_PRIORITY);
            int number = sent[destination][tag][priority]++;
            int[] array = new int[size()];
            array[0] = number;
            array[1] = array.length;
            array[2] = world.rank();
            for (int i = HEAD; i < array.length; i++) {
                array[i] = number + i;
            }
            JComm way = world.priority(priority);
            switch (random.nextInt(4)) {
                case 0 -> unfinished.add(way.isend(array, destination, tag));
                case 1 -> unfinished.add(way.isend(JBuffer.of(array), destination, tag));
                case 2 -> unfinished.add(way.isend(new ArrayList<>(List.of(array)), destination, tag));
                default -> way.bsend(JBuffer.of(array), destination, tag);
            }
        }

        private void receiveSome() {
            switch (random.nextInt(4)) {
                case 0 -> {
                    JStatus there = world.iprobe(JHandle.ANY_SOURCE, random.nextInt(TAGS));
                    if (there != null) {
                        JMessage message = java.util.Objects.requireNonNull(world.mprobe(there.source(), there.tag()));
                        check(message.recv(), message.status());
                    }
                }
                case 1 -> {
                    JRequest<Object> request = world.irecv(random.nextInt(world.size()), random.nextInt(TAGS));
                    if (!request.test() && request.cancel()) {
                        return;
                    }
                    check(request.await(), request.status());
                }
                default -> {
                    JMessage message = world.improbe(random.nextInt(world.size()), random.nextInt(TAGS));
                    if (message != null) {
                        check(message.recv(), message.status());
                    }
                }
            }
        }

        private void check(Object message, JStatus status) {
            int[] array = message instanceof List<?> list ? (int[]) list.getFirst() : (int[]) message;
            assertEquals(received[status.source()][status.tag()][status.priority()]++, array[0]);
            assertEquals(array.length, array[1]);
            assertEquals(status.source(), array[2]);
            for (int i = HEAD; i < array.length; i++) {
                assertEquals(array[0] + i, array[i]);
            }
        }
    }
}
