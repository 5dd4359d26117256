package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jpi.JBuffer;
import jpi.JException;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/**
 * A place in the queue of a {@link Mailbox}. The last one is empty: who has something takes it, leaves an empty one for the next,
 * and fills it. Thus who looks for something that comes reads the very memory in which it then lies: on two cache lines at most, and
 * on one as often as not, what most messages need being in 36 bytes (the JVM lays numbers before references, and each kind in the
 * order given here). So the contents of a small buffer are in the place too, or in an array that belongs to the queue as it does.
 */
sealed class Place {
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Place.class, "next", Place.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Of how many bytes a buffer is small: sent, its contents are taken at once. */
    static final int MOST = 256;

    /** Elements of a room that fill a cache line. */
    private static final int LINE = 64 / Long.BYTES;
    /** Elements of a wide room: a line before the contents and one behind them keep others' writes away from them. */
    private static final int WIDE = LINE + MOST / Long.BYTES + LINE;

    /** What it is filled with, instead of a message's priority. */
    private static final byte EVENT = -1;
    /** Instead of what the elements of a small buffer are. */
    private static final byte OBJECT = -1;

    private static final JType[] TYPES = JType.values();

    // Written before it is filled.
    /** The contents of a small buffer that has no more bytes. */
    private long word;

    int context;
    int source;
    int tag;
    /** Elements of a small buffer. */
    private int count;

    private byte priority;
    /** What these are, by number. */
    private byte type;

    private boolean isAwaited;
    /** Of a message from a rank of this JVM; or an event; or the contents of a small buffer that are more than a word. */
    private @Nullable Object body;
    /** Null: it is not filled. */
    private volatile @Nullable Place next;
    /** Of a message that is awaited. */
    private @Nullable Sending sending;

    /** For who finds the message here: one that its sender does not need; see {@link Places}. */
    @Nullable
    Place spare;

    /**
     * For the contents of the message in the place before this one; null: none has needed it. That of a place that has been kept is wide,
     * for what comes later.
     */
    private long @Nullable [] room;

    /**
     * Takes the contents of a small buffer for the message in the place before this one. By who is about to put this one into a queue:
     * that fails, if the buffer's memory is no more, before anybody waits for what comes.
     *
     * @param buffer of at most {@link #MOST} bytes
     * @return the contents, if they are no more than that
     * @throws JException if its arena has been closed
     */
    final long hold(JBuffer buffer) {
        int size = (int) buffer.size();
        try {
            if (size <= Long.BYTES) {
                return word(buffer.memory(), size);
            }
            if (room == null) {
                room = new long[words(size)];
            } else if (room.length != WIDE) {
                room = new long[WIDE];
            }
            MemorySegment.copy(buffer.memory(), 0, MemorySegment.ofArray(room), start(room), size);
            return 0;
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        }
    }

    private static int words(int bytes) {
        return (bytes + Long.BYTES - 1) / Long.BYTES;
    }

    /** Where the contents begin, bytes. */
    private static long start(long[] room) {
        return room.length == WIDE ? LINE * (long) Long.BYTES : 0;
    }

    private static long word(MemorySegment memory, int size) {
        if (size == Long.BYTES) {
            return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        }
        long word = 0;
        for (int i = 0; i < size; i++) {
            word |= (memory.get(ValueLayout.JAVA_BYTE, i) & 0xFFL) << (i * Byte.SIZE);
        }
        return word;
    }

    private void putWord(MemorySegment into, int size) {
        if (size == Long.BYTES) {
            into.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, word);
            return;
        }
        for (int i = 0; i < size; i++) {
            into.set(ValueLayout.JAVA_BYTE, i, (byte) (word >> (i * Byte.SIZE)));
        }
    }

    /** With something that happens. Full fence: what is read afterwards is read afterwards. */
    final void fill(Event some, Place after) {
        priority = EVENT;
        body = some;
        next = after;
    }

    /**
     * With a message from a rank of this JVM. Full fence.
     *
     * @param some as {@link Message#body}; or a small buffer
     * @param held its contents, see {@link #hold}, of the place after this one
     */
    @SuppressWarnings("EnumOrdinal") // a reference would cost the collector's barrier
    final void fill(Envelope envelope, @Nullable Object some, long held, @Nullable Sending whose, Place after) {
        if (some instanceof JBuffer small) {
            type = (byte) small.type().ordinal();
            count = small.count();
            if (small.size() <= Long.BYTES) {
                word = held;
            } else {
                body = after.room;
            }
        } else {
            type = OBJECT;
            body = some;
        }
        context = envelope.context();
        source = envelope.source();
        tag = envelope.tag();
        priority = (byte) envelope.priority();
        isAwaited = whose != null;
        if (isAwaited) {
            sending = whose;
        }
        next = after;
    }

    final boolean isFilled() {
        return next != null;
    }

    /** What happens; null: a message comes. */
    @Nullable
    final Event event() {
        return priority == EVENT ? (Event) body : null;
    }

    final int priority() {
        return priority;
    }

    /** The message itself; this, if it is the contents of a small buffer. */
    @Nullable
    final Object body() {
        return type == OBJECT ? body : this;
    }

    // Of the contents of a small buffer.

    final JType type() {
        return TYPES[type];
    }

    /** Elements. */
    final int count() {
        return count;
    }

    /** Bytes. */
    final int size() {
        return count * type().size();
    }

    /**
     * Copies them to where there is room for them.
     *
     * @throws IllegalStateException if its arena has been closed
     */
    final void copyTo(MemorySegment into) {
        int size = size();
        if (size <= Long.BYTES) {
            putWord(into, size);
        } else {
            long[] room = (long[]) requireNonNull(body);
            MemorySegment.copy(MemorySegment.ofArray(room), start(room), into, 0, size);
        }
    }

    /** As a new array. */
    final Object toArray() {
        Object array = type().newArray(count);
        copyTo(JType.memoryOf(array));
        return array;
    }

    /** See {@link Message#sending}. */
    @Nullable
    final Sending sending() {
        return isAwaited ? sending : null;
    }

    /** The one after one that is filled. */
    final Place next() {
        return requireNonNull(next);
    }

    /** If the one after one that is filled is filled too. */
    final boolean isFollowed() {
        Place after = next;
        return after == null || after.isFilled();
    }

    /**
     * Goes on to the one after one that is filled, and forgets what was here: else, once this is old, the collector would
     * keep all that has come since. It is empty then, and may be filled again: in a queue in which others find it only later.
     */
    final Place leave() {
        Place after = next();
        NEXT.set(this, null);
        if (type != OBJECT && body instanceof long[] room && room.length == WIDE) {
            prefetch(room, words(size()));
        }
        body = null;
        if (isAwaited) {
            sending = null;
        }
        return after;
    }

    /**
     * Writes to the lines of a room that another CPU has filled: they are here alone then when this rank sends something in it, and that
     * does not wait for them.
     */
    private static void prefetch(long[] room, int words) {
        for (int i = LINE; i < LINE + words; i += LINE) {
            room[i] = 0;
        }
        room[LINE + words - 1] = 0;
    }

    /** The message, to be kept. */
    final Message message() {
        return new Message(context, source, tag, priority, type == OBJECT ? body : toArray(), sending());
    }

    /** With much behind it that nobody writes: it shares a cache line with little else. */
    @SuppressWarnings("unused") // the fields take room
    static final class Apart extends Place {
        private long after1;
        private long after2;
        private long after3;
        private long after4;
        private long after5;
        private long after6;
        private long after7;
        private long after8;
    }
}
