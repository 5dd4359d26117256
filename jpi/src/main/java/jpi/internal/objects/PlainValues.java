package jpi.internal.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Numbers, truth values, short texts, and arrays of these as bytes. They are what reductions and gathers are mostly about and what
 * ranks say to each other when they make communicators; programs that send nothing else are spared what an {@link Encoding} needs to
 * begin with, half a second of CPU in each JVM.
 */
final class PlainValues {
    /** The first byte of a message. */
    static final byte MARK = (byte) 0xF3;

    /** Longer texts are not looked at to find out how they could be written. */
    private static final int LONGEST = 64;

    private static final int NOT_PLAIN = -1;

    private static final byte NULL = 0;
    private static final byte INT = 1;
    private static final byte LONG = 2;
    private static final byte DOUBLE = 3;
    private static final byte FALSE = 4;
    private static final byte TRUE = 5;
    private static final byte TEXT = 6;
    private static final byte ARRAY = 7;

    private PlainValues() {}

    /** False, and nothing is written: it is none. */
    static boolean write(@Nullable Object object, EncodedBytes into) {
        boolean isArray = object instanceof Object[] some && some.getClass() == Object[].class;
        @Nullable Object[] values = isArray ? (Object[]) requireNonNull(object) : new Object[] {object};
        long most = 2L + Integer.BYTES;
        for (Object value : values) {
            int size = sizeOf(value);
            if (size == NOT_PLAIN) {
                return false;
            }
            most += size;
        }
        if (most > Integer.MAX_VALUE / 2) {
            return false;
        }
        byte[] array = into.array().length < most ? new byte[(int) most] : into.array();
        ByteBuffer buffer = ByteBuffer.wrap(array).put(MARK);
        if (isArray) {
            var _ = buffer.put(ARRAY).putInt(values.length);
        }
        for (Object value : values) {
            put(value, buffer);
        }
        into.set(array, buffer.position());
        return true;
    }

    /** Bytes that a value takes. */
    private static int sizeOf(@Nullable Object value) {
        return switch (value) {
            case null -> 1;
            case Boolean _ -> 1;
            case Integer _ -> 1 + Integer.BYTES;
            case Long _, Double _ -> 1 + Long.BYTES;
            case String text when text.length() <= LONGEST && isLatin1(text) -> 1 + Integer.BYTES + text.length();
            default -> NOT_PLAIN;
        };
    }

    private static boolean isLatin1(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 1 << Byte.SIZE) {
                return false;
            }
        }
        return true;
    }

    private static void put(@Nullable Object value, ByteBuffer into) {
        var _ = switch (value) {
            case null -> into.put(NULL);
            case Integer number -> into.put(INT).putInt(number);
            case Long number -> into.put(LONG).putLong(number);
            case Double number -> into.put(DOUBLE).putDouble(number);
            case Boolean truth -> into.put(truth ? TRUE : FALSE);
            case String text -> into.put(TEXT).putInt(text.length()).put(text.getBytes(ISO_8859_1));
            default -> throw new AssertionError(value.getClass());
        };
    }

    /**
     * What was written, without the mark.
     *
     * @throws RuntimeException if the bytes are none of it
     */
    static @Nullable Object read(byte[] bytes, int offset, int length) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        Object object = length > 0 && bytes[offset] == ARRAY ? array(buffer.position(offset + 1)) : get(buffer);
        if (buffer.hasRemaining()) {
            throw new IllegalStateException("its value ends " + buffer.remaining() + " bytes before it does");
        }
        return object;
    }

    private static @Nullable Object[] array(ByteBuffer from) {
        int count = from.getInt();
        if (count > from.remaining()) {
            throw new IllegalStateException("an array of " + count + " values in " + from.remaining() + " bytes");
        }
        @Nullable Object[] values = new @Nullable Object[count];
        for (int i = 0; i < count; i++) {
            values[i] = get(from);
        }
        return values;
    }

    private static @Nullable Object get(ByteBuffer from) {
        byte kind = from.get();
        return switch (kind) {
            case NULL -> null;
            case INT -> from.getInt();
            case LONG -> from.getLong();
            case DOUBLE -> from.getDouble();
            case FALSE -> false;
            case TRUE -> true;
            case TEXT -> {
                int length = from.getInt();
                if (length < 0 || length > LONGEST) {
                    throw new IllegalStateException("a text of " + length + " characters");
                }
                byte[] text = new byte[length];
                var _ = from.get(text);
                yield new String(text, ISO_8859_1);
            }
            default -> throw new IllegalStateException("no value is of kind " + kind);
        };
    }
}
