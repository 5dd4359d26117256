package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static ayatori.server.NumberedArea.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a connection does with requests and areas; client and server are in one process, but know nothing of that. */
@Timeout(60)
class SharedEndpointTest {
    @TempDir
    private Path directory;

    private final Endpoint<Area, Area> endpoint =
            Endpoint.<Area, Area>builder().name("doubler").build();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

    private PublishedEndpoint publish() throws IOException {
        return PublishedEndpoint.at(path()).publish(endpoint);
    }

    private Path path() {
        return directory.resolve("doubler");
    }

    @AfterEach
    void close() {
        gate.countDown();
        endpoint.close();
    }

    private static void twice(Request<Area, Area> request) {
        MemorySegment segment = request.body().segment();
        segment.set(ValueLayout.JAVA_INT, 0, 2 * segment.get(ValueLayout.JAVA_INT, 0));
        request.body().length(4);
        request.reply(request.body());
    }

    /** Keeps the only server until the gate opens; then it notes what it is asked. */
    private void serveBehindGate(SharedEndpoint client) throws InterruptedException {
        endpoint.serve(1, request -> {
            gate.await();
            order.add(request.body().segment().get(ValueLayout.JAVA_INT, 0));
            request.reply(request.body());
        });
        var _ = client.send(5, area(client, -1));
        Waiting.until("the server busy", () -> endpoint.statistics().taken() == 1);
    }

    @Test
    void callsAndSendsAreAnswered() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(2, SharedEndpointTest::twice);
            Area answer = client.call(area(client, 3));
            assertEquals(4, answer.length());
            assertEquals(6, number(answer));
            assertEquals(8, number(client.call(area(client, 4), Duration.ofSeconds(30))));
            assertEquals(
                    11,
                    client.send(area(client, 5))
                            .thenApply(area -> number(area) + 1)
                            .get());
            assertEquals(12, number(client.send(7, area(client, 6)).join()));
            FutureTask<Integer> virtual = new FutureTask<>(() -> number(client.call(area(client, 7))));
            Thread.ofVirtual().start(virtual);
            assertEquals(14, virtual.get());
            SharedEndpointStatistics now = client.statistics();
            assertEquals(5, now.sends());
            assertEquals(5, now.wakes() + now.wakesSkipped() + now.raises());
            assertEquals(0, now.areaBytes());
            assertEquals(5 * (64 + 4), now.handedOverBytes(), "whole areas to the server, and back what counts");
        }
    }

    @Test
    void theSameAreaGoesToAndFroManyTimes() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, request -> {
                MemorySegment segment = request.body().segment();
                segment.set(ValueLayout.JAVA_INT, 0, 1 + segment.get(ValueLayout.JAVA_INT, 0));
                request.reply(request.body());
            });
            Area area = area(client, 0);
            for (int i = 0; i < 20_000; i++) {
                area = client.call(area);
            }
            assertEquals(20_000, number(area));
            assertEquals(0, client.statistics().areaBytes());
        }
    }

    @Test
    void whatWasHandedOverCannotBeTouched() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            List<MemorySegment> atTheServer = Collections.synchronizedList(new ArrayList<>());
            endpoint.serve(1, request -> {
                atTheServer.add(request.body().segment());
                request.reply(request.body());
            });
            for (Area area : List.of(client.allocate(64), client.allocateShared(64))) {
                MemorySegment segment = area.segment();
                Area answer = client.call(area);
                assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_INT, 0));
                assertThrows(IllegalStateException.class, () -> segment.set(ValueLayout.JAVA_INT, 0, 1));
                assertThrows(IllegalStateException.class, area::segment);
                assertThrows(IllegalStateException.class, () -> client.call(area));
                assertThrows(IllegalStateException.class, area::transfer);
                assertThrows(IllegalStateException.class, () -> area.length(1));
                area.close(); // nothing, and in particular no second time
                MemorySegment theirs = atTheServer.getLast();
                assertFalse(theirs.scope().isAlive());
                answer.close();
            }
            assertEquals(0, client.statistics().areaBytes());
        }
    }

    @Test
    void anAreaIsForOneThreadUnlessItIsAllocatedForAll() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            Area own = client.allocate(64);
            Area all = client.allocateShared(64);
            MemorySegment ours = own.segment();
            all.segment().set(ValueLayout.JAVA_INT, 0, 4);
            FutureTask<Integer> other = new FutureTask<>(() -> {
                assertThrows(WrongThreadException.class, () -> ours.get(ValueLayout.JAVA_INT, 0));
                assertThrows(WrongThreadException.class, own::segment);
                assertThrows(WrongThreadException.class, own::transfer);
                return all.segment().get(ValueLayout.JAVA_INT, 0);
            });
            Thread.ofPlatform().start(other);
            assertEquals(4, other.get());
            Area transferred = own.transfer();
            FutureTask<Long> next = new FutureTask<>(() -> transferred.segment().byteSize());
            Thread.ofPlatform().start(next);
            assertEquals(64, next.get());
        }
    }

    @Test
    void whatAHandlerThrowsIsTheAnswerAndTheServerGoesOn() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, request -> {
                int number = request.body().segment().get(ValueLayout.JAVA_INT, 0);
                request.body().segment().set(ValueLayout.JAVA_INT, 0, 12 / number);
                request.reply(request.body());
            });
            ExecutionException thrown = assertThrows(ExecutionException.class, () -> client.call(area(client, 0)));
            assertEquals(
                    "java.lang.ArithmeticException: / by zero",
                    assertInstanceOf(ServerException.class, thrown.getCause()).getMessage());
            assertEquals(4, number(client.call(area(client, 3))));
            assertEquals(0, client.statistics().areaBytes());
        }
    }

    @Test
    void whatIsTooLongToBeToldEndsInAnEllipsis() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, request -> {
                throw new IllegalStateException("ü".repeat(200));
            });
            ExecutionException thrown = assertThrows(ExecutionException.class, () -> client.call(area(client, 0)));
            // 33 bytes, and of 132 all whole characters of two bytes.
            assertEquals(
                    "java.lang.IllegalStateException: " + "ü".repeat(66) + "…",
                    assertInstanceOf(ServerException.class, thrown.getCause()).getMessage());
        }
    }

    @Test
    void theMostImportantRequestIsTakenFirst() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path());
                SharedEndpoint other = SharedEndpoint.connect(path())) {
            serveBehindGate(client);
            for (int body : new int[] {20, 70, 50, 90}) {
                var _ = client.send(body / 10, area(client, body));
                var _ = other.send(body / 10 - 1, area(other, body + 5));
            }
            gate.countDown();
            Waiting.until("all answered", () -> order.size() == 9);
            assertEquals(List.of(-1, 90, 95, 70, 75, 50, 55, 20, 25), order);
        }
    }

    @Test
    void aCapHoldsARequestDown() throws Exception {
        int uid = (int) Files.getAttribute(directory, "unix:uid");
        try (var _ = PublishedEndpoint.at(path()).priorityCap(uid, 4).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, request -> {
                request.body().segment().set(ValueLayout.JAVA_INT, 0, request.priority());
                request.reply(request.body());
            });
            assertEquals(4, number(client.send(9, client.allocate(64)).get()));
            assertEquals(2, number(client.send(2, client.allocate(64)).get()));
        }
    }

    @Test
    void aRequestThatIsGivenUpComesBack() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            serveBehindGate(client);
            assertThrows(TimeoutException.class, () -> client.call(area(client, 1), Duration.ofMillis(5)));
            assertTrue(client.send(area(client, 2)).cancel(false));
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> client.call(area(client, 3)));
            assertThrows(
                    CompletionException.class, client.send(area(client, 4)).orTimeout(1, TimeUnit.MILLISECONDS)::join);
            Waiting.until("given up", () -> client.statistics().abandoned() == 4);
            gate.countDown();
            Waiting.until(
                    "all back", () -> client.statistics().areaBytes() == 256); // that of the first, which nobody closed
            assertEquals(0, client.statistics().abandoned());
            assertEquals(List.of(-1), order);
            assertEquals(0, endpoint.statistics().waiting());
        }
    }

    @Test
    void anAnswerThatComesTooLateComesBack() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            serveBehindGate(client);
            gate.countDown();
            CountDownLatch late = new CountDownLatch(1);
            endpoint.serve(1, request -> {
                late.await();
                assertTrue(request.isDone());
                assertFalse(request.reply(request.body()));
            });
            // one of the two servers has it, or the other answers at once
            for (int i = 0; i < 20 && late.getCount() > 0; i++) {
                try {
                    client.call(client.allocate(64), Duration.ofMillis(20)).close();
                } catch (TimeoutException e) {
                    String text = String.valueOf(e.getMessage());
                    assertTrue(text.startsWith("no answer of the server of " + path() + " (process "), text);
                    late.countDown();
                }
            }
            Waiting.until("back", () -> client.statistics().abandoned() == 0);
            Waiting.until("free", () -> client.statistics().areaBytes() == 256);
        }
    }

    @Test
    void whoSendsMoreThanMayBeOnTheirWayWaits() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            serveBehindGate(client);
            for (int i = 1; i < SharedEndpoint.MOST_REQUESTS; i++) {
                var _ = client.send(area(client, i));
            }
            assertThrows(TimeoutException.class, () -> client.call(area(client, 0), Duration.ofMillis(5)));
            Area kept = area(client, 99);
            assertThrows(TimeoutException.class, () -> client.send(kept, Duration.ZERO));
            assertThrows(TimeoutException.class, () -> client.send(9, kept, Duration.ofMillis(1)));
            assertEquals(SharedEndpoint.MOST_REQUESTS, client.statistics().sends());
            gate.countDown();
            assertEquals(99, number(client.send(kept, Duration.ofSeconds(60)).get()));
            assertEquals(100, number(client.call(area(client, 100))));
        }
    }

    @Test
    void aServerOfItsOwnReceivesAndAnswers() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path());
                Server<Area, Area> server = endpoint.server()) {
            Reply<Area> first = client.send(3, area(client, 3));
            Reply<Area> second = client.send(2, area(client, 2));
            Request<Area, Area> request = server.receive().orElseThrow();
            Optional<Request<Area, Area>> next = server.replyAndReceive(request, request.body());
            assertEquals(3, number(first.get()));
            twice(next.orElseThrow());
            assertEquals(4, number(second.get()));
            assertThrows(TimeoutException.class, () -> server.receive(Duration.ofMillis(1)));
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, server::receive);
        }
    }

    @Test
    void aRequestIsForwardedToAServerWhoAnswersTheClient() throws Exception {
        Endpoint<Area, Area> next = Endpoint.<Area, Area>builder().name("next").build();
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            next.serve(1, SharedEndpointTest::twice);
            endpoint.serve(1, request -> request.forward(next, request.body().transfer()));
            for (int i = 0; i < 1000; i++) {
                assertEquals(2 * i, number(client.call(area(client, i))));
                assertEquals(2 * i, number(client.send(area(client, i)).get()));
            }
            next.close();
            ExecutionException refused = assertThrows(ExecutionException.class, () -> client.call(area(client, 0)));
            assertInstanceOf(RejectedExecutionException.class, refused.getCause());
        }
    }

    @Test
    void otherThreadsOfTheServersProcessCallTheSameEndpoint() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, request -> request.reply(request.body()));
            Area area = client.allocate(64);
            for (int i = 0; i < 100; i++) {
                area = endpoint.call(area.transfer());
                area = client.call(area);
            }
            area.close();
            assertEquals(200, endpoint.statistics().taken());
        }
    }

    @Test
    void aClosedEndpointAnswersWhatWaitsAndRefusesTheRest() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            serveBehindGate(client);
            Reply<Area> waits = client.send(area(client, 1));
            Thread closer = Thread.ofPlatform().start(endpoint::close);
            Waiting.until("closed", endpoint::isClosed);
            assertThrows(RejectedExecutionException.class, () -> client.call(area(client, 2)));
            gate.countDown();
            assertEquals(1, number(waits.get()));
            closer.join();
            Waiting.until("the end heard of", client::isClosed);
        }
        assertThrows(NoSuchFileException.class, () -> SharedEndpoint.connect(path()));
        Files.writeString(path(), "");
        assertThrows(ConnectException.class, () -> SharedEndpoint.connect(path()));
    }

    @Test
    void theEndOfTheServersSideIsAnAnswerAtOnce() throws Exception {
        PublishedEndpoint door = publish();
        CountDownLatch all = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        endpoint.serve(1, request -> {
            if (request.priority() == 9) {
                all.await();
                door.close(); // by a server, for whom nobody waits
                closed.countDown();
            }
            request.reply(request.body());
        });
        try (SharedEndpoint client = SharedEndpoint.connect(path())) {
            var _ = client.send(9, area(client, 0));
            Reply<Area> sent = client.send(area(client, 1));
            FutureTask<Area> call = new FutureTask<>(() -> client.call(area(client, 2)));
            Thread.ofPlatform().start(call);
            Waiting.until("the call", () -> client.statistics().sends() == 3);
            all.countDown();
            assertInstanceOf(
                    ServerDiedException.class,
                    assertThrows(ExecutionException.class, sent::get).getCause());
            Throwable inCall = assertThrows(ExecutionException.class, call::get).getCause();
            assertInstanceOf(
                    ServerDiedException.class,
                    assertInstanceOf(ExecutionException.class, inCall).getCause());
            Waiting.until("all areas back", () -> client.statistics().areaBytes() == 0);
            RejectedExecutionException over = assertThrows(RejectedExecutionException.class, () -> client.allocate(1));
            assertTrue(over.toString().contains("has ended; connect again"), over::toString);
            closed.await(); // clients hear of the end before
            try (var _ = publish();
                    SharedEndpoint again = SharedEndpoint.connect(path())) {
                assertEquals(5, number(again.call(area(again, 5))));
            }
        }
    }

    @Test
    void aDoorThatIsClosedFirstHasWhatHasComeAnswered() throws Exception {
        PublishedEndpoint door = publish();
        try (SharedEndpoint client = SharedEndpoint.connect(path())) {
            serveBehindGate(client);
            Reply<Area> sent = client.send(area(client, 1));
            FutureTask<Area> call = new FutureTask<>(() -> client.call(area(client, 2)));
            Thread.ofPlatform().start(call);
            Waiting.until("the call", () -> client.statistics().sends() == 3);
            Thread closer = Thread.ofPlatform().start(door::close);
            Waiting.until("no more", () -> isRefused(client));
            gate.countDown();
            assertEquals(1, number(sent.get()));
            assertEquals(2, number(call.get()));
            closer.join();
            Waiting.until("the end heard of", client::isClosed);
        }
    }

    private static boolean isRefused(SharedEndpoint client) throws InterruptedException {
        try (Area probe = client.allocate(64)) {
            var _ = client.send(probe, Duration.ZERO);
            return false;
        } catch (TimeoutException e) {
            return false;
        } catch (RejectedExecutionException e) {
            return true;
        }
    }

    @Test
    void whatAnotherThreadFailsComesBackWhenNobodyHasItsAreaAnyMore() throws Exception {
        endpoint.serve(1, request -> {
            request.body().segment();
            Thread fails = Thread.ofPlatform().start(() -> request.fail(new IllegalStateException("late")));
            fails.join();
            order.add((int) endpoint.statistics().replyWakes()
                    + (int) endpoint.statistics().replyWakesSkipped());
            request.body().segment().set(ValueLayout.JAVA_INT, 0, 7);
            assertFalse(request.reply(request.body()));
            assertThrows(IllegalStateException.class, () -> request.body().segment());
        });
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            for (int i = 0; i < 3; i++) { // in the same slot, with the same memory
                ExecutionException failed = assertThrows(ExecutionException.class, () -> client.call(area(client, 1)));
                assertTrue(String.valueOf(failed.getCause()).contains("late"), failed::toString);
            }
            assertEquals(0, client.statistics().areaBytes());
        }
        assertEquals(List.of(0, 1, 2), order, "answers that had been given before");
    }

    @Test
    void theEndOfAClientTakesItsRequestsAlong() throws Exception {
        try (PublishedEndpoint door = publish()) {
            SharedEndpoint client = SharedEndpoint.connect(path());
            serveBehindGate(client);
            var _ = client.send(area(client, 1));
            Waiting.until("known", () -> door.clients() == 1);
            client.close();
            Waiting.until("gone", () -> door.clients() == 0);
            gate.countDown();
            try (SharedEndpoint other = SharedEndpoint.connect(path())) {
                assertEquals(7, number(other.call(area(other, 7))));
            }
            assertEquals(List.of(-1, 7), order);
        }
    }

    @Test
    void pollingNeedsNoWakes() throws Exception {
        try (var _ = PublishedEndpoint.at(path()).polls().publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connectPolling(path(), 1 << 16)) {
            endpoint.serve(1, SharedEndpointTest::twice);
            for (int i = 0; i < 1000; i++) {
                assertEquals(2 * i, number(client.call(area(client, i))));
            }
            assertEquals(0, client.statistics().wakes());
        }
    }

    /** If anything were copied, the pages would be there. */
    @Test
    void aGigabyteIsHandedOverWithoutBeingTouched() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path(), 1L << 30)) {
            endpoint.serve(1, request -> request.reply(request.body()));
            Area area = client.allocate(1L << 30);
            for (int i = 0; i < 100; i++) {
                area = client.call(area);
            }
            assertEquals(1L << 30, area.segment().byteSize());
            assertEquals(200L << 30, client.statistics().handedOverBytes());
            boolean ours = false;
            int mappings = 0;
            for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
                if (line.contains("-")) {
                    ours = line.contains("memfd:ayatori-doubler");
                    mappings += ours ? 1 : 0;
                } else if (ours && line.startsWith("Rss:")) {
                    long kib = Long.parseLong(line.replaceAll("\\D", ""));
                    assertTrue(kib < 1024, () -> kib + " KiB of the memory have been touched");
                }
            }
            assertTrue(mappings >= 2, "the client's mapping and the server's");
        }
    }

    @Test
    void theFileSaysWhoMayConnect() throws Exception {
        try (var _ = publish()) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
            IOException taken = assertThrows(IOException.class, this::publish);
            assertTrue(taken.toString().contains("EADDRINUSE"), taken::toString);
        }
        assertFalse(Files.exists(path()));
        PublishedEndpoint.Builder builder = PublishedEndpoint.at(path());
        try (PublishedEndpoint door = builder.mode("rw-rw----").publish(endpoint)) {
            assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
            assertTrue(door.toString().contains(path() + "[0 clients]"), door::toString);
        }
        IllegalArgumentException octal = assertThrows(IllegalArgumentException.class, () -> builder.mode("660"));
        assertTrue(octal.toString().contains("such as rw-rw----"), octal::toString);
    }

    @Test
    void memoryIsLimitedAndSaysSo() throws Exception {
        try (var _ = publish();
                SharedEndpoint client = SharedEndpoint.connect(path(), 4096)) {
            Area all = client.allocate(4096);
            IllegalStateException full = assertThrows(IllegalStateException.class, () -> client.allocate(1));
            assertTrue(full.toString().contains("4096 of 4096 bytes are in use"), full::toString);
            all.close();
            client.allocate(256).close();
            try (SharedEndpoint other = SharedEndpoint.connect(path(), 4096)) {
                Area foreign = other.allocate(1);
                assertThrows(IllegalArgumentException.class, () -> client.call(foreign));
            }
        }
    }
}
