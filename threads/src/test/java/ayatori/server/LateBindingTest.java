package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real-time client that begins to wait while all of several servers are busy: there is nobody yet to whom it could lend. Once one
 * takes the request, that one is lent to without the client having looked around, as it does every 100 ms, and would then find it.
 */
@Timeout(120)
class LateBindingTest {
    private static final int REAL_TIME = 30;
    private static final int LENT = 130;
    /** The operation of futex(2) in which the client is moved over to the word of whoever takes the request. */
    private static final String WAIT_REQUEUE_PI = "0xb";

    /** On a machine that has other things to do the client has looked around now and then. */
    private static final int MOST_TRIES = 40;

    private static final int ENOUGH = 10;

    @TempDir
    private Path directory;

    @BeforeEach
    void needs() throws Exception {
        Needs.realTime();
    }

    private static void awaitLent(LinuxThread server) {
        Waiting.until(server + " at rank " + LENT, () -> server.effectiveRank() == LENT);
    }

    private static String futexOperation(LinuxThread thread) throws IOException {
        String call = Files.readString(Path.of("/proc/self/task/" + thread.id() + "/syscall"));
        String[] words = call.strip().split(" ", -1);
        return words.length > 2 ? words[2] : call;
    }

    /** A client, from before it asks. */
    private record Client<T>(Thread thread, LinuxThread linux, long began, FutureTask<T> call) {
        static <T> Client<T> start(Callable<T> call) {
            AtomicReference<LinuxThread> linux = new AtomicReference<>();
            FutureTask<T> task = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(REAL_TIME));
                linux.set(LinuxThread.current());
                return call.call();
            });
            long now = System.nanoTime();
            Thread thread = Thread.ofPlatform().start(task);
            Waiting.until("the client real-time", () -> linux.get() != null);
            return new Client<>(thread, linux.get(), now, task);
        }
    }

    @Test
    void betweenProcessesWhoTakesTheRequestIsLentToWhileTheClientSleeps() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/syscall")), "SKIP: needs /proc/PID/syscall");
        Path path = directory.resolve("held");
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder().build();
                var _ = PublishedEndpoint.at(path).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path);
                Gates gates = new Gates()) {
            endpoint.serve(2, request -> {
                gates.pass(request.body().segment().get(ValueLayout.JAVA_INT, 0));
                request.reply(request.body());
            });
            int asleep = 0;
            int last = 0;
            for (int i = 0; i < MOST_TRIES && asleep < ENOUGH; i++) {
                int first = last + 1;
                int second = last + 2;
                last += 3;
                Reply<Area> held = client.send(5, area(client, first));
                Reply<Area> alsoHeld = client.send(5, area(client, second));
                var _ = gates.awaitTaken(first);
                var _ = gates.awaitTaken(second);
                int number = last;
                Client<Area> urgent = Client.start(() -> client.call(area(client, number)));
                Waiting.until(
                        "the client waits for whoever will take it",
                        () -> futexOperation(urgent.linux).equals(WAIT_REQUEUE_PI));
                gates.open(first);
                awaitLent(gates.awaitTaken(number));
                asleep += futexOperation(urgent.linux).equals(WAIT_REQUEUE_PI) ? 1 : 0;
                gates.open(second);
                gates.open(number);
                urgent.call.get().close();
                held.get().close();
                alsoHeld.get().close();
            }
            assertEquals(
                    ENOUGH, asleep, "times that the client slept on in the same call when the server was at its level");
        }
    }

    @Test
    void inOneJvmTheClientIsToldWhoHasTakenTheRequest() throws Exception {
        try (Endpoint<Integer, Integer> endpoint =
                        Endpoint.<Integer, Integer>builder().build();
                Gates gates = new Gates()) {
            endpoint.serve(2, request -> {
                gates.pass(request.body());
                request.reply(request.body());
            });
            int told = 0;
            int last = 0;
            for (int i = 0; i < MOST_TRIES && told < ENOUGH; i++) {
                int first = last + 1;
                int second = last + 2;
                last += 3;
                Reply<Integer> held = endpoint.send(5, first);
                Reply<Integer> alsoHeld = endpoint.send(5, second);
                var _ = gates.awaitTaken(first);
                var _ = gates.awaitTaken(second);
                int number = last;
                Client<Integer> urgent = Client.start(() -> endpoint.call(number));
                Waiting.until("it waits", () -> urgent.thread.getState() == Thread.State.TIMED_WAITING);
                gates.open(first);
                awaitLent(gates.awaitTaken(number));
                // It cannot have looked around yet.
                told += System.nanoTime() - urgent.began < Deadline.LOOK_AROUND_NANOS ? 1 : 0;
                gates.open(second);
                gates.open(number);
                assertEquals(number, urgent.call.get());
                assertEquals(first, held.get());
                assertEquals(second, alsoHeld.get());
            }
            assertEquals(ENOUGH, told, "times that the server was at its level before the client could look around");
        }
    }
}
