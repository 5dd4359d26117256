package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.sched.ChildJvm;
import ayatori.sched.Needs;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host, which has a last server answer its clients, and what those can do to the host and to others. */
@Timeout(60)
class GuestTest {
    private static final int LAST_CAP = 8;
    private static final int HOST_CAP = 7;

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
        var _ = PublishedEndpoint.at(lastPath())
                .mode("rw-rw-rw-")
                .priorityCap(LAST_CAP)
                .publish(last);
        toLast = SharedEndpoint.connect(lastPath());
        host.serve(1, request -> toLast.forward(request, request.body()));
        var _ = PublishedEndpoint.at(hostPath()).priorityCap(HOST_CAP).publish(host);
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

    @Test
    void aCapOfTheHostHoldsAtTheLastServerToo() throws Exception {
        assertEquals(HOST_CAP, asks(10));
        assertEquals(2, asks(2));
    }

    @Test
    void theLargestGuestsOfOneClientDoNotKeepOthersOut() throws Exception {
        ConnectionMemory largest = ConnectionMemory.create("guest", ConnectionMemory.MOST_AREAS);
        try (RawClient raw = new RawClient(lastPath())) {
            String said = introduceUntilRefused(raw, largest);
            assertTrue(said.contains("may pass"), said);
            try (SharedEndpoint other = SharedEndpoint.connect(lastPath(), ConnectionMemory.MOST_AREAS)) {
                other.call(other.allocate(64)).close();
            }
        } finally {
            largest.closeDescriptor();
        }
    }

    private static String introduceUntilRefused(RawClient raw, ConnectionMemory guest) throws IOException {
        String said = "";
        for (int i = 1; i <= 2 * PublishedEndpoint.MOST_CLIENTS && said.isEmpty(); i++) {
            said = raw.introduce(i, guest);
        }
        return said;
    }

    @Test
    void aUsersClientsIntroduceNoMoreTogetherThanOneMay() throws Exception {
        Needs.root();
        Needs.program("/usr/bin/setpriv");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process flood = new ChildJvm(ChildJvm.AS_NOBODY.toArray(String[]::new))
                .start(GuestTest.class, lastPath().toString());
        try (var output = flood.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("user 65534 has introduced 127 clients, and can introduce no more", output.readLine());
            assertEquals(5, asks(5));
        } finally {
            flood.destroyForcibly().waitFor();
        }
    }

    /** {@code GuestTest PATH}: two clients, the second of which introduces its own until it is refused; says why, and stays. */
    public static void main(String[] arguments) throws IOException {
        ConnectionMemory guest = ConnectionMemory.create("guest", RawClient.AREAS);
        try (RawClient first = new RawClient(Path.of(arguments[0]));
                RawClient second = new RawClient(Path.of(arguments[0]))) {
            var _ = first.introduce(1, guest);
            System.out.println(introduceUntilRefused(second, guest));
            var _ = System.in.read();
        }
    }

    @Test
    void whatTheHostSaysCountsBelowItsOwnCap() throws Exception {
        ConnectionMemory guest = ConnectionMemory.create("guest", RawClient.AREAS);
        try (RawClient raw = new RawClient(lastPath())) {
            assertEquals("", raw.introduce(1, guest));
            assertEquals(5, asksFor(guest, 10, raw, 5));
            assertEquals(6, asksFor(guest, 2, raw, 6));
            assertEquals(LAST_CAP, asksFor(guest, 2, raw, 10));
            raw.submit(0, new Descriptor(11, ConnectionMemory.DELEGATED, 1, 0, 0));
            String said = RawClient.end(raw.socket);
            assertTrue(said.contains("Java priority 11"), said);
        } finally {
            guest.closeDescriptor();
        }
    }

    /** The priority at which the last server answers a guest that has written one into its own memory. */
    private static int asksFor(ConnectionMemory guest, int guestsPriority, RawClient raw, int priority) {
        guest.fill(0, new Descriptor(guestsPriority, 0, 0, 64, 64));
        guest.submit(0, 0);
        raw.submit(0, new Descriptor(priority, ConnectionMemory.DELEGATED, 1, 0, 0));
        Waiting.until("answered", () -> guest.isAnswered(0));
        return guest.area(0, 64, Arena.ofAuto()).get(ValueLayout.JAVA_INT, 0);
    }
}
