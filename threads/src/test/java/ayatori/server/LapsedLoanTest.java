package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a server is lent comes to an end while a request waits that raised nobody, since the server was above it. Under static,
 * priority p is RR 2p, and lends RR 2p - 1.
 */
class LapsedLoanTest {
    /** By what is asked: who finds one waits there. */
    private final Map<String, CountDownLatch> gates = Map.of(
            "wait", new CountDownLatch(1), "wait too", new CountDownLatch(1), "wait urgently", new CountDownLatch(1));

    private final Map<String, LinuxThread> servers = new ConcurrentHashMap<>();
    private final Map<String, Integer> afterwards = new ConcurrentHashMap<>();
    private final Endpoint<String, Integer> endpoint = Endpoint.<String, Integer>builder()
            .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
            .build();

    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    @AfterEach
    void close() {
        gates.values().forEach(CountDownLatch::countDown);
        endpoint.close();
    }

    private void serve(int threads) {
        endpoint.serve(threads, request -> {
            LinuxThread server = LinuxThread.current();
            servers.put(request.body(), server);
            if (gates.containsKey(request.body())) {
                await(request.body());
            }
            request.reply(0);
            afterwards.put(request.body(), server.get().staticPriority());
        });
    }

    private Reply<Integer> keep(int priority, String body) throws InterruptedException {
        Reply<Integer> reply = endpoint.send(priority, body);
        Waiting.until("a server with " + body, () -> servers.containsKey(body));
        return reply;
    }

    private LinuxThread server(String body) {
        return Objects.requireNonNull(servers.get(body), body);
    }

    private void untilValue(String body, int value) {
        LinuxThread server = server(body);
        Waiting.until(server + " at RR " + value, () -> server.get().staticPriority() == value);
    }

    private void await(String body) throws InterruptedException {
        Objects.requireNonNull(gates.get(body), body).await(20, TimeUnit.SECONDS);
    }

    private void open(String body) {
        Objects.requireNonNull(gates.get(body), body).countDown();
    }

    private Thread waiter(int priority, Reply<Integer> reply) {
        return Thread.ofPlatform().priority(priority).start(new FutureTask<>(reply::get));
    }

    @Test
    void itIsNotBelowTheOneThatWaitsWhenItHasAnswered() throws Exception {
        serve(1);
        Reply<Integer> low = keep(2, "wait");
        Thread waiter = waiter(9, low);
        untilValue("wait", 17);
        Reply<Integer> urgent = endpoint.send(8, "urgent");
        assertEquals(17, server("wait").get().staticPriority());
        open("wait");
        Waiting.until("both", urgent::isDone);
        waiter.join();
        assertEquals(15, afterwards.get("wait"), "before it took the urgent one");
        untilValue("urgent", 16);
    }

    @Test
    void norWhenTheThreadThatLentGivesUp() throws Exception {
        serve(1);
        Thread waiter = waiter(9, keep(2, "wait"));
        untilValue("wait", 17);
        Reply<Integer> urgent = endpoint.send(8, "urgent");
        waiter.interrupt();
        waiter.join();
        untilValue("wait", 15);
        assertTrue(urgent.cancel(false));
        untilValue("wait", 4);
    }

    @Test
    void norWhenAMoreImportantRequestIsTakenBack() throws Exception {
        serve(1);
        var _ = keep(2, "wait");
        Reply<Integer> more = endpoint.send(9, "more");
        untilValue("wait", 17);
        var _ = endpoint.send(8, "urgent");
        var _ = endpoint.send(7, "less urgent");
        assertTrue(more.cancel(false));
        untilValue("wait", 15);
    }

    @Test
    void norWhenAnotherServerTakesThat() throws Exception {
        serve(2);
        var _ = keep(9, "wait too");
        var _ = keep(2, "wait");
        var _ = endpoint.send(9, "wait urgently");
        untilValue("wait", 17);
        var _ = endpoint.send(8, "urgent");
        open("wait too");
        Waiting.until("the other server with it", () -> servers.containsKey("wait urgently"));
        untilValue("wait", 15);
    }

    @Test
    void eachServerIsRaisedForARequestOfItsOwn() throws Exception {
        serve(2);
        Reply<Integer> one = keep(2, "wait");
        Reply<Integer> other = keep(3, "wait too");
        Thread lendsToOne = waiter(9, one);
        Thread lendsToOther = waiter(9, other);
        untilValue("wait", 17);
        untilValue("wait too", 17);
        var _ = endpoint.send(8, "urgent");
        var _ = endpoint.send(7, "less urgent");
        lendsToOther.interrupt();
        untilValue("wait too", 15);
        lendsToOne.interrupt();
        untilValue("wait", 13);
        lendsToOne.join();
        lendsToOther.join();
    }

    @Test
    void whatTheKernelLendsDoesNotCountAsTheServersOwn(@TempDir Path directory) throws Exception {
        AtomicReference<LinuxThread> server = new AtomicReference<>(LinuxThread.current());
        CountDownLatch taken = new CountDownLatch(1);
        Path path = directory.resolve("lent");
        try (Endpoint<Area, Area> shared = Endpoint.<Area, Area>builder()
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                var _ = PublishedEndpoint.at(path).publish(shared);
                SharedEndpoint client = SharedEndpoint.connect(path, 1 << 20)) {
            shared.serve(1, request -> {
                server.set(LinuxThread.current());
                if (request.priority() == 9) {
                    taken.countDown();
                    await("wait");
                }
                request.reply(request.body());
            });
            client.send(2, client.allocate(64)).get().close();
            FutureTask<Area> lends = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(30));
                return client.call(client.allocate(64));
            });
            Thread.ofPlatform().priority(9).start(lends);
            taken.await();
            Waiting.until("lent", () -> server.get().effectiveRank() == 130);
            assertEquals(4, server.get().get().staticPriority(), "its own");
            Reply<Area> urgent = client.send(7, client.allocate(64));
            Waiting.until("raised too", () -> server.get().get().staticPriority() == 13);
            assertEquals(130, server.get().effectiveRank());
            open("wait");
            lends.get().close();
            urgent.get().close();
        }
    }
}
