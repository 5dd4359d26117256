package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.pool.ReusableThreadPool;
import ayatori.sched.Waiting;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What an endpoint does with requests, whatever the kernel knows of priorities. */
class EndpointTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

    private static Endpoint<Integer, Integer> endpoint() {
        return Endpoint.<Integer, Integer>builder().name("doubler").build();
    }

    private static void twice(Request<Integer, Integer> request) {
        request.reply(2 * request.body());
    }

    /** Keeps the only server until the gate opens; then it answers, and notes what it is asked. */
    private Endpoint<Integer, Integer> blocked(EndpointBuilder<Integer, Integer> builder) throws InterruptedException {
        Endpoint<Integer, Integer> endpoint = builder.build();
        endpoint.serve(1, request -> {
            gate.await();
            order.add(request.body());
            request.reply(0);
        });
        var _ = endpoint.send(5, -1);
        Waiting.until("the server busy", () -> endpoint.statistics().taken() == 1);
        return endpoint;
    }

    @Test
    void callsAndSendsAreAnswered() throws Exception {
        try (Endpoint<Integer, Integer> endpoint = endpoint()) {
            endpoint.serve(2, EndpointTest::twice);
            assertEquals(6, endpoint.call(3));
            assertEquals(8, endpoint.call(4, Duration.ofSeconds(30)));
            assertEquals(11, endpoint.send(5).thenApply(answer -> answer + 1).get());
            EndpointStatistics now = endpoint.statistics();
            assertEquals(3, now.requests());
            assertEquals(3, now.taken());
            assertEquals(3, now.wakes() + now.wakesSkipped());
        }
    }

    @Test
    void whatAHandlerThrowsIsTheAnswerAndTheServerGoesOn() throws Exception {
        try (Endpoint<Integer, Integer> endpoint = endpoint()) {
            endpoint.serve(1, request -> request.reply(12 / request.body()));
            ExecutionException thrown = assertThrows(ExecutionException.class, () -> endpoint.call(0));
            assertInstanceOf(ArithmeticException.class, thrown.getCause());
            assertEquals(4, endpoint.call(3));
        }
    }

    @Test
    void theMostImportantRequestIsTakenFirstAndEqualOnesInTheirOrder() throws Exception {
        Endpoint<Integer, Integer> endpoint = blocked(Endpoint.builder());
        for (int body : new int[] {20, 70, 50, 71, 90, 21}) {
            var _ = endpoint.send(body / 10, body);
        }
        gate.countDown();
        endpoint.close();
        assertEquals(List.of(-1, 90, 70, 71, 50, 20, 21), order);
    }

    @Test
    void withoutAProtocolRequestsAreTakenInTheOrderInWhichTheyCame() throws Exception {
        Endpoint<Integer, Integer> endpoint =
                blocked(Endpoint.<Integer, Integer>builder().protocol(PriorityProtocol.NONE));
        for (int body : new int[] {20, 70, 50, 71}) {
            var _ = endpoint.send(body / 10, body);
        }
        gate.countDown();
        endpoint.close();
        assertEquals(List.of(-1, 20, 70, 50, 71), order);
    }

    @Test
    void aServerWithoutAProtocolCallsAtThePriorityOfItsThread() throws Exception {
        try (Endpoint<Integer, Integer> last = endpoint();
                Endpoint<Integer, Integer> first = Endpoint.<Integer, Integer>builder()
                        .protocol(PriorityProtocol.NONE)
                        .build()) {
            last.serve(1, request -> request.reply(request.priority()));
            first.serve(1, request -> request.reply(last.call(request.body())));
            assertEquals(Thread.currentThread().getPriority(), first.call(0));
        }
    }

    @Test
    void aRequestThatHasWaitedForTooLongComesFirst() throws Exception {
        Endpoint<Integer, Integer> endpoint =
                blocked(Endpoint.<Integer, Integer>builder().ageingLimit(Duration.ofNanos(1)));
        for (int body : new int[] {20, 70, 50, 71}) {
            var _ = endpoint.send(body / 10, body);
        }
        gate.countDown();
        endpoint.close();
        assertEquals(List.of(-1, 20, 70, 50, 71), order, "all of them have");
    }

    @Test
    void oneThatHasNotWaitedForThatLongDoesNot() throws Exception {
        Endpoint<Integer, Integer> endpoint =
                blocked(Endpoint.<Integer, Integer>builder().ageingLimit(Duration.ofDays(1)));
        for (int body : new int[] {20, 70, 50, 71}) {
            var _ = endpoint.send(body / 10, body);
        }
        gate.countDown();
        endpoint.close();
        assertEquals(List.of(-1, 70, 71, 50, 20), order);
    }

    @Test
    void aRequestThatIsNoLongerWantedIsNeverTaken() throws Exception {
        Endpoint<Integer, Integer> endpoint = blocked(Endpoint.builder());
        TimeoutException late = assertThrows(TimeoutException.class, () -> endpoint.call(1, Duration.ofMillis(1)));
        assertEquals("no answer of endpoint " + endpoint.name() + " in time", late.getMessage());
        Reply<Integer> cancelled = endpoint.send(2);
        assertTrue(cancelled.cancel(false));
        FutureTask<Integer> interrupted = new FutureTask<>(() -> endpoint.call(3));
        Thread caller = Thread.ofPlatform().start(interrupted);
        Waiting.until("the call", () -> endpoint.statistics().waiting() == 1);
        caller.interrupt();
        assertInstanceOf(
                InterruptedException.class,
                assertThrows(ExecutionException.class, interrupted::get).getCause());
        Reply<Integer> timedOut = endpoint.send(5);
        assertThrows(CompletionException.class, timedOut.orTimeout(1, TimeUnit.MILLISECONDS)::join);
        assertTrue(endpoint.send(6).complete(0));
        Waiting.until("all taken back", () -> endpoint.statistics().waiting() == 0);
        Reply<Integer> last = endpoint.send(4);
        gate.countDown();
        assertEquals(0, last.get());
        endpoint.close();
        assertEquals(List.of(-1, 4), order);
        assertThrows(CancellationException.class, cancelled::get);
    }

    @Test
    void whoSendsMoreThanMayWaitIsKeptUntilThatIsTaken() throws Exception {
        Endpoint<Integer, Integer> endpoint =
                blocked(Endpoint.<Integer, Integer>builder().capacity(1));
        var _ = endpoint.send(1);
        FutureTask<Reply<Integer>> second = new FutureTask<>(() -> endpoint.send(2));
        Thread sender = Thread.ofPlatform().start(second);
        Waiting.until("the sender waits", () -> sender.getState() == Thread.State.WAITING);
        FutureTask<Reply<Integer>> third = new FutureTask<>(() -> endpoint.send(3));
        Thread givesUp = Thread.ofPlatform().start(third);
        Waiting.until("the other waits", () -> givesUp.getState() == Thread.State.WAITING);
        givesUp.interrupt();
        assertInstanceOf(
                InterruptedException.class,
                assertThrows(ExecutionException.class, third::get).getCause());
        assertFalse(second.isDone());
        gate.countDown();
        assertEquals(0, second.get().get());
        endpoint.close();
        assertEquals(List.of(-1, 1, 2), order);
    }

    @Test
    void whoSendsMoreThanMayWaitMayGiveUp() throws Exception {
        Endpoint<Integer, Integer> endpoint =
                blocked(Endpoint.<Integer, Integer>builder().capacity(1));
        Reply<Integer> first = endpoint.send(1, Duration.ZERO);
        assertThrows(TimeoutException.class, () -> endpoint.send(2, Duration.ZERO));
        assertThrows(TimeoutException.class, () -> endpoint.send(9, 3, Duration.ofSeconds(-1)));
        assertEquals(2, endpoint.statistics().requests(), "nobody has been disturbed for those");
        assertThrows(TimeoutException.class, () -> endpoint.send(9, 4, Duration.ofMillis(1)));
        assertEquals(1, endpoint.statistics().waiting());
        FutureTask<Reply<Integer>> inTime = new FutureTask<>(() -> endpoint.send(5, Duration.ofSeconds(60)));
        Thread sender = Thread.ofPlatform().start(inTime);
        Waiting.until("the sender waits", () -> sender.getState() == Thread.State.TIMED_WAITING);
        gate.countDown();
        assertEquals(0, first.get());
        assertEquals(0, inTime.get().get());
        endpoint.close();
        assertEquals(List.of(-1, 1, 5), order);
        assertThrows(RejectedExecutionException.class, () -> endpoint.send(6, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> endpoint.send(11, 6, Duration.ZERO));
    }

    @Test
    void aRequestForWhichThereIsNoRoomInTimeIsTakenBackOrAnswered() throws Exception {
        try (Endpoint<Integer, Integer> endpoint =
                Endpoint.<Integer, Integer>builder().capacity(1).build()) {
            endpoint.serve(1, EndpointTest::twice);
            List<FutureTask<Integer>> senders = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                senders.add(new FutureTask<>(() -> {
                    int sent = 0;
                    for (int number = 0; number < 3_000; number++) {
                        try {
                            Reply<Integer> reply = endpoint.send(number, Duration.ofNanos(100L * (number % 500)));
                            sent++;
                            if (number % 2 == 0) {
                                assertEquals(2 * number, reply.get());
                            }
                        } catch (TimeoutException e) {
                            // the next one
                        }
                    }
                    return sent;
                }));
                Thread.ofPlatform().start(senders.getLast());
            }
            int sent = 0;
            for (FutureTask<Integer> sender : senders) {
                sent += sender.get();
            }
            int all = sent;
            Waiting.until("all taken", () -> endpoint.statistics().taken() >= all);
            assertEquals(0, endpoint.statistics().waiting());
            assertEquals(all, endpoint.statistics().taken());
        }
    }

    @Test
    void aForwardedRequestIsAnsweredByTheOtherServer() throws Exception {
        AtomicReference<Thread> answerer = new AtomicReference<>();
        AtomicReference<Integer> priority = new AtomicReference<>();
        try (Endpoint<String, Integer> blocks =
                        Endpoint.<String, Integer>builder().build();
                Endpoint<Integer, Integer> files = endpoint()) {
            blocks.serve(1, request -> {
                answerer.set(Thread.currentThread());
                priority.set(request.priority());
                request.reply(request.body().length());
            });
            files.serve(1, request -> request.forward(blocks, "x".repeat(request.body())));
            assertEquals(7, files.send(3, 7).get());
            assertEquals(3, priority.get());
            assertTrue(answerer.get().getName().startsWith(blocks.name()), answerer.get()::toString);
        }
    }

    @Test
    void whoHasForwardedARequestAnswersItNoMore() throws Exception {
        try (Endpoint<Integer, Integer> blocks = endpoint();
                Endpoint<Integer, Integer> files = endpoint()) {
            CountDownLatch tried = new CountDownLatch(2);
            AtomicBoolean wanted = new AtomicBoolean();
            blocks.serve(1, request -> {
                tried.await();
                request.reply(request.body());
            });
            files.serve(1, request -> {
                if (request.body() == 0) { // the one before has ended
                    tried.countDown();
                    request.reply(0);
                    return;
                }
                request.forward(blocks, request.body());
                wanted.set(request.reply(-1));
                tried.countDown();
                throw new IllegalStateException("after it has forwarded");
            });
            Reply<Integer> reply = files.send(7);
            assertEquals(0, files.call(0));
            assertEquals(7, reply.get());
            assertFalse(wanted.get());
        }
    }

    @Test
    void aForwardToAClosedEndpointIsTheClientsAnswer() throws Exception {
        Endpoint<Integer, Integer> closed = endpoint();
        closed.close();
        try (Endpoint<Integer, Integer> files = endpoint()) {
            files.serve(1, request -> request.forward(closed, 1));
            assertInstanceOf(
                    RejectedExecutionException.class,
                    assertThrows(ExecutionException.class, () -> files.call(1)).getCause());
        }
    }

    @Test
    void anAnswerMayComeLaterFromAnotherThread() throws Exception {
        try (Endpoint<Integer, Integer> endpoint = endpoint()) {
            List<Request<Integer, Integer>> later = Collections.synchronizedList(new ArrayList<>());
            endpoint.serve(1, request -> {
                if (!later.isEmpty()) {
                    later.removeFirst().reply(request.body());
                    request.reply(0);
                } else {
                    later.add(request);
                }
            });
            Reply<Integer> first = endpoint.send(1);
            assertEquals(0, endpoint.call(2));
            assertEquals(2, first.get());
        }
    }

    @Test
    void aThreadServesByItself() throws Exception {
        Endpoint<Integer, Integer> endpoint = endpoint();
        Reply<Integer> early = endpoint.send(1);
        try (Server<Integer, Integer> server = endpoint.server()) {
            assertThrows(IllegalStateException.class, endpoint::server, "it is one already");
            Request<Integer, Integer> first = server.receive().orElseThrow();
            assertSame(1, first.body());
            Reply<Integer> late = endpoint.send(2);
            Request<Integer, Integer> second = server.replyAndReceive(first, 10).orElseThrow();
            assertEquals(10, early.getNow(0));
            assertThrows(TimeoutException.class, () -> server.receive(Duration.ofMillis(1)));
            second.fail(new IllegalArgumentException("two"));
            assertInstanceOf(
                    IllegalArgumentException.class,
                    assertThrows(CompletionException.class, late::join).getCause());
            var _ = endpoint.send(3);
            endpoint.close();
            assertTrue(server.receive().isPresent(), "what waits is still answered");
            assertEquals(Optional.empty(), server.receive());
        }
        try (Endpoint<Integer, Integer> next = endpoint();
                Server<Integer, Integer> again = next.server()) {
            assertThrows(TimeoutException.class, () -> again.receive(Duration.ofMillis(1)));
        }
    }

    @Test
    void aServerThatFallsAsleepHasNotOverlookedARequest() throws Exception {
        try (Endpoint<Integer, Integer> endpoint = endpoint()) {
            endpoint.serve(3, EndpointTest::twice);
            List<FutureTask<Long>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(new FutureTask<>(() -> {
                    long sum = 0;
                    for (int call = 0; call < 5_000; call++) {
                        sum += endpoint.call(call, Duration.ofSeconds(30));
                    }
                    return sum;
                }));
                Thread.ofPlatform().priority(1 + 3 * i).start(clients.getLast());
            }
            for (FutureTask<Long> client : clients) {
                assertEquals(5_000L * 4_999, client.get());
            }
            assertEquals(20_000, endpoint.statistics().taken());
            assertEquals(0, endpoint.statistics().waiting());
        }
    }

    @Test
    void aClosedEndpointRefusesRequestsAndFailsThoseThatNobodyServes() throws Exception {
        Endpoint<Integer, Integer> endpoint = endpoint();
        Reply<Integer> never = endpoint.send(1);
        endpoint.close();
        assertInstanceOf(
                RejectedExecutionException.class,
                assertThrows(ExecutionException.class, never::get).getCause());
        assertThrows(RejectedExecutionException.class, () -> endpoint.call(2));
        assertThrows(RejectedExecutionException.class, endpoint::server);
    }

    @Test
    void whatWasAcceptedBeforeTheCloseIsAnswered() throws Exception {
        for (int i = 0; i < 100; i++) {
            Endpoint<Integer, Integer> endpoint = endpoint();
            endpoint.serve(1, EndpointTest::twice);
            Reply<Integer> reply = endpoint.send(i);
            endpoint.close();
            assertEquals(2 * i, reply.get());
        }
    }

    @Test
    void twoHandlersMayCloseTheirEndpoint() throws Exception {
        Endpoint<Integer, Integer> endpoint = endpoint();
        CountDownLatch both = new CountDownLatch(2);
        endpoint.serve(2, request -> {
            both.countDown();
            both.await();
            endpoint.close();
            request.reply(0);
        });
        Reply<Integer> first = endpoint.send(1);
        Reply<Integer> second = endpoint.send(2);
        assertEquals(0, first.get());
        assertEquals(0, second.get());
        endpoint.close();
    }

    @Test
    void anInterruptThatAHandlerLeavesBehindIsNotTheNextOnes() throws Exception {
        try (Endpoint<Integer, Integer> endpoint = endpoint()) {
            endpoint.serve(1, request -> {
                gate.await();
                request.reply(Thread.currentThread().isInterrupted() ? 1 : 0);
                Thread.currentThread().interrupt();
            });
            Reply<Integer> first = endpoint.send(1);
            Reply<Integer> second = endpoint.send(2);
            gate.countDown();
            assertEquals(0, first.get());
            assertEquals(0, second.get());
        }
    }

    @Test
    void aRequestThatIsLentLessThanBeforeKeepsThatPlace() throws Exception {
        Endpoint<Integer, Integer> endpoint = blocked(Endpoint.builder());
        Reply<Integer> low = endpoint.send(2, 20);
        FutureTask<Integer> nine = new FutureTask<>(low::get);
        Thread givesUp = Thread.ofPlatform().priority(9).start(nine);
        Waiting.until("nine waits", () -> givesUp.getState() == Thread.State.WAITING);
        FutureTask<Integer> eight = new FutureTask<>(low::get);
        Thread waits = Thread.ofPlatform().priority(8).start(eight);
        Waiting.until("eight waits", () -> waits.getState() == Thread.State.WAITING);
        givesUp.interrupt();
        assertThrows(ExecutionException.class, nine::get);
        var _ = endpoint.send(5, 50);
        gate.countDown();
        endpoint.close();
        assertEquals(List.of(-1, 20, 50), order);
    }

    @Test
    void aRequestThatWasTakenAtALentPriorityIsForgottenAtItsOwn() throws Exception {
        Endpoint<Object, Integer> endpoint =
                Endpoint.<Object, Integer>builder().name("forgets").build();
        try (Server<Object, Integer> server = endpoint.server()) {
            WeakReference<Object> body = sendAndAwaitAt(endpoint, server);
            var _ = endpoint.send(5, "next");
            assertEquals("next", server.receive().orElseThrow().body());
            Waiting.until("forgotten", () -> {
                System.gc();
                return body.get() == null;
            });
        }
        endpoint.close();
    }

    /** A low request that a high thread waits for, and that has been answered. */
    private static WeakReference<Object> sendAndAwaitAt(
            Endpoint<Object, Integer> endpoint, Server<Object, Integer> server) throws Exception {
        Object body = new Object();
        Reply<Integer> low = endpoint.send(1, body);
        Thread waits = Thread.ofPlatform().priority(9).start(low::join);
        Waiting.until("nine waits", () -> waits.getState() == Thread.State.WAITING);
        Request<Object, Integer> taken = server.receive().orElseThrow();
        assertEquals(9, taken.level());
        taken.reply(1);
        waits.join();
        return new WeakReference<>(body);
    }

    @Test
    void aVirtualThreadOrAPoolsWorkerIsNoServer() throws Exception {
        try (Endpoint<Integer, Integer> endpoint = endpoint();
                ReusableThreadPool pool =
                        ReusableThreadPool.builder().maximumThreads(1).build()) {
            FutureTask<Server<Integer, Integer>> virtual = new FutureTask<>(endpoint::server);
            Thread.startVirtualThread(virtual);
            assertInstanceOf(
                    IllegalStateException.class,
                    assertThrows(ExecutionException.class, virtual::get).getCause());
            assertInstanceOf(
                    IllegalStateException.class,
                    assertThrows(ExecutionException.class, pool.submit(endpoint::server)::get)
                            .getCause());
            endpoint.serve(1, EndpointTest::twice);
            assertEquals(4, pool.submit(() -> endpoint.call(2)).get(), "but it may call");
        }
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        EndpointBuilder<Integer, Integer> builder = Endpoint.builder();
        assertThrows(IllegalArgumentException.class, () -> builder.capacity(0));
        assertThrows(IllegalArgumentException.class, () -> builder.ceiling(11));
        assertThrows(IllegalArgumentException.class, () -> builder.ageingLimit(Duration.ZERO));
        EndpointBuilder<Integer, Integer> low =
                Endpoint.<Integer, Integer>builder().ceiling(5);
        assertThrows(IllegalStateException.class, low::build);
        low.protocol(PriorityProtocol.CEILING).build().close();
        try (Endpoint<Integer, Integer> endpoint = builder.build()) {
            assertThrows(IllegalArgumentException.class, () -> endpoint.send(0, 1));
            assertThrows(IllegalArgumentException.class, () -> endpoint.serve(0, EndpointTest::twice));
        }
    }
}
