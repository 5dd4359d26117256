package ayatori.server;

import static ayatori.server.NumberedArea.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A request that a server has a server in another process answer: three processes, of which this is the client's. */
@Timeout(120)
class DelegationTest {
    private static final int ORDINARY = 20;

    @TempDir
    private Path directory;

    private SharedServerProcess last;
    private SharedServerProcess first;
    private SharedEndpoint client;

    @BeforeEach
    void start() throws IOException {
        Path second = directory.resolve("second");
        last = new SharedServerProcess(second, 1, List.of());
        first = new SharedServerProcess(directory.resolve("first"), 1, List.of(), second.toString());
        client = SharedEndpoint.connect(directory.resolve("first"));
    }

    @AfterEach
    void end() {
        client.close();
        first.close();
        last.close();
    }

    private Area area(int number, int next) {
        Area area = client.allocate(64);
        area.segment().set(ValueLayout.JAVA_INT, 0, number);
        area.segment().set(ValueLayout.JAVA_INT, 4, next);
        return area;
    }

    @Test
    void theOtherServerAnswersTheClient() throws Exception {
        for (int i = 0; i < 500; i++) {
            assertEquals(2 * i, number(client.call(area(SharedServerProcess.FORWARD, i))));
            assertEquals(
                    2 * i,
                    number(client.send(area(SharedServerProcess.FORWARD, i)).get()));
            assertEquals(
                    2 * i,
                    client.send(area(SharedServerProcess.FORWARD, i))
                            .thenApply(NumberedArea::number)
                            .get());
            assertEquals(2 * i, number(client.call(area(i, 0))));
        }
        assertEquals(0, client.statistics().areaBytes());
        assertEquals(0, client.statistics().abandoned());
    }

    @Test
    void whatTheClientLendsGoesAlong() throws Exception {
        Needs.realTime();
        FutureTask<Area> call = new FutureTask<>(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(30));
            return client.call(area(SharedServerProcess.FORWARD_TO_HOLD, 0));
        });
        Thread.ofPlatform().start(call);
        LinuxThread holding = last.threads().getFirst();
        Waiting.until("the last server lent", () -> holding.effectiveRank() == 130);
        assertEquals(ORDINARY, first.threads().getFirst().effectiveRank(), "the first is not any more");
        assertEquals(8, number(client.call(area(4, 0))), "and serves others");
        last.letGo();
        call.get().close();
        Waiting.until("back", () -> holding.effectiveRank() == ORDINARY);
    }

    @Test
    void whatIsGivenUpComesBack() throws Exception {
        assertThrows(
                TimeoutException.class,
                () -> client.call(area(SharedServerProcess.FORWARD_TO_HOLD, 0), Duration.ofMillis(300)));
        assertEquals(1, client.statistics().abandoned());
        last.letGo();
        Waiting.until("back", () -> client.statistics().areaBytes() == 0);
    }

    @Test
    void theEndOfTheOtherServerIsAnAnswer() throws Exception {
        FutureTask<Area> call = new FutureTask<>(() -> client.call(area(SharedServerProcess.FORWARD_TO_HOLD, 0)));
        Thread.ofPlatform().start(call);
        Reply<Area> sent = client.send(area(SharedServerProcess.FORWARD_TO_HOLD, 0));
        assertEquals(8, number(client.call(area(4, 0))));
        assertEquals(10, number(client.call(area(5, 0))));
        last.kill();
        Throwable called = assertThrows(ExecutionException.class, call::get).getCause();
        Throwable why = assertInstanceOf(ExecutionException.class, called).getCause();
        assertTrue(assertInstanceOf(ServerException.class, why).toString().contains("has ended"), why::toString);
        assertInstanceOf(
                ServerException.class,
                assertThrows(ExecutionException.class, sent::get).getCause());
        ExecutionException refused =
                assertThrows(ExecutionException.class, () -> client.call(area(SharedServerProcess.FORWARD, 1)));
        assertTrue(String.valueOf(refused.getCause()).contains("has ended"), refused::toString);
        assertEquals(8, number(client.call(area(4, 0))));
        Waiting.until("all back", () -> client.statistics().areaBytes() == 0);
    }

    @Test
    void theEndOfTheFirstServerIsAnAnswerToo() throws Exception {
        FutureTask<Area> call = new FutureTask<>(() -> client.call(area(SharedServerProcess.FORWARD_TO_HOLD, 0)));
        Thread.ofPlatform().start(call);
        assertEquals(8, number(client.call(area(4, 0))));
        first.kill();
        Throwable called = assertThrows(ExecutionException.class, call::get).getCause();
        assertInstanceOf(
                ServerDiedException.class,
                assertInstanceOf(ExecutionException.class, called).getCause());
        last.letGo();
        try (SharedEndpoint direct = SharedEndpoint.connect(directory.resolve("second"))) {
            Area area = direct.allocate(64);
            MemorySegment segment = area.segment();
            segment.set(ValueLayout.JAVA_INT, 0, 6);
            assertEquals(12, number(direct.call(area)));
        }
    }
}
