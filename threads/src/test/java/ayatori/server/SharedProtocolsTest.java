package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static ayatori.server.NumberedArea.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a protocol and an ageing limit mean for requests of other processes. Client and server are in one, but know nothing of that. */
@Timeout(60)
class SharedProtocolsTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir
    private Path directory;

    private Path path() {
        return directory.resolve("door");
    }

    private PublishedEndpoint publish(Endpoint<Area, Area> endpoint) throws IOException {
        return PublishedEndpoint.at(path()).publish(endpoint);
    }

    private static EndpointBuilder<Area, Area> builder(PriorityProtocol protocol) {
        return Endpoint.<Area, Area>builder().protocol(protocol);
    }

    private static void tellRank(Request<Area, Area> request) {
        request.body()
                .segment()
                .set(ValueLayout.JAVA_INT, 0, LinuxThread.current().effectiveRank());
        request.reply(request.body());
    }

    private static void passGate(Request<Area, Area> request, Gates gates) throws InterruptedException {
        MemorySegment segment = request.body().segment();
        gates.pass(segment.get(ValueLayout.JAVA_INT, 0));
        request.reply(request.body());
    }

    /** Static: priority p is RR 2p, rank 100 + 2p. */
    @Test
    void underACeilingTheServerIsAlwaysThereAndWhatIsAboveIsRefused() throws Exception {
        Needs.realTime();
        try (Endpoint<Area, Area> endpoint = builder(PriorityProtocol.CEILING)
                        .ceiling(7)
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                var _ = publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, SharedProtocolsTest::tellRank);
            assertEquals(114, number(client.send(2, area(client, 0)).get()));
            assertEquals(114, number(client.send(7, area(client, 0)).get()));
            ExecutionException above = assertThrows(
                    ExecutionException.class,
                    () -> client.send(8, area(client, 0)).get());
            String said =
                    assertInstanceOf(ServerException.class, above.getCause()).getMessage();
            assertEquals(
                    "java.lang.IllegalArgumentException: Java priority 8 of a request: the ceiling of "
                            + endpoint.name() + " is 7",
                    said);
            assertEquals(114, number(client.send(1, area(client, 0)).get()), "and the connection goes on");
            assertEquals(0, client.statistics().raises() + client.statistics().lends());
        }
    }

    @Test
    void withoutAProtocolTheServerStaysWhereItIs() throws Exception {
        Needs.realTime();
        try (Endpoint<Area, Area> endpoint = builder(PriorityProtocol.NONE)
                        .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                        .build();
                var _ = publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path())) {
            endpoint.serve(1, SharedProtocolsTest::tellRank);
            assertEquals(20, number(client.send(9, area(client, 0)).get()));
            assertEquals(20, number(client.send(2, area(client, 0)).get()));
            assertEquals(0, client.statistics().raises() + client.statistics().lends());
        }
    }

    @Test
    void withoutAProtocolRequestsAreTakenInTheOrderInWhichTheyCame() throws Exception {
        try (Endpoint<Area, Area> endpoint = builder(PriorityProtocol.NONE).build();
                var _ = publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path());
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> passGate(request, gates));
            var _ = client.send(5, area(client, -1));
            var _ = gates.awaitTaken(-1);
            List<Reply<Area>> replies = new ArrayList<>();
            for (int body : new int[] {20, 70, 50, 71}) {
                replies.add(client.send(body / 10, area(client, body)));
            }
            gates.openAll();
            Waiting.until("all answered", () -> replies.stream().allMatch(Reply::isDone));
            assertEquals(List.of(-1, 20, 70, 50, 71), gates.taken());
        }
    }

    /** Though the later one has the lower place. */
    @Test
    void equalOnesAreTakenInTheOrderInWhichTheyWereSent() throws Exception {
        try (Endpoint<Area, Area> endpoint = builder(PriorityProtocol.VPSET).build();
                var _ = publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path());
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> {
                passGate(request, gates);
                if (gates.taken().equals(List.of(0))) {
                    gates.pass(-1);
                }
            });
            Reply<Area> first = client.send(5, area(client, 0));
            var _ = gates.awaitTaken(0);
            var _ = client.send(5, area(client, 1));
            gates.open(0);
            first.get().close(); // so its place is free
            var _ = gates.awaitTaken(-1);
            Reply<Area> last = client.send(5, area(client, 2));
            gates.openAll();
            Waiting.until("all answered", last::isDone);
            assertEquals(List.of(0, -1, 1, 2), gates.taken());
        }
    }

    /** Numbers in the order in which they are taken if 1, of low priority, has waited since before the server took 80. */
    private List<Integer> order(Duration ageingLimit, Duration wait) throws Exception {
        try (Endpoint<Area, Area> endpoint =
                        builder(PriorityProtocol.VPSET).ageingLimit(ageingLimit).build();
                var _ = publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path());
                Gates gates = new Gates()) {
            endpoint.serve(1, request -> passGate(request, gates));
            var _ = client.send(8, area(client, 80));
            var _ = gates.awaitTaken(80);
            Reply<Area> low = client.send(1, area(client, 1));
            var _ = client.send(9, area(client, 90));
            gates.open(80);
            var _ = gates.awaitTaken(90);
            long taken = System.nanoTime();
            var _ = client.send(8, area(client, 81));
            Waiting.until("that time over", () -> System.nanoTime() - taken > wait.toNanos());
            gates.openAll();
            low.get().close();
            Waiting.until("all taken", () -> gates.taken().size() == 4);
            return gates.taken();
        }
    }

    @Test
    void aLowRequestThatHasWaitedForLongerThanTheLimitComesFirst() throws Exception {
        assertEquals(List.of(80, 90, 1, 81), order(SOON, SOON));
    }

    @Test
    void oneThatHasNotDoesNot() throws Exception {
        assertEquals(List.of(80, 90, 81, 1), order(NEVER, SOON));
    }
}
