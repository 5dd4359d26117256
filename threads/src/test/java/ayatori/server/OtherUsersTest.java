package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static ayatori.server.NumberedArea.number;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.sched.ChildJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of another user than the server's: if they may come in, and how far up they may have the server work. */
@Timeout(120)
class OtherUsersTest {
    private static final int NOBODY = 65534;
    private static final int CAP = 6;
    private static final int HELD = 1;
    private static final int RANK = 2;

    @TempDir
    private Path directory;

    @BeforeEach
    void needs() throws Exception {
        Needs.root();
        Needs.program("/usr/bin/setpriv");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path path() {
        return directory.resolve("door");
    }

    /** What a client of user nobody prints. */
    private FutureTask<String> nobodyAsks(int priority, int number) {
        FutureTask<String> asks = new FutureTask<>(() -> new ChildJvm(ChildJvm.AS_NOBODY.toArray(String[]::new))
                .run(SharedClientProcess.class, path().toString(), Integer.toString(priority), Integer.toString(number))
                .output()
                .strip());
        Thread.ofPlatform().start(asks);
        return asks;
    }

    @Test
    void theSocketsFileKeepsThemOutOrLetsThemIn() throws Exception {
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder().build()) {
            endpoint.serve(1, request -> request.reply(request.body()));
            try (var _ = PublishedEndpoint.at(path()).publish(endpoint)) {
                assertEquals(
                        "java.nio.file.AccessDeniedException", nobodyAsks(5, 3).get());
                assertEquals(0, endpoint.statistics().requests());
            }
            try (var _ = PublishedEndpoint.at(path()).mode("rw-rw-rw-").publish(endpoint)) {
                assertEquals("answer 3, lent 0", nobodyAsks(5, 3).get());
            }
        }
    }

    /** Static: a request of priority p has its server at RR 2p, rank 100 + 2p, and one that waits raises it to just below. */
    @Test
    void aCapHoldsForWhatTheKernelHasOfTheServer() throws Exception {
        Needs.realTime();
        try (Endpoint<Area, Area> endpoint = Endpoint.<Area, Area>builder()
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                PublishedEndpoint door = PublishedEndpoint.at(path())
                        .mode("rw-rw-rw-")
                        .raisesItself()
                        .priorityCap(NOBODY, CAP)
                        .publish(endpoint);
                SharedEndpoint own = SharedEndpoint.connect(path());
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> tellRank(request, gates));
            gates.open(RANK);
            Reply<Area> held = own.send(2, area(own, HELD));
            LinuxThread thread = gates.awaitTaken(HELD);
            // Who rings may have pushed it through, from which it comes down by itself.
            Waiting.until("the server down at the request's rank", () -> thread.effectiveRank() == 104);
            FutureTask<String> capped = nobodyAsks(Thread.MAX_PRIORITY, RANK);
            Waiting.until("the server raised", () -> thread.effectiveRank() != 104);
            assertEquals(100 + 2 * CAP - 1, thread.effectiveRank(), "for a capped request that waits");
            assertEquals(2, door.clients());
            Reply<Area> urgent = own.send(Thread.MAX_PRIORITY, area(own, RANK));
            Waiting.until("the server raised above the cap", () -> thread.effectiveRank() == 119);
            gates.open(HELD);
            assertEquals("answer " + (100 + 2 * CAP) + ", lent 0", capped.get());
            assertEquals(120, number(urgent.get()), "for the server's own user there is no cap");
            held.get().close();
        }
    }

    private static void tellRank(Request<Area, Area> request, Gates gates) throws InterruptedException {
        MemorySegment segment = request.body().segment();
        gates.pass(segment.get(ValueLayout.JAVA_INT, 0));
        segment.set(ValueLayout.JAVA_INT, 0, LinuxThread.current().effectiveRank());
        request.reply(request.body());
    }
}
