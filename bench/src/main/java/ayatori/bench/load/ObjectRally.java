package ayatori.bench.load;

import java.util.Objects;
import jpi.JComm;
import org.jspecify.annotations.Nullable;

/** With objects, which the receiver is given: new ones, or within one JVM the sender's own. */
final class ObjectRally extends CommRally {
    private final Maker maker;
    private int bytes;
    private Object message = "none yet";
    private Object received = message;

    /** Makes messages. */
    @FunctionalInterface
    interface Maker {
        Object make(int bytes, int seed);
    }

    ObjectRally(JComm comm, @Nullable Line line, Maker maker) {
        super(comm, line);
        this.maker = maker;
    }

    /** An array of that size. */
    static byte[] array(int bytes, int seed) {
        byte[] array = new byte[bytes];
        fill(array, seed);
        return array;
    }

    @Override
    void size(int bytes) {
        this.bytes = bytes;
        message = maker.make(bytes, 0);
    }

    @Override
    void begin(int times) {
        for (int i = 0; i < times; i++) {
            comm.send(message, other, MESSAGES);
            received = comm.recv(other, MESSAGES);
        }
    }

    @Override
    void answer(int times) {
        for (int i = 0; i < times; i++) {
            received = comm.recv(other, MESSAGES);
            comm.send(message, other, MESSAGES);
        }
    }

    @Override
    void write(int seed) {
        message = maker.make(bytes, seed);
    }

    @Override
    boolean isRead(int seed) {
        return Objects.deepEquals(maker.make(bytes, seed), received);
    }
}
