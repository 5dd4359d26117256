package jpi.internal.objects;

import java.io.IOException;
import java.util.Objects;
import jpi.JException;
import org.jspecify.annotations.Nullable;

/**
 * Objects as bytes for other JVMs, and copies of them within one. Both ways obey the same rules, so that a program does not
 * depend on where its ranks live: {@link AllowedTypes} says what may travel, transient fields are left out, enum constants stay
 * themselves, records are made by their constructors, and what refers to one object twice, or to itself, does so after it.
 *
 * <p>For any number of threads, virtual ones too; nobody waits for another. Nothing is made before the first object comes.
 */
public final class ObjectCodec {
    /** Deeper than that and it is the depth that was too much. */
    private static final int DEEP = 500;

    private final Serialisation serialisation;
    private final Encoding encoding;

    /** One for a program. All its workers must have the same. */
    public ObjectCodec(AllowedTypes allowed, Serialisation serialisation) {
        this.serialisation = serialisation;
        encoding = switch (serialisation) {
            case FORY -> new ForyEncoding(allowed);
            case JAVA -> new JavaEncoding(allowed);
        };
    }

    /**
     * Replaces what the bytes hold by an object. Primitive arrays travel quicker without.
     *
     * @throws JException if the object, or one that it refers to, may not or cannot travel; names the field
     */
    public void encode(@Nullable Object object, EncodedBytes into) {
        if (PlainValues.write(object, into)) {
            return;
        }
        try {
            encoding.write(object, into);
            into.array()[0] = serialisation.mark();
        } catch (RuntimeException | LinkageError | StackOverflowError | IOException e) {
            throw notSent(Objects.requireNonNull(object), e);
        }
    }

    /**
     * The object that was encoded.
     *
     * @throws JException if a type in it may not travel, or the bytes are no object
     */
    public @Nullable Object decode(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        boolean isPlain = length > 0 && bytes[offset] == PlainValues.MARK;
        if (!isPlain && (length == 0 || bytes[offset] != serialisation.mark())) {
            throw new JException("cannot receive a message of " + length + " bytes that is not by " + serialisation
                    + " serialisation: start all workers with the same");
        }
        try {
            return isPlain
                    ? PlainValues.read(bytes, offset + 1, length - 1)
                    : encoding.read(bytes, offset + 1, length - 1);
        } catch (RuntimeException | LinkageError | StackOverflowError | IOException | ClassNotFoundException e) {
            throw notReceived(length, e);
        }
    }

    /** If an object that was decoded may refer to the bytes, as Fory's buffers do: then they are not to be written again. */
    public static boolean mayRefer(@Nullable Object decoded) {
        return decoded != null && !Immutables.areAll(decoded.getClass());
    }

    /**
     * An object that shares nothing with this one that could ever change; immutable ones are their own copies.
     *
     * @throws JException as {@link #encode(Object, EncodedBytes)}
     */
    public @Nullable Object copy(@Nullable Object object) {
        if (object == null) {
            return null;
        }
        Object array = ArrayCopy.of(object);
        if (array != null) {
            return array;
        }
        if (Immutables.contains(object)) {
            return object;
        }
        EncodedBytes bytes = new EncodedBytes();
        encode(object, bytes);
        return decode(bytes.array(), 0, bytes.length());
    }

    private JException notSent(Object object, Throwable cause) {
        rethrowIfOutOfMemory(cause);
        String what = "cannot send a " + object.getClass().getTypeName() + ": ";
        Culprit.Finding finding = Culprit.find(object, encoding);
        if (finding.clause() != null) {
            return new JException(what + finding.clause(), cause);
        }
        TypeRefusedException refusal = find(cause, TypeRefusedException.class);
        if (refusal != null) {
            return new JException(what + "it holds a " + refusal.getMessage(), cause);
        }
        if (finding.depth() > DEEP) {
            return new JException(
                    what + "its objects refer to each other in a chain of " + finding.depth()
                            + ", which is too deep: send them in a list or an array",
                    cause);
        }
        return new JException(what + rootOf(cause), cause);
    }

    private static JException notReceived(int length, Throwable cause) {
        rethrowIfOutOfMemory(cause);
        TypeRefusedException refusal = find(cause, TypeRefusedException.class);
        return refusal == null
                ? new JException("cannot receive a message of " + length + " bytes: " + rootOf(cause), cause)
                : new JException("cannot receive a " + refusal.getMessage(), cause);
    }

    private static void rethrowIfOutOfMemory(Throwable cause) {
        OutOfMemoryError memory = find(cause, OutOfMemoryError.class);
        if (memory != null) {
            throw memory;
        }
    }

    private static <T extends Throwable> @Nullable T find(Throwable thrown, Class<T> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
