package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.ChildJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a client in this process lends a server in another one, which has no right to raise anything: the levels are read from the
 * kernel. The clients are real-time by their own right; the server has no ladder and no agent.
 */
@Timeout(120)
class LendingTest {
    private static final int ORDINARY = 20;
    private static final List<String> NO_LAUNCHER = List.of();

    @TempDir
    private Path directory;

    @BeforeEach
    void needs() throws Exception {
        Needs.realTime();
    }

    private static FutureTask<Area> call(SharedEndpoint client, int number, int realTime) {
        FutureTask<Area> call = new FutureTask<>(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(realTime));
            return client.call(area(client, number));
        });
        Thread.ofPlatform().start(call);
        return call;
    }

    private static void awaitRank(LinuxThread thread, int rank) {
        Waiting.until(thread + " at rank " + rank, () -> thread.effectiveRank() == rank);
    }

    @Test
    void theServerHasTheHighestPriorityOfWhoWaitsAndItsOwnAfterwards() throws Exception {
        Path path = directory.resolve("held");
        try (var server = new SharedServerProcess(path, 1, NO_LAUNCHER);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            LinuxThread thread = server.threads().getFirst();
            assertEquals(ORDINARY, thread.effectiveRank());
            FutureTask<Area> low = call(client, SharedServerProcess.HOLD, 10);
            awaitRank(thread, 110);
            FutureTask<Area> high = call(client, 7, 30); // waits in the queue
            awaitRank(thread, 130);
            assertEquals(ORDINARY, thread.get().rank(), "what the server itself asks for");
            server.letGo();
            low.get().close();
            assertEquals(14, high.get().segment().get(ValueLayout.JAVA_INT, 0));
            awaitRank(thread, ORDINARY);
            assertEquals(2, client.statistics().lends());
        }
    }

    @Test
    void whoGivesUpTakesItsPriorityBack() throws Exception {
        Path path = directory.resolve("held");
        try (var server = new SharedServerProcess(path, 1, NO_LAUNCHER);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            LinuxThread thread = server.threads().getFirst();
            FutureTask<Area> low = call(client, SharedServerProcess.HOLD, 10);
            awaitRank(thread, 110);
            FutureTask<Area> high = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(30));
                return client.call(area(client, 1), Duration.ofMillis(500));
            });
            Thread.ofPlatform().start(high);
            awaitRank(thread, 130);
            assertInstanceOf(
                    TimeoutException.class,
                    assertThrows(ExecutionException.class, high::get).getCause());
            awaitRank(thread, 110);
            server.letGo();
            low.get().close();
            awaitRank(thread, ORDINARY);
        }
    }

    @Test
    void whoWaitsForWhatItSentLendsFromThenOn() throws Exception {
        Path path = directory.resolve("held");
        try (var server = new SharedServerProcess(path, 1, NO_LAUNCHER);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            LinuxThread thread = server.threads().getFirst();
            FutureTask<Reply<Area>> send = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(10));
                return client.send(area(client, SharedServerProcess.HOLD));
            });
            Thread.ofPlatform().start(send);
            Reply<Area> sent = send.get();
            assertEquals(ORDINARY, thread.effectiveRank());
            FutureTask<Area> wait = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(20));
                return sent.get();
            });
            Thread.ofPlatform().start(wait);
            awaitRank(thread, 120);
            server.letGo();
            wait.get().close();
            awaitRank(thread, ORDINARY);
        }
    }

    @Test
    void anInterruptDoesNotEndWhatWhoJoinsLends() throws Exception {
        Path path = directory.resolve("held");
        try (var server = new SharedServerProcess(path, 1, NO_LAUNCHER);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            LinuxThread thread = server.threads().getFirst();
            FutureTask<Boolean> join = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(20));
                Reply<Area> sent = client.send(area(client, SharedServerProcess.HOLD));
                Thread.currentThread().interrupt();
                sent.join().close();
                return Thread.interrupted();
            });
            Thread.ofPlatform().start(join);
            awaitRank(thread, 120);
            server.letGo();
            assertTrue(join.get(), "interrupted still");
            awaitRank(thread, ORDINARY);
        }
    }

    @Test
    void allWhoWaitForOneReplyLendAndOneTakesOverFromAnother() throws Exception {
        Path path = directory.resolve("held");
        try (var server = new SharedServerProcess(path, 1, NO_LAUNCHER);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            LinuxThread thread = server.threads().getFirst();
            CompletableFuture<Reply<Area>> sent = new CompletableFuture<>();
            CompletableFuture<Thread> waiter = new CompletableFuture<>();
            FutureTask<Area> low = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(10));
                sent.complete(client.send(area(client, SharedServerProcess.HOLD)));
                waiter.complete(Thread.currentThread());
                return sent.join().get();
            });
            Thread.ofPlatform().start(low);
            awaitRank(thread, 110);
            FutureTask<Area> high = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(30));
                return sent.join().get();
            });
            Thread.ofPlatform().start(high);
            awaitRank(thread, 130);
            waiter.join().interrupt();
            assertInstanceOf(
                    InterruptedException.class,
                    assertThrows(ExecutionException.class, low::get).getCause());
            awaitRank(thread, 130);
            server.letGo();
            high.get().close();
            awaitRank(thread, ORDINARY);
        }
    }

    @Test
    void oneOfSeveralServersIsLentThePriorityOfWhatItHasTaken() throws Exception {
        Path path = directory.resolve("held");
        try (var server = new SharedServerProcess(path, 3, NO_LAUNCHER);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            List<FutureTask<Area>> calls = new ArrayList<>();
            for (int realTime : new int[] {10, 20, 30}) {
                calls.add(call(client, SharedServerProcess.HOLD, realTime));
            }
            Waiting.until(
                    "each at another level",
                    () -> server.threads().stream()
                            .map(LinuxThread::effectiveRank)
                            .sorted()
                            .toList()
                            .equals(List.of(110, 120, 130)));
            server.letGo();
            for (FutureTask<Area> call : calls) {
                call.get().close();
            }
            for (LinuxThread thread : server.threads()) {
                awaitRank(thread, ORDINARY);
            }
        }
    }

    @Test
    void aServerThatWaitsForAnotherOneHandsOnWhatItIsLent() throws Exception {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        try (var last = new SharedServerProcess(second, 1, NO_LAUNCHER);
                var middle = new SharedServerProcess(first, 1, NO_LAUNCHER, second.toString());
                SharedEndpoint client = SharedEndpoint.connect(first)) {
            FutureTask<Area> low = call(client, SharedServerProcess.CALL_NEXT, 10);
            awaitRank(last.threads().getFirst(), 110);
            FutureTask<Area> late = call(client, 1, 30);
            awaitRank(last.threads().getFirst(), 130);
            awaitRank(middle.threads().getFirst(), 130);
            last.letGo();
            low.get().close();
            late.get().close();
            awaitRank(last.threads().getFirst(), ORDINARY);
            awaitRank(middle.threads().getFirst(), ORDINARY);
        }
    }

    @Test
    void aClientLendsAServerOfAnotherUserWhatTheKernelHasGrantedIt() throws Exception {
        Needs.root();
        Needs.program("/usr/bin/setpriv");
        Path open = Files.createDirectory(
                directory.resolve("open"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwxrwx")));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path path = open.resolve("held");
        try (var server = new SharedServerProcess(path, 1, ChildJvm.AS_NOBODY);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            LinuxThread thread = server.threads().getFirst();
            FutureTask<Area> call = call(client, SharedServerProcess.HOLD, 30);
            awaitRank(thread, 130);
            server.letGo();
            call.get().close();
            awaitRank(thread, ORDINARY);
        }
    }

    @Test
    void aKilledServersClientsHearOfItAtOnceAndFindItsSuccessor() throws Exception {
        Path path = directory.resolve("held");
        SharedEndpoint client;
        try (var server = new SharedServerProcess(path, 1, NO_LAUNCHER)) {
            client = SharedEndpoint.connect(path);
            FutureTask<Area> taken = call(client, SharedServerProcess.HOLD, 10);
            awaitRank(server.threads().getFirst(), 110);
            FutureTask<Area> queued = call(client, 1, 30);
            awaitRank(server.threads().getFirst(), 130);
            Reply<Area> sent = client.send(area(client, 2));
            server.kill();
            for (FutureTask<Area> call : List.of(taken, queued)) {
                ExecutionException failed = assertInstanceOf(
                        ExecutionException.class,
                        assertThrows(ExecutionException.class, call::get).getCause());
                assertInstanceOf(ServerDiedException.class, failed.getCause());
            }
            assertInstanceOf(
                    ServerDiedException.class,
                    assertThrows(ExecutionException.class, sent::get).getCause());
            assertEquals(0, client.statistics().areaBytes());
        }
        try (var _ = new SharedServerProcess(path, 1, NO_LAUNCHER);
                SharedEndpoint again = SharedEndpoint.connect(path)) {
            Area answer = again.call(area(again, 21));
            assertEquals(42, answer.segment().get(ValueLayout.JAVA_INT, 0));
        }
        client.close();
    }
}
