package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.internal.shm.Messages;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of two servers, the test's thread, finds two requests of another process at once and takes the more important one; the other
 * server has nobody to tell it of the other request. Under static, priority p is RR 2p, and lends RR 2p - 1.
 */
class CollectedRequestsTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Map<Integer, LinuxThread> servers = new ConcurrentHashMap<>();

    @TempDir
    private Path directory;

    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    /** @param busy if the other server works on a request of priority 2 meanwhile; else it sleeps there */
    private void collectTwo(boolean busy) throws Exception {
        Path path = directory.resolve("collected");
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder()
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                var _ = PublishedEndpoint.at(path).raisesItself().publish(endpoint);
                SharedEndpoint neighbour = SharedEndpoint.connect(path, 1 << 20);
                RawClient client = new RawClient(path)) {
            try (Server<Area, Area> server = endpoint.server()) {
                endpoint.serve(1, request -> {
                    servers.put(request.priority(), LinuxThread.current());
                    if (busy && request.priority() == 2) {
                        gate.await();
                    }
                    request.reply(request.body());
                });
                Reply<Area> low = neighbour.send(2, neighbour.allocate(64));
                Waiting.until("the low one", () -> busy ? servers.containsKey(2) : low.isDone());
                long raises = endpoint.statistics().raises();
                for (int priority : new int[] {8, 9}) {
                    client.memory.fill(priority, new Descriptor(priority, 0, 64L * priority, 64, 64));
                    client.memory.submit(priority, 0); // and rings for nobody
                }
                Request<Area, Area> first = server.receive().orElseThrow();
                assertEquals(9, first.priority());
                Waiting.until("one raise", () -> endpoint.statistics().raises() == raises + 1);
                if (busy) {
                    assertEquals(
                            15, Objects.requireNonNull(servers.get(2)).get().staticPriority());
                }
                gate.countDown();
                Waiting.until("the other server", () -> servers.containsKey(8));
                first.reply(first.body());
                Waiting.until("an answer", () -> ConnectionMemory.phase(client.state(8)) == ConnectionMemory.ANSWERED);
            } finally {
                gate.countDown();
            }
        }
    }

    @Test
    void theOtherServerIsRaisedBeforeItIsWoken() throws Exception {
        collectTwo(false);
    }

    @Test
    void orWhereItWorks() throws Exception {
        collectTwo(true);
    }

    /** Rings for the test's thread, which has a request in hand and no CPU, as it were, one way or another. */
    private void isPushed(int others, Consumer<RawClient> rings) throws Exception {
        Path path = directory.resolve("collects");
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder()
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                var _ = PublishedEndpoint.at(path).raisesItself().publish(endpoint);
                RawClient client = new RawClient(path)) {
            try (Server<Area, Area> _ = endpoint.server()) {
                ServerThread server = endpoint.servers().iterator().next();
                for (int i = 0; i < others; i++) {
                    endpoint.serve(1, request -> request.reply(request.body()));
                }
                LinuxThread thread = LinuxThread.current();
                int own = thread.get().staticPriority();
                for (int i = 0; i < 100; i++) {
                    server.hasInHand(true); // at once after the time before, whose end who pushes may miss
                    try {
                        Waiting.until("pushed", () -> {
                            rings.accept(client); // again, since the others may not sleep yet
                            return thread.get().staticPriority() == 19;
                        });
                        if (i == 0) {
                            assertPushersSleep();
                        }
                    } finally {
                        server.hasInHand(false);
                    }
                    assertEquals(own, thread.get().staticPriority(), "where it does its work, whoever has pushed it");
                }
            }
        }
    }

    /** They may be more important than what they lend: who looks again and again leaves nothing of its CPU. */
    private void assertPushersSleep() throws InterruptedException {
        long before = cpuNanosOfOthers();
        assertFalse(gate.await(300, TimeUnit.MILLISECONDS), "nobody opens it here");
        long used = cpuNanosOfOthers() - before;
        assertTrue(used < 60_000_000, "of 300 ms " + used / 1_000_000 + " ms of CPU");
    }

    private static long cpuNanosOfOthers() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getAllThreadIds())
                .filter(id -> id != Thread.currentThread().threadId())
                .map(threads::getThreadCpuTime)
                .sum();
    }

    @Test
    void aServerThatCollectsIsPushedByWhoeverRings() throws Exception {
        isPushed(0, client -> client.socket.send(Messages.of(Messages.RING), UnixSocket.NO_DESCRIPTOR));
    }

    @Test
    void orByAnotherThatIsWokenForTheRequest() throws Exception {
        isPushed(1, client -> client.memory.ringBell());
    }
}
