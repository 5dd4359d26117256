package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something of several fields in a buffer of bytes, in the order of the machine. A subclass adds the fields when it is made; where a
 * field begins is its number. C's gaps are not made by themselves: {@link #setOffset}.
 */
@SuppressWarnings("TypeParameterUnusedInFormals") // their signatures
public abstract class Struct {
    /** Null: as the fields say. */
    private @Nullable Datatype type;

    private final List<Datatype> types = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();
    private int extent;

    /** One of no fields so far. */
    protected Struct() {}

    /** One whose datatype is there. */
    Struct(Datatype type) {
        this.type = type;
    }

    /** Bytes from one to the next. */
    public final int getExtent() {
        return getType().extentInBytes();
    }

    /** Its datatype, now that all fields are there. */
    public final Datatype getType() {
        Datatype made = type;
        if (made == null) {
            Datatype fields = Datatype.createStruct(
                    lengths.stream().mapToInt(Integer::intValue).toArray(),
                    offsets.stream().mapToInt(Integer::intValue).toArray(),
                    types.toArray(Datatype[]::new));
            made = Datatype.createResized(fields, 0, extent);
            type = made;
        }
        return made;
    }

    /** For subclasses: an empty {@link Data}. */
    protected abstract Data newData();

    /** The first one of a buffer. */
    public final <T extends Data> T getData(ByteBuffer buffer) {
        return getData(buffer, 0);
    }

    /** One of a buffer. */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) {
        return data(buffer, index * getExtent());
    }

    /** The first one of an array. */
    public final <T extends Data> T getData(byte[] array) {
        return getData(array, 0);
    }

    /** One of an array. */
    public final <T extends Data> T getData(byte[] array, int index) {
        return getData(ByteBuffer.wrap(Given.buffer(array)).order(ByteOrder.nativeOrder()), index);
    }

    @SuppressWarnings("unchecked") // the subclass's own, as its caller says
    private <T extends Data> T data(ByteBuffer buffer, int offset) {
        Data data = newData();
        data.buffer = Given.buffer(buffer);
        data.offset = offset;
        return (T) data;
    }

    /** The next field begins here. */
    public final Struct setOffset(int offset) {
        if (offset < extent) {
            throw new IllegalArgumentException(
                    "offset " + offset + " lies within the fields before, which end at " + extent);
        }
        extent = offset;
        return this;
    }

    private int add(Datatype field, int length) {
        int offset = extent;
        types.add(Datatype.required(field));
        lengths.add(length);
        offsets.add(offset);
        extent += length * field.extentInBytes();
        return offset;
    }

    /** Adds a field. */
    public final int addByte() {
        return addByte(1);
    }

    /** Adds a field of several. */
    public final int addByte(int length) {
        return add(MPI.BYTE, length);
    }

    /** Adds a field. */
    public final int addChar() {
        return addChar(1);
    }

    /** Adds a field of several. */
    public final int addChar(int length) {
        return add(MPI.CHAR, length);
    }

    /** Adds a field. */
    public final int addShort() {
        return addShort(1);
    }

    /** Adds a field of several. */
    public final int addShort(int length) {
        return add(MPI.SHORT, length);
    }

    /** Adds a field. */
    public final int addInt() {
        return addInt(1);
    }

    /** Adds a field of several. */
    public final int addInt(int length) {
        return add(MPI.INT, length);
    }

    /** Adds a field. */
    public final int addLong() {
        return addLong(1);
    }

    /** Adds a field of several. */
    public final int addLong(int length) {
        return add(MPI.LONG, length);
    }

    /** Adds a field. */
    public final int addFloat() {
        return addFloat(1);
    }

    /** Adds a field of several. */
    public final int addFloat(int length) {
        return add(MPI.FLOAT, length);
    }

    /** Adds a field. */
    public final int addDouble() {
        return addDouble(1);
    }

    /** Adds a field of several. */
    public final int addDouble(int length) {
        return add(MPI.DOUBLE, length);
    }

    /** Adds a field. */
    public final int addStruct(Struct struct) {
        return addStruct(struct, 1);
    }

    /** Adds a field of several. */
    public final int addStruct(Struct struct, int length) {
        return add(
                Given.required(struct, "the struct is null: give one, such as MPI.int2")
                        .getType(),
                length);
    }

    /** Adds a field. */
    public final int addData(Datatype field) {
        return addData(field, 1);
    }

    /** Adds a field of several. */
    public final int addData(Datatype field, int length) {
        return add(field, length);
    }

    /** One of them in a buffer. */
    public abstract class Data {
        private ByteBuffer buffer = ByteBuffer.allocate(0);
        private int offset;

        /** For subclasses. */
        protected Data() {}

        /** The buffer that it is in. */
        public final ByteBuffer getBuffer() {
            return offset == 0 ? buffer : MPI.slice(buffer, offset);
        }

        /** A field that is a struct. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
            return getData(struct, field, 0);
        }

        /** One of a field of several structs. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field, int index) {
            Struct fields = struct;
            return fields.data(buffer, offset + field + index * struct.getExtent());
        }

        /** The bytes from a field on. */
        protected final ByteBuffer getBuffer(Datatype fieldType, int field) {
            return getBuffer(fieldType, field, 0);
        }

        /** The bytes from one of a field of several on. */
        protected final ByteBuffer getBuffer(Datatype fieldType, int field, int index) {
            return MPI.slice(buffer, offset + field + index * fieldType.extentInBytes());
        }

        /** A field. */
        protected final byte getByte(int field) {
            return getByte(field, 0);
        }

        /** One of a field of several. */
        protected final byte getByte(int field, int index) {
            return buffer.get(offset + field + index);
        }

        /** Sets a field. */
        protected final void putByte(int field, byte v) {
            putByte(field, 0, v);
        }

        /** Sets one of a field of several. */
        protected final void putByte(int field, int index, byte v) {
            var _ = buffer.put(offset + field + index, v);
        }

        /** A field. */
        protected final char getChar(int field) {
            return getChar(field, 0);
        }

        /** One of a field of several. */
        protected final char getChar(int field, int index) {
            return buffer.getChar(offset + field + 2 * index);
        }

        /** Sets a field. */
        protected final void putChar(int field, char v) {
            putChar(field, 0, v);
        }

        /** Sets one of a field of several. */
        protected final void putChar(int field, int index, char v) {
            var _ = buffer.putChar(offset + field + 2 * index, v);
        }

        /** A field. */
        protected final short getShort(int field) {
            return getShort(field, 0);
        }

        /** One of a field of several. */
        protected final short getShort(int field, int index) {
            return buffer.getShort(offset + field + 2 * index);
        }

        /** Sets a field. */
        protected final void putShort(int field, short v) {
            putShort(field, 0, v);
        }

        /** Sets one of a field of several. */
        protected final void putShort(int field, int index, short v) {
            var _ = buffer.putShort(offset + field + 2 * index, v);
        }

        /** A field. */
        protected final int getInt(int field) {
            return getInt(field, 0);
        }

        /** One of a field of several. */
        protected final int getInt(int field, int index) {
            return buffer.getInt(offset + field + 4 * index);
        }

        /** Sets a field. */
        protected final void putInt(int field, int v) {
            putInt(field, 0, v);
        }

        /** Sets one of a field of several. */
        protected final void putInt(int field, int index, int v) {
            var _ = buffer.putInt(offset + field + 4 * index, v);
        }

        /** A field. */
        protected final long getLong(int field) {
            return getLong(field, 0);
        }

        /** One of a field of several. */
        protected final long getLong(int field, int index) {
            return buffer.getLong(offset + field + 8 * index);
        }

        /** Sets a field. */
        protected final void putLong(int field, long v) {
            putLong(field, 0, v);
        }

        /** Sets one of a field of several. */
        protected final void putLong(int field, int index, long v) {
            var _ = buffer.putLong(offset + field + 8 * index, v);
        }

        /** A field. */
        protected final float getFloat(int field) {
            return getFloat(field, 0);
        }

        /** One of a field of several. */
        protected final float getFloat(int field, int index) {
            return buffer.getFloat(offset + field + 4 * index);
        }

        /** Sets a field. */
        protected final void putFloat(int field, float v) {
            putFloat(field, 0, v);
        }

        /** Sets one of a field of several. */
        protected final void putFloat(int field, int index, float v) {
            var _ = buffer.putFloat(offset + field + 4 * index, v);
        }

        /** A field. */
        protected final double getDouble(int field) {
            return getDouble(field, 0);
        }

        /** One of a field of several. */
        protected final double getDouble(int field, int index) {
            return buffer.getDouble(offset + field + 8 * index);
        }

        /** Sets a field. */
        protected final void putDouble(int field, double v) {
            putDouble(field, 0, v);
        }

        /** Sets one of a field of several. */
        protected final void putDouble(int field, int index, double v) {
            var _ = buffer.putDouble(offset + field + 8 * index, v);
        }
    }
}
