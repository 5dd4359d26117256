package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What two threads do at the same moment to a connection; what found the races first is {@code bench/run shared}. */
@Timeout(60)
class SharedRacesTest {
    private static final int ROUNDS = 20_000;

    @TempDir
    private Path directory;

    private final Endpoint<Area, Area> endpoint =
            Endpoint.<Area, Area>builder().name("echo").build();

    @BeforeEach
    void serve() {
        endpoint.serve(1, request -> request.reply(request.body()));
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    private Path path() {
        return directory.resolve("echo");
    }

    private static Area number(SharedEndpoint client, int number) {
        Area area = client.allocate(64);
        area.segment().set(ValueLayout.JAVA_INT, 0, number);
        return area;
    }

    private static void assertAllBack(SharedEndpoint client) {
        Waiting.until("no area in use", () -> client.statistics().areaBytes() == 0);
        assertEquals(0, client.statistics().abandoned());
    }

    @Test
    void anAnswerThatComesTogetherWithAnInterruptIsNotLost() throws Exception {
        try (var _ = PublishedEndpoint.at(path()).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            FutureTask<Integer> calls = new FutureTask<>(() -> {
                int interrupted = 0;
                for (int i = 0; i < ROUNDS; i++) {
                    Area area = number(client, i);
                    try (area;
                            Area answer = client.call(area)) {
                        assertEquals(i, answer.segment().get(ValueLayout.JAVA_INT, 0));
                    } catch (InterruptedException e) {
                        interrupted++;
                    }
                }
                return interrupted;
            });
            Thread caller = Thread.ofPlatform().start(calls);
            for (int i = 0; !calls.isDone(); i++) {
                caller.interrupt();
                for (int pause = 0; pause < i % 1000; pause++) {
                    Thread.onSpinWait();
                }
            }
            assertTrue(calls.get() > 0);
            assertAllBack(client);
        }
    }

    /** A request that waits raises a server; one that is given up while it waits must not do so for ever. */
    @Test
    void whatIsGivenUpRaisesNobodyAnyMore() throws Exception {
        Needs.realTime();
        CountDownLatch gate = new CountDownLatch(1);
        AtomicReference<LinuxThread> server = new AtomicReference<>();
        try (Endpoint<Area, Area> raised = Endpoint.<Area, Area>builder()
                        .name("raised")
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.NICE))
                        .build();
                var _ = PublishedEndpoint.at(path()).publish(raised);
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            raised.serve(1, request -> {
                server.set(LinuxThread.current());
                gate.await();
                request.reply(request.body());
            });
            Reply<Area> first = client.send(1, number(client, 1));
            Waiting.until("the server busy", () -> server.get() != null);
            Reply<Area> second = client.send(10, number(client, 2));
            Waiting.until("the server raised", () -> server.get().get().nice() < 0);
            assertTrue(second.cancel(false));
            gate.countDown();
            first.get().close();
            client.send(1, number(client, 3)).get().close();
            Waiting.until("the server back", () -> server.get().get().nice() > 0);
            assertAllBack(client);
        }
    }
}
