package ayatori.bench.load;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** By Aeron: out of an array into the log that both share, and out of it into an array. Whoever waits spins. */
final class AeronRally extends Rally {
    private static final int MOST_FRAGMENTS = 10;

    private final ExclusivePublication publication;
    private final Subscription subscription;

    private final FragmentHandler orderHandler = this::takeOrder;
    private final UnsafeBuffer orderBuffer = new UnsafeBuffer(new byte[2 * Integer.BYTES]);
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[0]);
    private byte[] in = {};
    private FragmentHandler handler = this::take;
    /** Length of the message that has come, 0 for none. */
    private int came;

    AeronRally(ExclusivePublication publication, Subscription subscription) {
        this.publication = publication;
        this.subscription = subscription;
    }

    @Override
    void tell() {
        orderBuffer.putInt(0, order[0]);
        orderBuffer.putInt(Integer.BYTES, order[1]);
        send(orderBuffer);
    }

    @Override
    void hear() {
        // One, since a message may follow at once.
        while (subscription.poll(orderHandler, 1) == 0) {
            idle();
        }
    }

    private void takeOrder(DirectBuffer buffer, int offset, int length, Header header) {
        order[0] = buffer.getInt(offset);
        order[1] = buffer.getInt(offset + Integer.BYTES);
    }

    @Override
    void size(int bytes) {
        out.wrap(new byte[bytes]);
        in = new byte[bytes];
        handler = bytes > publication.maxPayloadLength() ? new FragmentAssembler(this::take, bytes) : this::take;
    }

    private void take(DirectBuffer buffer, int offset, int length, Header header) {
        buffer.getBytes(offset, in, 0, Math.min(length, in.length));
        came = length;
    }

    @Override
    void begin(int times) {
        for (int i = 0; i < times; i++) {
            send(out);
            receive();
        }
    }

    @Override
    void answer(int times) {
        for (int i = 0; i < times; i++) {
            receive();
            send(out);
        }
    }

    private void send(UnsafeBuffer message) {
        long position = publication.offer(message, 0, message.capacity());
        while (position < 0) {
            if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION) {
                throw new IllegalStateException("cannot send: " + Publication.errorString(position));
            }
            Thread.onSpinWait();
            position = publication.offer(message, 0, message.capacity());
        }
    }

    private void receive() {
        came = 0;
        while (came == 0) {
            if (subscription.poll(handler, MOST_FRAGMENTS) == 0) {
                idle();
            }
        }
        if (came != in.length) {
            throw new IllegalStateException("received " + came + " bytes, not " + in.length);
        }
    }

    private void idle() {
        if (!subscription.isConnected()) {
            throw new IllegalStateException("the other has gone");
        }
        Thread.onSpinWait();
    }

    @Override
    void write(int seed) {
        fill(out.byteArray(), seed);
    }

    @Override
    boolean isRead(int seed) {
        return isFilled(in, seed);
    }
}
