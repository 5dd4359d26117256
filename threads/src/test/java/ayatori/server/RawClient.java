package ayatori.server;

import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.internal.shm.Messages;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/** A client that has been let in, and may do what it likes. */
final class RawClient implements AutoCloseable {
    static final long AREAS = 4096;

    // What is written to behind ConnectionMemory's back.
    private static final long SLOTS_BYTES = 256L * ConnectionMemory.SLOTS;
    private static final long FIRST_SLOT = 4096;
    private static final long STATE = 16;

    final UnixSocket socket;
    final ConnectionMemory memory = ConnectionMemory.create("hostile", AREAS);
    final MemorySegment slots = memory.area(-SLOTS_BYTES, SLOTS_BYTES, Arena.ofAuto());

    RawClient(Path path) throws IOException {
        socket = knock(path);
        socket.send(Messages.of(Messages.MEMORY), memory.descriptor());
        require(socket.receiveBytes(new byte[Messages.LONGEST], true) == 1, "not let in");
    }

    /** Connects, and passes no memory yet. */
    static UnixSocket knock(Path path) throws IOException {
        UnixSocket socket = UnixSocket.connect(path);
        UnixSocket.Message welcome = socket.receive(new byte[Messages.LONGEST], true);
        require(welcome.descriptor() >= 0, "no welcome");
        welcome.discard();
        return socket;
    }

    /** Waits for the end; what the server has said. */
    static String end(UnixSocket socket) {
        byte[] buffer = new byte[Messages.LONGEST];
        StringBuilder said = new StringBuilder();
        try {
            for (int length = socket.receiveBytes(buffer, true);
                    length > 0;
                    length = socket.receiveBytes(buffer, true)) {
                if (buffer[0] == Messages.REFUSAL) {
                    said.append(Messages.text(buffer, length));
                }
            }
        } catch (IOException e) {
            said.append(e);
        }
        return said.toString();
    }

    /** The header of a client's memory. */
    static MemorySegment header(ConnectionMemory memory) {
        long size = FIRST_SLOT + SLOTS_BYTES;
        return memory.area(-size, size, Arena.ofAuto());
    }

    MemorySegment area() {
        return memory.area(0, AREAS, Arena.ofAuto());
    }

    /** Introduces a client of its own; why that one is not let in, if it is not. */
    String introduce(int number, ConnectionMemory guest) throws IOException {
        byte[] buffer = new byte[Messages.LONGEST];
        require(socket.send(Messages.of(Messages.GUEST, number), guest.descriptor()) > 0, "the server does not read");
        int length = socket.receiveBytes(buffer, true);
        boolean known = length > 0 && buffer[0] == Messages.KNOWN;
        require(known || buffer[0] == Messages.UNKNOWN, "message " + buffer[0]);
        return known ? "" : Messages.textBehindNumber(buffer, length);
    }

    /** Also where the tests' library is not. */
    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    void submit(int slot, Descriptor descriptor) {
        memory.fill(slot, descriptor);
        memory.submit(slot, 0);
        memory.ringBell();
    }

    /** In the phase in which it is. */
    void submitAgain(int slot) {
        int state = state(slot);
        memory.submit(slot, 0);
        state(slot, state);
        memory.ringBell();
    }

    int state(int slot) {
        return slots.get(ValueLayout.JAVA_INT, 256L * slot + STATE);
    }

    void state(int slot, int state) {
        slots.set(ValueLayout.JAVA_INT, 256L * slot + STATE, state);
    }

    @Override
    public void close() {
        socket.close();
        memory.closeDescriptor();
    }
}
