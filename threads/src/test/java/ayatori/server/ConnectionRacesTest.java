package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static ayatori.server.NumberedArea.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a client's request and its priority when two things happen at once. */
@Timeout(60)
class ConnectionRacesTest {
    private static final PriorityLadder LADDER = PriorityLadder.of(PriorityLadder.Policy.STATIC);
    private static final int HOLD = -1;

    @TempDir
    private Path directory;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Queue<LinuxThread> holding = new ConcurrentLinkedQueue<>();

    /** Lets go of the servers that hold a request, before their endpoint is closed. */
    private final class Opener implements AutoCloseable {
        @Override
        public void close() {
            gate.countDown();
        }
    }

    private Path path() {
        return directory.resolve("endpoint");
    }

    /** Waits at the gate if it is asked to, and answers with its real-time value. */
    private void answer(Request<Area, Area> request) throws InterruptedException {
        if (request.body().segment().get(ValueLayout.JAVA_INT, 0) == HOLD) {
            holding.add(LinuxThread.current());
            gate.await();
        }
        int value = LinuxThread.current().effectiveRank() - 100;
        request.body().segment().set(ValueLayout.JAVA_INT, 0, value);
        request.reply(request.body());
    }

    private void keep(SharedEndpoint client, int priority) throws InterruptedException {
        int before = holding.size();
        var _ = client.send(priority, area(client, HOLD));
        Waiting.until("a server busy", () -> holding.size() > before);
    }

    private static void untilValue(LinuxThread thread, int value) {
        Waiting.until(thread + " at " + value, () -> thread.effectiveRank() - 100 == value);
    }

    @Test
    void whatAGivenUpRequestHasRaisedGoesDownAgain() throws Exception {
        Needs.realTime();
        try (Endpoint<Area, Area> endpoint =
                        Endpoint.<Area, Area>builder().ladder(LADDER).build();
                var _ = PublishedEndpoint.at(path()).raisesItself().publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path());
                var _ = new Opener()) {
            endpoint.serve(1, this::answer);
            keep(client, 2);
            LinuxThread server = holding.element();
            untilValue(server, 4);
            Reply<Area> sent = client.send(8, area(client, 1));
            untilValue(server, 15);
            sent.cancel(false);
            gate.countDown();
            Waiting.until("given back", () -> client.statistics().abandoned() == 0);
            untilValue(server, 4);
        }
    }

    @Test
    void aRequestForWhichNobodyWaitsIsWorkedOnAtItsPriority() throws Exception {
        Needs.realTime();
        try (Endpoint<Area, Area> endpoint =
                        Endpoint.<Area, Area>builder().ladder(LADDER).build();
                var _ = PublishedEndpoint.at(path()).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path());
                var _ = new Opener()) {
            endpoint.serve(1, this::answer);
            keep(client, 2);
            FutureTask<Reply<Area>> send = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(30));
                return client.send(8, area(client, 1));
            });
            Thread.ofPlatform().start(send);
            Reply<Area> sent = send.get();
            Waiting.until("registered", () -> endpoint.statistics().waiting() == 1);
            FutureTask<Integer> answer = new FutureTask<>(() -> 0);
            var _ = sent.thenAccept(area -> {
                FutureTask<Integer> value = new FutureTask<>(() -> number(area));
                value.run();
                assertEquals(16, value.resultNow());
                answer.run();
            });
            gate.countDown();
            Waiting.until("answered", sent::isDone);
            Waiting.until("at its own priority", answer::isDone);
        }
    }

    @Test
    void theLowerOneOfTwoServersIsRaisedAlthoughTheOtherIsHigh() throws Exception {
        Needs.realTime();
        try (Endpoint<Area, Area> endpoint =
                        Endpoint.<Area, Area>builder().ladder(LADDER).build();
                var _ = PublishedEndpoint.at(path()).raisesItself().publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path());
                var _ = new Opener()) {
            endpoint.serve(2, this::answer);
            keep(client, 2);
            LinuxThread low = holding.element();
            keep(client, 9);
            untilValue(low, 4);
            var _ = client.send(7, area(client, 1));
            untilValue(low, 13);
        }
    }

    /** They go to sleep again as quickly as they are woken: who wakes until none sleeps does so for ever. */
    @Test
    @Timeout(60)
    void whoWakesAllServersEndsAlthoughTheyAreRealTime() throws Exception {
        Needs.realTime();
        try (Endpoint<Area, Area> endpoint =
                Endpoint.<Area, Area>builder().ladder(LADDER).build()) {
            endpoint.serve(2, this::answer);
            for (int i = 0; i < 50; i++) {
                try (var _ = PublishedEndpoint.at(path()).publish(endpoint);
                        SharedEndpoint client = SharedEndpoint.connect(path(), 4096)) {
                    client.call(area(client, 1)).close();
                }
            }
        }
    }

    /** An exception of a user's that cannot say what it is. */
    private static final class Speechless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    @Test
    void anExceptionWithoutWordsIsAnAnswerTooAndTheServerGoesOn() throws Exception {
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder().build();
                var _ = PublishedEndpoint.at(path()).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, request -> {
                if (request.body().segment().get(ValueLayout.JAVA_INT, 0) == HOLD) {
                    throw new Speechless();
                }
                request.reply(request.body());
            });
            ExecutionException thrown = assertThrows(
                    ExecutionException.class, () -> client.call(area(client, HOLD), Duration.ofSeconds(30)));
            assertEquals(
                    Speechless.class.getName(),
                    assertInstanceOf(ServerException.class, thrown.getCause()).getMessage());
            assertEquals(3, number(client.call(area(client, 3), Duration.ofSeconds(30))));
        }
    }

    @Test
    void serversThatLieDownWhileTheirEndpointIsPublishedHearOfRequests() throws Exception {
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder().build()) {
            endpoint.serve(2, request -> request.reply(request.body()));
            for (int i = 0; i < 300; i++) {
                try (var _ = PublishedEndpoint.at(path()).publish(endpoint);
                        SharedEndpoint client = SharedEndpoint.connect(path(), 4096)) {
                    assertEquals(i, number(client.call(area(client, i), Duration.ofSeconds(30))));
                }
            }
        }
    }

    @Test
    void whoGivesUpHarmsNoOtherRequest() throws Exception {
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder().build();
                var _ = PublishedEndpoint.at(path()).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, request -> request.reply(request.body()));
            FutureTask<Void> quitter = new FutureTask<>(() -> {
                for (int i = 0; i < 5000; i++) {
                    Reply<Area> sent = client.send(client.allocate(64));
                    if (i % 3 == 0) {
                        Thread.onSpinWait();
                    }
                    if (!sent.cancel(false)) {
                        sent.get().close();
                    }
                }
                return null;
            });
            Thread.ofPlatform().start(quitter);
            for (int i = 0; !quitter.isDone(); i++) {
                assertEquals(i, number(client.call(area(client, i))));
            }
            quitter.get();
            Waiting.until("all back", () -> client.statistics().areaBytes() == 0);
        }
    }

    @Test
    void aSecondCloseLeavesTheSuccessorsFile() throws Exception {
        Endpoint<Area, Area> first = Endpoint.<Area, Area>builder().build();
        PublishedEndpoint door = PublishedEndpoint.at(path()).publish(first);
        first.close();
        assertTrue(Files.notExists(path()));
        try (Endpoint<Area, Area> second = Endpoint.<Area, Area>builder().build();
                var _ = PublishedEndpoint.at(path()).publish(second)) {
            door.close();
            SharedEndpoint.connect(path()).close();
        }
    }
}
