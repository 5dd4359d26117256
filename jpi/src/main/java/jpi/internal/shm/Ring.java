package jpi.internal.shm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue in shared memory from one JVM to another. Slots of a fixed size say what has come; what does not fit into a slot lies
 * in a second ring beside it. A slot is there when its stamp says so: the receiver reads one cache line to learn that, and
 * writes none; now and then it says how far it has come.
 *
 * <pre>
 *   0        128                          128 + slots * 128            + data size
 *   | heads  | slot 0 | slot 1 | ...      | data                       |
 *   heads: 0 (by the receiver)            64 (by the sender)
 *          | what has been taken          | the slot whose message was last more important than the one before it; if room is asked for |
 *   slot: 0       4                                       32                  64                    128
 *         | stamp | words of the user, see the constants  | contents, if few  | contents, if they fit |
 * </pre>
 *
 * <p>Larger contents may lie on a {@link Detour} instead; the slot says where.
 *
 * <p>Contents that take a while to copy are shown in parts: the stamp when the first is there, then a word behind the others says how many bytes are.
 *
 * <p>The receiver looks at the stamp again and again, and so takes the line back that the sender has begun to write: what is on
 * other lines is to be written first.
 *
 * <p>Messages have the slots of a large ring in another order, see {@link #STEP}.
 *
 * <p>One thread at a time of the one JVM puts messages in, one at a time of the other takes them out.
 */
public final class Ring {
    /** Bytes of a slot: two cache lines, since processors fetch them in pairs. */
    public static final long SLOT = 128;

    static final long LINE = 64;
    /** Bytes of contents that a slot has room for: in its second cache line, or a few in the first. */
    private static final long INLINE = LINE;

    // What a slot says, an int each: where from its start it is.

    /** Which stream, or which wait, of the sender's. */
    public static final long STREAM = 4;
    /** What it is. */
    public static final long KIND = 8;
    /** To whom, by number in the whole program. */
    public static final long RECEIVER = 12;
    /** From whom, as the receiver is to see it. */
    public static final long SOURCE = 16;
    /** In which context. */
    public static final long CONTEXT = 20;
    /** With which tag. */
    public static final long TAG = 24;
    /** Bytes of contents, an int. */
    public static final long LENGTH = 28;

    private static final long WORDS = 32;
    /** Of a message that is {@linkplain #show shown} before all of it is there: how many bytes are, an int. */
    private static final long SHOWN = WORDS;
    /** Of contents beside the slots, if there is a detour: on which line of it they begin, an int; or {@link #NO_DETOUR}. */
    private static final long LINE_OF_DETOUR = WORDS + 4;

    private static final int NO_DETOUR = -1;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final VarHandle STAMP = INT.varHandle();
    private static final VarHandle RAISED = INT.varHandle();
    private static final VarHandle BYTES = INT.varHandle();
    private static final VarHandle ASKED = INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** Numbers of slots run over: the one that was last more important is never to be so far back that it looks ahead. */
    private static final int OFTEN_ENOUGH = (1 << 30) - 1;

    /** No room. */
    public static final long FULL = -1;
    /** In place of how many bytes have been shown: there will be no more. */
    public static final int BROKEN = -1;

    /** So often the receiver says how far it has come: each time it has taken this part of the ring. */
    private static final int PARTS = 8;
    /** Messages that are not many. */
    private static final int FEW = 16;

    /**
     * From one message's slot to the next one's, in slots; odd. In a row, the receiver's processor would fetch those that come next by itself, and
     * so take them from the sender that is about to write them; it does not guess beyond a page.
     */
    private static final int STEP = 389;
    /** Of fewer slots they are in a row, and none is fetched ahead: such a ring is of pieces, or one of very many, of ranks that share CPUs, and so a cache. */
    private static final int SCATTERED_FROM = 1024;
    /** So many slots the sender fetches at once: one after the other each would take as long as all of them. A power of two. */
    private static final int WRITTEN_AHEAD = 16;
    /** So many the receiver fetches at once. A power of two. */
    private static final int READ_AHEAD = 8;

    /** So often the sender of larger contents looks how far the receiver has come, and so how far away it is. */
    private static final int BETWEEN_LOOKS = 16;

    @SuppressWarnings("unused") // keeps the memory
    private final MemorySegment memory;

    private final long base;
    private final int slots;
    private final boolean isScattered;
    private final int lines;
    private final long data;
    final @Nullable Detour detour;

    // Of the sender. Numbers of slots and lines run over.
    private int freeSlot;
    private int freeLine;
    /** Of the last message. */
    private int lastPriority;
    /** What the receiver had taken when it last said so; may be behind. Slots in the upper half, lines of data in the lower. */
    private long knownTaken;
    /** Of the slot that has been claimed: which line of the detour, or {@link #NO_DETOUR}. */
    private int lineOfDetour = NO_DETOUR;

    // Of the receiver.
    private int nextSlot;
    private int nextLine;
    private int toldSlot;
    /** Messages that have been taken since there was none. */
    private int inARow;
    /** If the last message took both lines of its slot: who looks for the next one has both come at the same time. */
    private boolean readsBoth;
    /** Keeps the compiler from leaving out what is read before it is wanted. */
    @SuppressWarnings("unused")
    private int read;
    /** Lines of contents that have been taken since, on either way. */
    private int untoldLines;

    /**
     * One side's view.
     *
     * @param memory native, of {@link #size}, zeroes at first
     * @param slots a power of two
     * @param dataSize bytes, a power of two
     * @param detour this side's view of one; null: there is none
     */
    Ring(MemorySegment memory, int slots, int dataSize, @Nullable Detour detour) {
        this.memory = memory;
        this.detour = detour;
        base = Memory.address(memory, size(slots, dataSize));
        this.slots = slots;
        isScattered = slots >= SCATTERED_FROM;
        lines = (int) (dataSize / LINE);
        data = base + SLOT + slots * SLOT;
    }

    /** Bytes that one takes. */
    public static long size(int slots, int dataSize) {
        return SLOT + slots * SLOT + dataSize;
    }

    private static long pair(int slot, int line) {
        return (long) slot << Integer.SIZE | Integer.toUnsignedLong(line);
    }

    private static int slotOf(long pair) {
        return (int) (pair >>> Integer.SIZE);
    }

    private static int lineOf(long pair) {
        return (int) pair;
    }

    static int linesFor(long bytes) {
        return bytes <= INLINE ? 0 : (int) ((bytes + LINE - 1) / LINE);
    }

    /** Where contents of some lines begin that lie in one piece. */
    private int start(int line, int count) {
        int inRing = line & (lines - 1);
        return inRing + count <= lines ? line : line + lines - inRing;
    }

    /** The line after contents that begin on this one, or on the next from which they lie in one piece. */
    private int after(int line, long bytes) {
        int count = linesFor(bytes);
        return start(line, count) + count;
    }

    // The sender.

    /** If little is on its way that has not been taken: what comes next is there soon. */
    public boolean hasFew() {
        if (freeSlot - slotOf(knownTaken) >= FEW) {
            look();
        }
        return freeSlot - slotOf(knownTaken) < FEW;
    }

    /** So many bytes the contents of a slot have at most. */
    public long most() {
        return lines * LINE / 4;
    }

    /**
     * Finds a slot, and room for the contents. They are the caller's until it {@linkplain #commit commits}, or claims again.
     *
     * @param bytes of contents; no more than {@link #most}
     * @return where the slot is, in {@link Memory#ALL}; or {@link #FULL}
     */
    public long claim(long bytes) {
        int end = freeLine;
        if (detour != null && bytes > Detour.LEAST && chooseWay(detour, bytes)) {
            lineOfDetour = detour.line(bytes);
        } else {
            lineOfDetour = NO_DETOUR;
            end = after(freeLine, bytes);
        }
        if (!isRoom(freeSlot, end, knownTaken)) {
            look();
            if (!isRoom(freeSlot, end, knownTaken)) {
                return FULL;
            }
        }
        return slotAt(freeSlot);
    }

    private boolean chooseWay(Detour detour, long bytes) {
        if (freeSlot % BETWEEN_LOOKS == 0) {
            look();
        }
        return goesRound(detour, bytes);
    }

    private boolean goesRound(Detour detour, long bytes) {
        return detour.isFor(bytes) && freeSlot - slotOf(knownTaken) < detour.slots();
    }

    /** Asks the receiver to make room even if it wants no message, or that no more. */
    public void ask(boolean yes) {
        ASKED.setRelease(Memory.ALL, base + LINE + Integer.BYTES, yes ? 1 : 0);
    }

    /** What has been taken. */
    private void look() {
        if (detour == null) {
            knownTaken = (long) LONG.getAcquire(Memory.ALL, base);
            return;
        }
        // Another line of the page first: where that is takes no time then.
        var _ = (int) STAMP.getVolatile(Memory.ALL, base + SLOT);
        long start = System.nanoTime();
        long taken = (long) LONG.getAcquire(Memory.ALL, base);
        if (taken != knownTaken) { // else the line is here
            detour.learn(System.nanoTime() - start);
        }
        knownTaken = taken;
    }

    private boolean isRoom(int slot, int endLine, long taken) {
        return slot - slotOf(taken) < slots && endLine - lineOf(taken) <= lines;
    }

    /** Where contents are that fit into a slot. */
    private static long inSlot(long slot, long bytes) {
        return slot + (isInSecondLine(bytes) ? LINE : WORDS);
    }

    private long slotAt(int slot) {
        int place = isScattered ? slot * STEP : slot;
        return base + SLOT + (place & (slots - 1)) * SLOT;
    }

    /** Where the contents of the slot go that has been claimed. */
    public long room(long slot, long bytes) {
        return place(slot, freeLine, bytes, lineOfDetour);
    }

    private long place(long slot, int line, long bytes, int lineOfDetour) {
        if (lineOfDetour != NO_DETOUR) {
            return requireNonNull(detour).address(lineOfDetour);
        }
        int count = linesFor(bytes);
        return count == 0 ? inSlot(slot, bytes) : data + (start(line, count) & (lines - 1)) * LINE;
    }

    /** Writes a word of a slot. */
    public void set(long slot, long word, int value) {
        Memory.ALL.set(INT, slot + word, value);
    }

    /**
     * The same with a message, so that the receiver can tell if more important ones lie behind others; perhaps the next have as many bytes.
     */
    public void commit(long slot, long bytes, int priority) {
        raise(priority);
        commit(slot, bytes);
        if (isScattered && freeSlot % WRITTEN_AHEAD == 0) {
            prefetchSlots(bytes);
        }
        prefetch(bytes);
    }

    /** As {@link #prefetch}, those slots that come after the ones that have been. */
    private void prefetchSlots(long bytes) {
        int end = freeSlot + 2 * WRITTEN_AHEAD;
        if (!isRoom(end, freeLine, knownTaken)) {
            look();
            if (!isRoom(end, freeLine, knownTaken)) {
                return;
            }
        }
        for (int slot = end - WRITTEN_AHEAD; slot != end; slot++) {
            set(slotAt(slot), LENGTH, 0);
        }
        if (isInSecondLine(bytes)) {
            for (int slot = end - WRITTEN_AHEAD; slot != end; slot++) {
                set(slotAt(slot), LINE, 0);
            }
        }
    }

    private static boolean isInSecondLine(long bytes) {
        return bytes > LINE - WORDS && bytes <= INLINE;
    }

    private void raise(int priority) {
        if (priority > lastPriority || (freeSlot & OFTEN_ENOUGH) == 0) {
            RAISED.setOpaque(Memory.ALL, base + LINE, freeSlot);
        }
        lastPriority = priority;
    }

    /**
     * Shows the slot that has been claimed before all of its contents are there, so that the receiver copies the first while the sender
     * copies the next; {@link #commitInParts} is to follow.
     *
     * @param part bytes that are there
     */
    public void show(long slot, int part, int priority) {
        raise(priority);
        set(slot, SHOWN, part);
        set(slot, LINE_OF_DETOUR, lineOfDetour);
        STAMP.setRelease(Memory.ALL, slot, stamp(freeSlot));
    }

    /** So many bytes are there by now. */
    void showMore(long slot, int part) {
        BYTES.setRelease(Memory.ALL, slot + SHOWN, part);
    }

    /**
     * The rest is there; fences as {@link #commit(long, long)}.
     *
     * @param shown all bytes, or {@link #BROKEN}
     */
    void commitShown(long slot, long bytes, int shown) {
        take(bytes);
        BYTES.setVolatile(Memory.ALL, slot + SHOWN, shown);
        prefetch(bytes);
    }

    /**
     * Copies the rest of contents whose first part has been {@linkplain #show shown}, and shows each part as it is there.
     *
     * @param first bytes that are there
     * @param part bytes to be shown at once
     * @throws IllegalStateException if they have been closed: the receiver learns that there will be no more
     */
    public void commitInParts(long slot, MemorySegment contents, int first, int part) {
        long size = contents.byteSize();
        long room = room(slot, size);
        int shown = BROKEN;
        try {
            long there = first;
            while (size - there > part) {
                MemorySegment.copy(contents, there, Memory.ALL, room + there, part);
                there += part;
                showMore(slot, (int) there);
            }
            MemorySegment.copy(contents, there, Memory.ALL, room + there, size - there);
            shown = (int) size;
        } finally {
            commitShown(slot, size, shown);
        }
    }

    /** Shows the slot that has been claimed to the receiver; full fence: what is read afterwards is read afterwards. */
    public void commit(long slot, long bytes) {
        int stamp = stamp(freeSlot);
        if (bytes > INLINE) {
            set(slot, LINE_OF_DETOUR, lineOfDetour);
        }
        take(bytes);
        STAMP.setVolatile(Memory.ALL, slot, stamp);
    }

    /**
     * Writes to the lines where the next contents will be, if they are known to be free. Thus they are here alone, if there is time until then,
     * and who puts these in does not wait for the receiver's cache to give back each.
     *
     * @param bytes as many as there may be
     */
    public void prefetch(long bytes) {
        boolean goesRound = detour != null && goesRound(detour, bytes);
        if (bytes <= INLINE || !isRoom(freeSlot, goesRound ? freeLine : after(freeLine, bytes), knownTaken)) {
            return;
        }
        long begin =
                place(0, freeLine, bytes, goesRound ? requireNonNull(detour).line(bytes) : NO_DETOUR);
        for (long line = begin; line < begin + bytes; line += LINE) {
            Memory.ALL.set(INT, line, 0);
        }
    }

    private void take(long bytes) {
        if (lineOfDetour == NO_DETOUR) {
            freeLine = after(freeLine, bytes);
        } else {
            requireNonNull(detour).take(bytes);
        }
        freeSlot++;
    }

    /** Never 0. */
    private static int stamp(int slot) {
        return slot | Integer.MIN_VALUE;
    }

    // The receiver.

    /** If it is to make room: see {@link #ask}. By any thread. */
    public boolean isAsked() {
        return (int) ASKED.getAcquire(Memory.ALL, base + LINE + Integer.BYTES) != 0;
    }

    /**
     * Where the next slot is; {@link #FULL}: nothing has come. Any thread may ask if something has, and sleep if nothing has: one that
     * takes messages out meanwhile may have gone on, and then who asks looks once more.
     */
    public long next() {
        while (true) {
            int number = nextSlot;
            long slot = slotAt(number);
            int second = readsBoth ? get(slot, LINE) : 0;
            if ((int) STAMP.getAcquire(Memory.ALL, slot) == stamp(number)) {
                if (readsBoth) {
                    read = second;
                }
                return slot;
            }
            if (number == nextSlot) {
                if (inARow != 0) { // else there would be a line to be written by all that look
                    inARow = 0;
                }
                return FULL;
            }
        }
    }

    /** If nothing has come after the next slot. */
    public boolean isLast() {
        return (int) STAMP.getAcquire(Memory.ALL, slotAt(nextSlot + 1)) != stamp(nextSlot + 1);
    }

    /** If a message that has come after the next slot's may be more important than that. Surely not, if this says so. */
    public boolean isOvertaken() {
        return (int) RAISED.getAcquire(Memory.ALL, base + LINE) - nextSlot > 0;
    }

    /** Reads a word of a slot. */
    public int get(long slot, long word) {
        return Memory.ALL.get(INT, slot + word);
    }

    /** How many bytes of contents are there of a slot that has been {@linkplain #show shown}; or {@link #BROKEN}. */
    public static int shown(long slot) {
        return (int) BYTES.getAcquire(Memory.ALL, slot + SHOWN);
    }

    /** Where the contents of the next slot are. */
    public long nextContents(long slot, long bytes) {
        return place(slot, nextLine, bytes, lineOfDetour(slot, bytes));
    }

    private int lineOfDetour(long slot, long bytes) {
        return detour == null || bytes <= INLINE ? NO_DETOUR : get(slot, LINE_OF_DETOUR);
    }

    /** Goes on to the slot after; the contents of this one are gone then. */
    public void advance(long bytes) {
        if (lineOfDetour(slotAt(nextSlot), bytes) == NO_DETOUR) {
            nextLine = after(nextLine, bytes);
        }
        nextSlot++;
        if (isScattered) {
            lookAhead(bytes);
        }
        untoldLines += linesFor(bytes);
        if (nextSlot - toldSlot >= slots / PARTS || untoldLines >= lines / PARTS) {
            toldSlot = nextSlot;
            untoldLines = 0;
            LONG.setRelease(Memory.ALL, base, pair(nextSlot, nextLine));
        }
    }

    private void lookAhead(long bytes) {
        if (readsBoth != isInSecondLine(bytes)) { // seldom written: others look meanwhile
            readsBoth = !readsBoth;
        }
        if (++inARow >= READ_AHEAD && nextSlot % READ_AHEAD == 0) {
            readAhead(bytes);
        }
    }

    /** Reads the slots that come next. There are messages in them by now, for their sender is ahead; perhaps they have as many bytes. */
    private void readAhead(long bytes) {
        int end = nextSlot + READ_AHEAD;
        int sum = 0;
        for (int slot = nextSlot; slot != end; slot++) {
            sum += get(slotAt(slot), LENGTH);
        }
        if (isInSecondLine(bytes)) {
            for (int slot = nextSlot; slot != end; slot++) {
                sum += get(slotAt(slot), LINE);
            }
        }
        read = sum;
    }
}
