package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import jpi.JBuffer;
import jpi.JType;
import jpi.internal.objects.EncodedBytes;
import jpi.internal.objects.ObjectCodec;
import org.jspecify.annotations.Nullable;

/** What travels to another JVM: what kind of thing it is, and its bytes. */
record Wire(Wire.Kind kind, MemorySegment memory) {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    /** Kinds of contents, and what the workers say to each other besides. */
    enum Kind {
        /** Null. */
        NULL(0),
        /** An object, encoded. */
        OBJECT(1),
        /** A {@code boolean[]}, a byte each. */
        BOOLEANS(2),
        /** Elements. */
        BYTES(3, JType.BYTE),
        /** Elements. */
        CHARS(4, JType.CHAR),
        /** Elements. */
        SHORTS(5, JType.SHORT),
        /** Elements. */
        INTS(6, JType.INT),
        /** Elements. */
        LONGS(7, JType.LONG),
        /** Elements. */
        FLOATS(8, JType.FLOAT),
        /** Elements. */
        DOUBLES(9, JType.DOUBLE),
        /** The receiver wants a long message: its pieces may come. */
        CLEAR(10);

        private static final Kind[] BY_NUMBER = new Kind[values().length];
        private static final Map<JType, Kind> BY_TYPE = new EnumMap<>(JType.class);

        static {
            for (Kind kind : values()) {
                BY_NUMBER[kind.number] = kind;
                if (kind.type != null) {
                    BY_TYPE.put(kind.type, kind);
                }
            }
        }

        private final int number;
        private final @Nullable JType type;

        Kind(int number) {
            this.number = number;
            type = null;
        }

        Kind(int number, JType type) {
            this.number = number;
            this.type = type;
        }

        static Kind of(JType type) {
            return requireNonNull(BY_TYPE.get(type));
        }

        static Kind of(int number) {
            return BY_NUMBER[number];
        }

        /** How the workers say it to each other. */
        int number() {
            return number;
        }

        /** Of a message of elements; null of others. */
        @Nullable
        JType type() {
            return type;
        }

        private int elementSize() {
            return type == null ? 1 : type.size();
        }

        int count(long bytes) {
            return this == OBJECT || this == NULL ? 1 : (int) (bytes / elementSize());
        }

        /** What bytes of this kind are put into. */
        Object newArray(long bytes) {
            int length = Math.toIntExact(bytes / elementSize());
            return type == null ? new byte[length] : type.newArray(length);
        }

        MemorySegment memoryOf(Object array) {
            return JType.memoryOf(array);
        }

        /** What the receiver is given for an array that has been filled. */
        @Nullable
        Object message(Object array) {
            return switch (this) {
                case NULL -> null;
                case OBJECT -> new Message.Encoded(new EncodedBytes((byte[]) array));
                case BOOLEANS -> booleans((byte[]) array);
                default -> array;
            };
        }
    }

    /** What a message is on its way. */
    static Wire of(@Nullable Object body, ObjectCodec codec) {
        return switch (body) {
            case null -> new Wire(Kind.NULL, NOTHING);
            case JBuffer buffer -> new Wire(Kind.of(buffer.type()), buffer.memory());
            case boolean[] array -> new Wire(Kind.BOOLEANS, MemorySegment.ofArray(bytes(array)));
            case Object object -> {
                JType type = JType.ofArray(object);
                yield type == null
                        ? encoded(object, codec, new EncodedBytes())
                        : new Wire(Kind.of(type), JType.memoryOf(object));
            }
        };
    }

    /** If a message is encoded on its way. */
    static boolean isEncoded(@Nullable Object body) {
        return body != null
                && !(body instanceof JBuffer)
                && !(body instanceof boolean[])
                && JType.ofArray(body) == null;
    }

    /** Such a message on its way, in these bytes. */
    static Wire encoded(Object object, ObjectCodec codec, EncodedBytes into) {
        codec.encode(object, into);
        return new Wire(Kind.OBJECT, into.memory());
    }

    private static byte[] bytes(boolean[] array) {
        byte[] bytes = new byte[array.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (array[i] ? 1 : 0);
        }
        return bytes;
    }

    private static boolean[] booleans(byte[] bytes) {
        boolean[] array = new boolean[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            array[i] = bytes[i] != 0;
        }
        return array;
    }

    long size() {
        return memory.byteSize();
    }
}
