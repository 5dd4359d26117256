package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.sched.ChildJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server that forwards requests to one in another process does beside, and how they count there. */
@Timeout(60)
class ForwardedRequestsTest {
    private static final int LOW = 2;
    private static final int HIGH = 9;

    @TempDir
    private Path directory;

    private final Endpoint<Area, Area> last =
            Endpoint.<Area, Area>builder().name("last").build();
    private final Endpoint<Area, Area> host =
            Endpoint.<Area, Area>builder().name("host").build();
    private final CountDownLatch gate = new CountDownLatch(1);
    private SharedEndpoint toLast;

    @BeforeEach
    void publish() throws IOException {
        last.serve(1, request -> {
            gate.await();
            request.reply(request.body());
        });
        var _ = PublishedEndpoint.at(directory.resolve("last")).publish(last);
        toLast = SharedEndpoint.connect(directory.resolve("last"));
        host.serve(1, request -> toLast.forward(request, request.body()));
        var _ = PublishedEndpoint.at(directory.resolve("host")).publish(host);
    }

    @AfterEach
    void close() {
        gate.countDown();
        host.close();
        toLast.close();
        last.close();
    }

    @Test
    void whoHasForwardedAsMuchAsMayBeOnItsWayCallsWhenThatHasBeenTaken() throws Exception {
        var _ = toLast.send(toLast.allocate(1));
        Waiting.until("the last server busy", () -> last.statistics().taken() == 1);
        try (SharedEndpoint client = SharedEndpoint.connect(directory.resolve("host"))) {
            List<Reply<Area>> sent = new ArrayList<>();
            while (toLast.statistics().sends() < SharedEndpoint.MOST_REQUESTS) {
                long before = toLast.statistics().sends();
                sent.add(client.send(client.allocate(1)));
                Waiting.until("forwarded", () -> toLast.statistics().sends() > before);
            }
            FutureTask<Area> call = new FutureTask<>(() -> toLast.call(toLast.allocate(1)));
            Thread calls = Thread.ofPlatform().start(call);
            Waiting.until(
                    "no slot",
                    () -> calls.getState() == Thread.State.TIMED_WAITING || calls.getState() == Thread.State.WAITING);
            gate.countDown();
            call.get().close();
            for (Reply<Area> each : sent) {
                each.get().close();
            }
        }
    }

    @Test
    void whoGivesUpWhatWasForwardedInItsOwnProcessLeavesNoArea() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThrows(TimeoutException.class, () -> host.call(toLast.allocate(64), Duration.ofMillis(20)));
        }
        gate.countDown();
        host.call(toLast.allocate(64)).close();
        Waiting.until("all back", () -> toLast.statistics().areaBytes() == 0);
    }

    private static Area area(SharedEndpoint client, int number) {
        Area area = client.allocate(64);
        area.segment().set(ValueLayout.JAVA_INT, 0, number);
        return area;
    }

    @Test
    void aServerThatIsBusyIsRaisedForWhatIsForwardedToIt() throws Exception {
        Needs.realTime();
        Path second = directory.resolve("second");
        try (var busy = new SharedServerProcess(second, 1, new ChildJvm().with("-Dladder=STATIC"));
                var first = new SharedServerProcess(
                        directory.resolve("first"), 1, new ChildJvm().with("-Dladder=STATIC"), second.toString());
                SharedEndpoint direct = SharedEndpoint.connect(second);
                SharedEndpoint client = SharedEndpoint.connect(directory.resolve("first"))) {
            LinuxThread thread = busy.threads().getFirst();
            Reply<Area> held = direct.send(LOW, area(direct, SharedServerProcess.HOLD));
            busy.awaitHeld();
            assertEquals(SixCases.rank(LOW), thread.effectiveRank());
            Reply<Area> sent =
                    client.send(HIGH, area(client, SharedServerProcess.FORWARD)); // of whom nobody waits for it
            Waiting.until("raised", () -> thread.effectiveRank() == SixCases.rank(HIGH) - 1);
            busy.letGo();
            held.get().close();
            sent.get().close();
            assertEquals(SixCases.rank(HIGH), first.threads().getFirst().effectiveRank());
        }
    }
}
