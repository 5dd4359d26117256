package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import ayatori.internal.inheritance.Inheritance;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request has been cancelled, and is still where it waits: what depends on its answer comes first, and takes long. */
class DoneRequestTest {
    private final CountDownLatch gate = new CountDownLatch(1);

    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    @Test
    void whoLooksForWorkThatWaitsIsNotKeptByIt() throws Exception {
        try (Endpoint<String, String> endpoint = Endpoint.<String, String>builder()
                        .protocol(PriorityProtocol.VPSET)
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                Server<String, String> _ = endpoint.server()) {
            ServerThread server = endpoint.servers().iterator().next();
            server.assume(10);
            Reply<String> reply = endpoint.send(9, "nobody takes it, or is raised for it");
            var _ = reply.whenComplete((_, _) -> Inheritance.awaitUninterruptibly(gate));
            Thread canceller = Thread.ofPlatform().daemon().start(() -> reply.cancel(false));
            Waiting.until("done", reply::isDone);
            server.assume(2);
            assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Inheritance.heedWaiting(server));
            gate.countDown();
            canceller.join();
        } finally {
            gate.countDown();
        }
    }
}
