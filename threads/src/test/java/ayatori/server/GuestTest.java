package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.sched.Waiting;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host, which has a last server answer its clients, and what those can do to the host and to others. */
@Timeout(60)
class GuestTest {
    @TempDir
    private Path directory;

    private final Endpoint<Area, Area> last =
            Endpoint.<Area, Area>builder().name("last").build();
    private final Endpoint<Area, Area> host =
            Endpoint.<Area, Area>builder().name("host").build();
    private SharedEndpoint toLast;

    @BeforeEach
    void publish() throws Exception {
        last.serve(1, request -> {
            request.body().segment().set(ValueLayout.JAVA_INT, 0, request.priority());
            request.reply(request.body());
        });
        var _ = PublishedEndpoint.at(lastPath()).publish(last);
        toLast = SharedEndpoint.connect(lastPath());
        host.serve(1, request -> toLast.forward(request, request.body()));
        var _ = PublishedEndpoint.at(hostPath()).publish(host);
    }

    @AfterEach
    void close() {
        host.close();
        toLast.close();
        last.close();
    }

    private Path lastPath() {
        return directory.resolve("last");
    }

    private Path hostPath() {
        return directory.resolve("host");
    }

    /** The priority at which the last server answers an honest client of the host. */
    private int asks(int priority) throws Exception {
        try (SharedEndpoint client = SharedEndpoint.connect(hostPath(), 4096)) {
            Area answer = client.send(priority, client.allocate(64)).get();
            return answer.segment().get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Test
    void memoryThatIsNoneAnyMoreCostsItsClientTheAnswerAndTheHostNothing() throws Exception {
        try (RawClient hostile = new RawClient(hostPath())) {
            RawClient.header(hostile.memory).set(ValueLayout.JAVA_INT, 8, 77);
            for (int slot = 0; slot < 3; slot++) {
                int asked = slot;
                hostile.submit(asked, new Descriptor(5, 0, 0, 64, 64));
                Waiting.until("answered", () -> hostile.memory.isAnswered(asked));
                Answer answer = hostile.memory.answer(asked);
                assertEquals(ConnectionMemory.REJECTION, answer.kind());
                assertTrue(answer.text().contains("version 77"), answer::text);
            }
            assertEquals(5, asks(5));
        }
    }
}
