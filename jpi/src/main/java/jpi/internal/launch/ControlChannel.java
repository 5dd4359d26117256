package jpi.internal.launch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection between master and worker; each message goes with its length before it. One thread receives, any may send, but
 * for ranks: a thread that is interrupted meanwhile closes the connection.
 */
final class ControlChannel implements AutoCloseable {
    private static final int MAX_LENGTH = 1 << 28;

    private final SocketChannel socket;

    ControlChannel(SocketChannel socket) {
        this.socket = socket;
    }

    /** Returns when the message is on its way. */
    synchronized void send(ControlMessage message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0);
        ControlMessage.write(message, out);
        ByteBuffer frame = ByteBuffer.wrap(bytes.toByteArray());
        frame.putInt(0, frame.capacity() - Integer.BYTES);
        while (frame.hasRemaining()) {
            var _ = socket.write(frame);
        }
    }

    /** Waits for the next one; null if there will be none, since the other side has gone. */
    @Nullable
    ControlMessage receive() throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        if (!fill(length)) {
            return null;
        }
        int expected = length.getInt(0);
        if (expected < 1 || expected > MAX_LENGTH) {
            throw new IOException("a control message of " + expected + " bytes");
        }
        ByteBuffer frame = ByteBuffer.allocate(expected);
        return fill(frame) ? ControlMessage.read(new DataInputStream(new ByteArrayInputStream(frame.array()))) : null;
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (socket.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
