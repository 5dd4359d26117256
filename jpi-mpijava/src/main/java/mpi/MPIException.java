package mpi;

import java.io.Serial;
import java.util.function.Supplier;
import jpi.JException;
import org.jspecify.annotations.Nullable;

/** Something went wrong in passing messages. Unchecked, as in MPJ Express; programs that declare or catch it compile all the same. */
public class MPIException extends JException {
    @Serial
    private static final long serialVersionUID = 1;

    /** One without a message. */
    public MPIException() {
        this("an error in passing messages");
    }

    /** One with a message. */
    public MPIException(String message) {
        super(message);
    }

    /** One that comes of another. */
    public MPIException(Throwable cause) {
        super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    }

    /** Calls JPI; what it throws comes out as one of these. */
    static <T extends @Nullable Object> T of(Supplier<T> call) {
        try {
            return call.get();
        } catch (MPIException e) {
            throw e;
        } catch (JException | IndexOutOfBoundsException e) {
            throw new MPIException(e);
        }
    }

    /** The same of what gives nothing. */
    static void in(Runnable call) {
        var _ = MPIException.<@Nullable Void>of(() -> {
            call.run();
            return null;
        });
    }
}
