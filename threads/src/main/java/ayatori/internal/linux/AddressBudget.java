package ayatori.internal.linux;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How much address space memory may take that others have passed. It is given back when the memory is unmapped, by the garbage
 * collector, which knows nothing of a peer that comes again and again. Thread-safe.
 */
public final class AddressBudget {
    /** Of all peers of this process, of the 2^47 bytes that there are. */
    public static final AddressBudget PROCESS = new AddressBudget("all together", 1L << 43, null);

    private final String owner;
    private final long most;
    private final @Nullable AddressBudget within;
    private final AtomicLong taken = new AtomicLong();

    private AddressBudget(String owner, long most, @Nullable AddressBudget within) {
        this.owner = owner;
        this.most = most;
        this.within = within;
    }

    /**
     * A part of this one.
     *
     * @param part whose, for messages
     * @param bytes at most
     */
    public AddressBudget part(String part, long bytes) {
        return new AddressBudget(part, bytes, this);
    }

    /**
     * Takes some.
     *
     * @param name what for, for the message
     * @throws IOException if so much is not left, here or in what this is a part of; nothing is taken then
     */
    void take(String name, long bytes) throws IOException {
        long before = taken.getAndAdd(bytes);
        if (before > most - bytes) {
            taken.getAndAdd(-bytes);
            throw new IOException("\"" + name + "\": " + bytes + " bytes beside " + before + " are more than the "
                    + most + " that " + owner + " may pass: use less, or try again later");
        }
        if (within != null) {
            try {
                within.take(name, bytes);
            } catch (IOException e) {
                taken.getAndAdd(-bytes);
                throw e;
            }
        }
    }

    /** Gives back what has been taken. */
    void give(long bytes) {
        taken.getAndAdd(-bytes);
        if (within != null) {
            within.give(bytes);
        }
    }
}
