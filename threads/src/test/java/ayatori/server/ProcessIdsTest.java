package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.sched.ChildJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client in another PID namespace, as in another container, where the server's thread ids mean other threads or none. */
@Timeout(120)
class ProcessIdsTest {
    private static final List<String> ELSEWHERE =
            List.of("/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
    private static final int REAL_TIME = 30;
    private static final int HELD = 1;
    private static final int ANSWER = 2;

    @TempDir
    private Path directory;

    @BeforeEach
    void needs() throws Exception {
        Needs.realTime();
        Needs.program(ELSEWHERE.getFirst());
        assumeTrue(isPermitted(), "SKIP: needs the right to make a PID namespace");
    }

    private static boolean isPermitted() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(ELSEWHERE);
        command.add("true");
        return new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private Path path() {
        return directory.resolve("door");
    }

    /** What a real-time client in another namespace prints. */
    private FutureTask<String> asksFromElsewhere(int priority, int number) {
        FutureTask<String> asks = new FutureTask<>(() -> new ChildJvm(ELSEWHERE.toArray(String[]::new))
                .with("-DrealTime=" + REAL_TIME)
                .run(SharedClientProcess.class, path().toString(), Integer.toString(priority), Integer.toString(number))
                .output()
                .strip());
        Thread.ofPlatform().start(asks);
        return asks;
    }

    /** Answers with the server's rank. */
    private static void tellRank(Request<Area, Area> request, Gates gates) throws InterruptedException {
        MemorySegment segment = request.body().segment();
        gates.pass(segment.get(ValueLayout.JAVA_INT, 0));
        segment.set(ValueLayout.JAVA_INT, 0, LinuxThread.current().effectiveRank());
        request.reply(request.body());
    }

    @Test
    void aClientInAnotherOneIsAnsweredAndLendsNothing() throws Exception {
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder().build();
                var _ = PublishedEndpoint.at(path()).publish(endpoint);
                SharedEndpoint near = SharedEndpoint.connect(path());
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> tellRank(request, gates));
            gates.open(ANSWER);
            FutureTask<String> elsewhere = asksFromElsewhere(9, HELD);
            LinuxThread thread = gates.awaitTaken(HELD);
            FutureTask<Area> lesser = new FutureTask<>(() -> {
                LinuxThread.current().set(SchedulingParameters.roundRobin(REAL_TIME - 20));
                return near.call(area(near, ANSWER));
            });
            Thread.ofPlatform().start(lesser);
            Waiting.until("lent to by the one in this namespace", () -> thread.effectiveRank() == 110);
            gates.open(HELD);
            assertEquals("answer 110, lent 0", elsewhere.get());
            lesser.get().close();
            assertEquals(1, near.statistics().lends());
        }
    }

    /** Static: a request of priority p has its server at RR 2p, rank 100 + 2p, and one that waits raises it to just below. */
    @Test
    void forAClientInAnotherOneTheServerRaisesItself() throws Exception {
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder()
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                var _ = PublishedEndpoint.at(path()).publish(endpoint);
                SharedEndpoint near = SharedEndpoint.connect(path());
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> tellRank(request, gates));
            gates.open(ANSWER);
            Reply<Area> held = near.send(2, area(near, HELD));
            LinuxThread thread = gates.awaitTaken(HELD);
            FutureTask<String> elsewhere = asksFromElsewhere(9, ANSWER);
            Waiting.until("raised by its own process", () -> thread.get().rank() == 117);
            gates.open(HELD);
            assertEquals("answer 118, lent 0", elsewhere.get());
            held.get().close();
        }
    }
}
