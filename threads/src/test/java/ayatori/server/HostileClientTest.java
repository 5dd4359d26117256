package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.HostilePeer;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.MappedMemory;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.internal.shm.Messages;
import ayatori.sched.LinuxThread;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that break the rules lose their connection. All the while a neighbour calls the same endpoint, and what it gets is
 * right; afterwards no descriptor is left behind, and the server's threads are where they were.
 */
@Timeout(60)
class HostileClientTest {
    private static final int HOLD = -1;
    private static final long AREAS = RawClient.AREAS;

    private static final long SLOTS_BYTES = 256L * ConnectionMemory.SLOTS;

    @TempDir
    private Path directory;

    private final Endpoint<Area, Area> endpoint =
            Endpoint.<Area, Area>builder().name("doubler").build();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Map<Integer, Integer> servers = new ConcurrentHashMap<>();
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean stopped;
    private FutureTask<Void> neighbour = new FutureTask<>(() -> null);
    private PublishedEndpoint door;

    @BeforeEach
    void publish() throws Exception {
        endpoint.serve(2, request -> {
            servers.computeIfAbsent(Sched.gettid(), id -> LinuxThread.of(id).effectiveRank());
            MemorySegment segment = request.body().segment();
            int number = segment.get(ValueLayout.JAVA_INT, 0);
            if (number == HOLD) {
                gate.await();
            }
            segment.set(ValueLayout.JAVA_INT, 0, 2 * number);
            request.reply(request.body());
        });
        door = PublishedEndpoint.at(path()).publish(endpoint);
        SharedEndpoint client = SharedEndpoint.connect(path());
        neighbour = new FutureTask<>(() -> {
            Area area = client.allocate(64);
            for (int i = 1; !stopped; i++) {
                area.segment().set(ValueLayout.JAVA_INT, 0, i);
                area = client.call(area);
                assertEquals(2 * i, area.segment().get(ValueLayout.JAVA_INT, 0));
                answers.getAndIncrement();
            }
            client.close();
            return null;
        });
        Thread.ofPlatform().start(neighbour);
        neighbourIsServed();
    }

    @AfterEach
    void close() throws Exception {
        gate.countDown();
        neighbourIsServed();
        servers.forEach((id, rank) ->
                Waiting.until("server back", () -> LinuxThread.of(id).effectiveRank() == rank));
        stopped = true;
        neighbour.get();
        endpoint.close();
    }

    private Path path() {
        return directory.resolve("doubler");
    }

    private void neighbourIsServed() {
        int before = answers.get();
        Waiting.until("answers for the neighbour", () -> answers.get() > before + 50 || neighbour.isDone());
        assertTrue(answers.get() > before + 50, () -> String.valueOf(neighbour.exceptionNow()));
    }

    private static long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private void untilAlone(long descriptorsBefore) {
        Waiting.until("the neighbour alone", () -> door.clients() == 1);
        Waiting.until("descriptors", () -> descriptors() <= descriptorsBefore);
    }

    private UnixSocket guest() throws IOException {
        return RawClient.knock(path());
    }

    private static Descriptor asks(int priority, long offset, long size, long length) {
        return new Descriptor(priority, 0, offset, size, length);
    }

    @Test
    void whatIsNoMemoryOfOursIsRefusedAndLeavesNothingBehind() throws Exception {
        long before = descriptors();
        record Bad(String what, long offset, int number) {}
        for (Bad bad : List.of(
                new Bad("no memory of an Ayatori client", 0, 1),
                new Bad("version 77", 8, 77),
                new Bad("not laid out", 12, 1),
                new Bad("not laid out", 16, -1),
                new Bad("not laid out", 24, -1))) {
            for (int i = 0; i < 20; i++) {
                try (UnixSocket socket = guest()) {
                    ConnectionMemory memory = ConnectionMemory.create("hostile", AREAS);
                    RawClient.header(memory).set(ValueLayout.JAVA_INT, bad.offset, bad.number);
                    socket.send(Messages.of(Messages.MEMORY), memory.descriptor());
                    memory.closeDescriptor();
                    String said = RawClient.end(socket);
                    assertTrue(said.contains(bad.what), said);
                }
            }
        }
        untilAlone(before);
    }

    @Test
    void otherDescriptorsAreRefusedAndLeaveNothingBehind() throws Throwable {
        long before = descriptors();
        byte[] memory = Messages.of(Messages.MEMORY);
        try (Arena arena = Arena.ofShared()) {
            int unsealed =
                    MappedMemory.createAnonymous("hostile", 1 << 20, arena).descriptor();
            int small = MappedMemory.createSealed("hostile", 100, MappedMemory.Writers.ALL, arena)
                    .descriptor();
            int readOnly = MappedMemory.createSealed("hostile", 1 << 20, MappedMemory.Writers.CREATOR, arena)
                    .descriptor();
            List<Integer> others = new ArrayList<>(List.of(unsealed, small, readOnly));
            others.add(HostilePeer.sealed(0, false));
            others.add(HostilePeer.sealed(1L << 45, false));
            int huge = HostilePeer.sealed(1 << 21, true);
            if (huge >= 0) {
                others.add(huge);
            }
            for (int descriptor : others) {
                for (int i = 0; i < 10; i++) {
                    try (UnixSocket socket = guest()) {
                        socket.send(memory, descriptor);
                        assertTrue(RawClient.end(socket).length() > 0);
                    }
                    try (HostilePeer peer = new HostilePeer(path())) {
                        peer.send(memory, descriptor, descriptor);
                        peer.send(memory, unsealed, unsealed, unsealed);
                    }
                    try (HostilePeer peer = new HostilePeer(path())) {
                        peer.send(new byte[0], descriptor, descriptor);
                    }
                    try (HostilePeer peer = new HostilePeer(path())) {
                        peer.send(new byte[100_000], descriptor);
                    }
                }
            }
            others.subList(3, others.size()).forEach(HostilePeer::close);
        }
        untilAlone(before);
    }

    @Test
    void descriptorsThatNobodyAskedForCostTheConnection() throws Exception {
        long before = descriptors();
        for (int i = 0; i < 100; i++) {
            breaks(
                    "descriptors with message " + Messages.RING,
                    raw -> raw.socket.send(Messages.of(Messages.RING), raw.memory.descriptor()));
        }
        untilAlone(before);
    }

    @Test
    void whoSaysNothingOrEndsInBetweenHoldsNobodyUp() throws Exception {
        long before = descriptors();
        try (UnixSocket silent = guest()) {
            for (int i = 0; i < 50; i++) {
                UnixSocket.connect(path()).close();
                guest().close();
                try (RawClient raw = new RawClient(path())) {
                    raw.submit(0, asks(5, 0, 64, 64));
                }
            }
            neighbourIsServed();
            assertTrue(RawClient.end(silent).contains("not passed its memory in time"));
        }
        untilAlone(before);
    }

    @Test
    void requestsThatBreakTheRulesCostTheirClientItsConnection() throws Exception {
        long before = descriptors();
        long huge = Long.MAX_VALUE;
        for (Descriptor bad : List.of(
                asks(0, 0, 64, 64),
                asks(11, 0, 64, 64),
                asks(-1, 0, 64, 64),
                asks(Integer.MIN_VALUE, 0, 64, 64),
                asks(5, -1, 64, 64),
                asks(5, -SLOTS_BYTES, 64, 64),
                asks(5, Long.MIN_VALUE, 64, 64),
                asks(5, 0, 0, 0),
                asks(5, 0, -1, 0),
                asks(5, 0, AREAS + 1, 0),
                asks(5, AREAS, 1, 1),
                asks(5, AREAS + 1, 1, 1),
                asks(5, 1, AREAS, 1),
                asks(5, 1, huge, 1),
                asks(5, huge, huge, 1),
                asks(5, huge, 1, 1),
                asks(5, 0, 64, -1),
                asks(5, 0, 64, 65))) {
            breaks("slot 7: ", raw -> raw.submit(7, bad));
        }
        for (int state : new int[] {
            ConnectionMemory.FREE, ConnectionMemory.TAKEN, ConnectionMemory.ANSWERED, 5, 15, -1, Integer.MIN_VALUE
        }) {
            breaks("submitted in phase", raw -> {
                raw.memory.fill(3, asks(5, 0, 64, 64));
                raw.state(3, state);
                raw.submitAgain(3);
            });
        }
        untilAlone(before);
    }

    private void breaks(String words, Consumer<RawClient> rule) throws IOException {
        try (RawClient raw = new RawClient(path())) {
            rule.accept(raw);
            String said = RawClient.end(raw.socket);
            assertTrue(said.contains(words), said);
        }
    }

    @Test
    void aSlotThatIsSubmittedTwiceCostsTheConnection() throws Exception {
        try (RawClient raw = new RawClient(path())) {
            raw.area().set(ValueLayout.JAVA_INT, 0, HOLD);
            raw.submit(0, asks(5, 0, 64, 64));
            Waiting.until("taken", () -> ConnectionMemory.phase(raw.state(0)) == ConnectionMemory.TAKEN);
            raw.submit(0, asks(5, 0, 64, 64));
            String said = RawClient.end(raw.socket);
            assertTrue(said.contains("submitted twice"), said);
            Waiting.until("out", () -> door.clients() == 1);
        }
    }

    @Test
    void memoryThatChangesUnderTheServersHandsHarmsItsClientOnly() throws Exception {
        List<Integer> garbage = new ArrayList<>(List.of(0, 1, 2, 3, 4, 15, -1, 0x8000_0000, 0x4000_0000, 1, 2));
        garbage.addAll(servers.keySet());
        garbage.add(Sched.getpid());
        servers.keySet().forEach(id -> garbage.add(id | 0x8000_0000));
        Random random = new Random(4711);
        for (int round = 0; round < 40; round++) {
            try (RawClient raw = new RawClient(path())) {
                for (int i = 0; i < 2000; i++) {
                    int slot = random.nextInt(4);
                    raw.memory.fill(slot, new Descriptor(5, random.nextInt(4), 0, 64, 64));
                    raw.memory.submit(slot, garbage.get(random.nextInt(garbage.size())));
                    raw.memory.ringBell();
                    for (int j = 0; j < 8; j++) {
                        long at = 256L * slot + 4L * random.nextInt(8);
                        raw.slots.set(ValueLayout.JAVA_INT, at, garbage.get(random.nextInt(garbage.size())));
                    }
                }
            }
        }
        neighbourIsServed();
        Waiting.until("out", () -> door.clients() == 1);
        Waiting.until("nothing waits", () -> endpoint.statistics().waiting() <= 1);
    }

    @Test
    void whoDoesNotReadItsSocketKeepsNobody() throws Exception {
        try (RawClient raw = new RawClient(path())) {
            for (int i = 0; i < 3000; i++) {
                raw.memory.fill(0, new Descriptor(5, ConnectionMemory.ASYNCHRONOUS, 0, 64, 64));
                raw.memory.submit(0, 0);
                raw.memory.ringBell();
                Waiting.until("announced", () -> raw.memory.takeReturned() != 0);
            }
            neighbourIsServed();
        }
    }

    @Test
    void whoSendsWithoutEndIsServedInTurnAndDropped() throws Exception {
        long before = descriptors();
        try (RawClient raw = new RawClient(path());
                SharedEndpoint other = SharedEndpoint.connect(path())) {
            Waiting.until("in", () -> door.clients() == 3);
            sendUntilDropped(raw, Messages.of(Messages.RING));
            assertTrue(RawClient.end(raw.socket).contains("again and again"));
            other.call(other.allocate(64)).close();
        }
        try (RawClient raw = new RawClient(path())) {
            raw.socket.send(new byte[] {77}, UnixSocket.NO_DESCRIPTOR);
            assertTrue(RawClient.end(raw.socket).contains("message 77"));
        }
        untilAlone(before);
    }

    @Test
    void whoIntroducesNobodyAndForgetsWhomNobodyKnowsIsDropped() throws Exception {
        long before = descriptors();
        for (byte kind : new byte[] {Messages.FORGET, Messages.GUEST}) {
            try (RawClient raw = new RawClient(path())) {
                sendUntilDropped(raw, Messages.of(kind, 5));
            }
            neighbourIsServed();
        }
        untilAlone(before);
    }

    private static void sendUntilDropped(RawClient raw, byte[] message) {
        int sent = 0;
        while (sent != -32 && sent != -104) { // EPIPE, ECONNRESET
            sent = raw.socket.send(message, UnixSocket.NO_DESCRIPTOR);
        }
    }

    @Test
    void moreThanMayBeThereAreToldSoAndTheOthersStay() throws Exception {
        long before = descriptors();
        List<UnixSocket> flood = new ArrayList<>();
        String said = "";
        while (said.isEmpty() && flood.size() < 2 * PublishedEndpoint.MOST_CLIENTS) {
            UnixSocket socket = UnixSocket.connect(path());
            flood.add(socket);
            byte[] buffer = new byte[Messages.LONGEST];
            UnixSocket.Message message = socket.receive(buffer, true);
            message.discard();
            said = buffer[0] == Messages.REFUSAL ? Messages.text(buffer, message.length()) : "";
        }
        assertEquals(PublishedEndpoint.MOST_CLIENTS, flood.size());
        assertTrue(said.contains("127 clients"), said);
        neighbourIsServed();
        flood.forEach(UnixSocket::close);
        untilAlone(before);
        try (SharedEndpoint again = SharedEndpoint.connect(path())) {
            again.call(again.allocate(64)).close();
        }
    }

    @Test
    void aGuestThatBreaksTheRulesCostsItsHostNothing() throws Exception {
        long before = descriptors();
        ConnectionMemory guest = ConnectionMemory.create("guest", AREAS);
        try (RawClient host = new RawClient(path())) {
            assertEquals("", host.introduce(1, guest));
            guest.fill(0, asks(77, 0, 64, 64));
            guest.submit(0, 0);
            host.submit(0, new Descriptor(5, ConnectionMemory.DELEGATED, 1, 0, 0));
            Waiting.until("heard of", () -> host.memory.isAnswered(0));
            host.submit(1, asks(5, 0, 64, 64));
            Waiting.until("answered", () -> host.memory.isAnswered(1));
            assertEquals(2, door.clients());
            for (int i = 2; i <= PublishedEndpoint.MOST_CLIENTS; i++) {
                assertEquals("", host.introduce(i, guest));
            }
            String said = host.introduce(200, guest);
            assertTrue(said.contains("has introduced 127 clients"), said);
            host.socket.send(Messages.of(Messages.FORGET, 5), UnixSocket.NO_DESCRIPTOR);
            assertEquals("", host.introduce(200, guest));
            host.socket.send(Messages.of(Messages.GUEST, 201), UnixSocket.NO_DESCRIPTOR);
            host.submit(2, asks(5, 0, 64, 64));
            Waiting.until("answered", () -> host.memory.isAnswered(2));
            host.socket.send(Messages.of(Messages.FORGET, 6), UnixSocket.NO_DESCRIPTOR);
            host.socket.send(Messages.of(Messages.GUEST, 1), guest.descriptor());
            String last = RawClient.end(host.socket);
            assertTrue(last.contains("guest 1 is introduced twice"), last);
        } finally {
            guest.closeDescriptor();
        }
        untilAlone(before);
    }

    @Test
    void aPagePassedToClientsCannotBeWritten() throws Exception {
        try (UnixSocket socket = UnixSocket.connect(path())) {
            int page = socket.receive(new byte[Messages.LONGEST], true).descriptor();
            try (Arena arena = Arena.ofShared()) {
                KernelException refused = assertThrows(
                        KernelException.class, () -> MappedMemory.ofPassed("page", page, false, 1, 1 << 20, arena));
                assertTrue(refused.toString().contains("EPERM"), refused::toString);
            }
        }
    }
}
