package ayatori.internal.shm;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Futex;
import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * What a client and a server share: a slot for each request on its way, and the areas that are handed over. The client makes it.
 * Thread-safe where it says nothing else.
 *
 * <pre>
 *   0       8         12      16      24     64     128       132    192       256
 *   | magic | version | slots | areas | size | bell | collected | rung | pending | returned |
 *
 *   a slot, of 256 bytes, from 4096 on:
 *   0         32      36        40         44      48       56     64       72            76     80
 *   | 8 words | state | sleeper | priority | flags | offset | size | length | answer kind | text length | text |
 * </pre>
 *
 * <p>The <em>state</em> is a phase and a number, by which the same phase of two requests differs, and which says which PI word
 * counts: the number modulo 8. That word holds the id of the thread that is to
 * answer, as if it owned a lock, so that who waits for it lends that thread its priority. A word on which somebody waits cannot
 * change its owner, so a request that goes to another server goes on with the next word; and so does the next request in the
 * slot, since the server lets go of a word only after it has answered.
 */
public final class ConnectionMemory {
    /** Requests that may be on their way at once. */
    public static final int SLOTS = 64;

    /** Bytes of a message of failure. */
    public static final int LONGEST_TEXT = 176;

    // Phases of a slot.
    public static final int FREE = 0;
    public static final int SUBMITTED = 1;
    public static final int TAKEN = 2;
    public static final int ANSWERED = 3;
    /** The client wants no answer any more; the slot is the server's until it gives it back. */
    public static final int ABANDONED = 4;

    // Flags of a request.
    /** The client waits by the kernel's inheritance, if it waits. */
    public static final int LENDS = 1;
    /** Nobody need wait for the answer: it is to be announced. */
    public static final int ASYNCHRONOUS = 2;

    // Kinds of answers.
    /** The area, with what the server has put there. */
    public static final int RESULT = 1;
    /** A text. */
    public static final int FAILURE = 2;
    /** A text: the server took no request. */
    public static final int REJECTION = 3;

    private static final long MAGIC = 0x4159_4154_4f52_4943L;
    private static final int VERSION = 1;

    private static final long VERSION_AT = 8;
    private static final long SLOTS_AT = 12;
    private static final long AREAS_AT = 16;
    private static final long AREAS_SIZE_AT = 24;
    private static final long BELL = 64;
    private static final long COLLECTED = 128;
    private static final long RUNG = 132;
    private static final long PENDING = 192;
    private static final long RETURNED = 256;

    private static final long FIRST_SLOT = 4096;
    private static final long SLOT_SIZE = 256;
    private static final long AREAS = FIRST_SLOT + SLOTS * SLOT_SIZE;

    private static final int WORDS = 8;
    private static final long STATE = 32;
    private static final long SLEEPER = 36;
    private static final long PRIORITY = 40;
    private static final long REQUEST_FLAGS = 44;
    private static final long OFFSET = 48;
    private static final long SIZE = 56;
    private static final long LENGTH = 64;
    private static final long KIND = 72;
    private static final long TEXT_LENGTH = 76;
    private static final long TEXT = 80;

    private static final int PHASE_BITS = 4;
    private static final int PHASE_MASK = (1 << PHASE_BITS) - 1;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MappedMemory memory;
    private final MemorySegment segment;
    private final long areasSize;

    private ConnectionMemory(MappedMemory memory, long areasSize) {
        this.memory = memory;
        this.segment = memory.segment();
        this.areasSize = areasSize;
    }

    /**
     * What a client asks.
     *
     * @param priority Java priority, 1 to 10
     * @param flags {@link #LENDS}, {@link #ASYNCHRONOUS}
     * @param offset where the area begins, from the beginning of all areas
     * @param size bytes of it
     * @param length how many of them count
     */
    public record Descriptor(int priority, int flags, long offset, long size, long length) {}

    /**
     * What a server answers.
     *
     * @param kind {@link #RESULT}, {@link #FAILURE} or {@link #REJECTION}
     * @param length how many bytes of the area count
     * @param text empty for a result
     */
    public record Answer(int kind, long length, String text) {}

    /**
     * New memory.
     *
     * @param areas bytes for areas
     */
    public static ConnectionMemory create(String name, long areas) throws IOException {
        MappedMemory memory =
                MappedMemory.createSealed("ayatori-" + name, AREAS + areas, MappedMemory.Writers.ALL, Arena.ofAuto());
        MemorySegment segment = memory.segment();
        segment.set(ValueLayout.JAVA_LONG, 0, MAGIC);
        segment.set(ValueLayout.JAVA_INT, VERSION_AT, VERSION);
        segment.set(ValueLayout.JAVA_INT, SLOTS_AT, SLOTS);
        segment.set(ValueLayout.JAVA_LONG, AREAS_AT, AREAS);
        segment.set(ValueLayout.JAVA_LONG, AREAS_SIZE_AT, areas);
        return new ConnectionMemory(memory, areas);
    }

    /**
     * Memory that a client has passed.
     *
     * @throws IOException if it is none, or of another layout
     */
    public static ConnectionMemory ofPassed(int descriptor) throws IOException {
        MappedMemory memory = MappedMemory.ofPassed("client's memory", descriptor, false, Arena.ofAuto());
        MemorySegment segment = memory.segment();
        if (segment.byteSize() < AREAS || segment.get(ValueLayout.JAVA_LONG, 0) != MAGIC) {
            throw new IOException("what the client passed is no memory of an Ayatori client");
        }
        int version = segment.get(ValueLayout.JAVA_INT, VERSION_AT);
        if (version != VERSION) {
            throw new IOException("the client's layout has version " + version + ", the server's " + VERSION
                    + ": use the same version of Ayatori on both sides");
        }
        long areas = segment.get(ValueLayout.JAVA_LONG, AREAS_SIZE_AT);
        if (segment.get(ValueLayout.JAVA_INT, SLOTS_AT) != SLOTS
                || segment.get(ValueLayout.JAVA_LONG, AREAS_AT) != AREAS
                || areas != segment.byteSize() - AREAS) {
            throw new IOException("the client's memory is not laid out as its version " + version + " says");
        }
        return new ConnectionMemory(memory, areas);
    }

    /** To be passed on. */
    public int descriptor() {
        return memory.descriptor();
    }

    /** Bytes for areas. */
    public long areasSize() {
        return areasSize;
    }

    /** An area, as long as an arena is open. */
    public MemorySegment area(long offset, long size, Arena arena) {
        return memory.revocable(AREAS + offset, size, arena);
    }

    /** Nobody needs any of it any more. */
    public void discard() {
        memory.discard();
    }

    // The client's side.

    /** Writes a request into a slot that is free. */
    public void fill(int slot, Descriptor request) {
        long at = at(slot);
        segment.set(ValueLayout.JAVA_INT, at + SLEEPER, 0);
        segment.set(ValueLayout.JAVA_INT, at + PRIORITY, request.priority);
        segment.set(ValueLayout.JAVA_INT, at + REQUEST_FLAGS, request.flags);
        segment.set(ValueLayout.JAVA_LONG, at + OFFSET, request.offset);
        segment.set(ValueLayout.JAVA_LONG, at + SIZE, request.size);
        segment.set(ValueLayout.JAVA_LONG, at + LENGTH, request.length);
    }

    /**
     * Submits a slot that has been filled.
     *
     * @param thread who is to answer; 0: whoever takes it
     * @return the requests that had been submitted before, and that the server has not collected yet: a bit each
     */
    public long submit(int slot, int thread) {
        int submitted = resubmitted(state(slot));
        INT.setOpaque(segment, wordAt(slot, word(submitted)), thread);
        INT.setRelease(segment, at(slot) + STATE, submitted);
        return (long) LONG.getAndBitwiseOr(segment, PENDING, 1L << slot);
    }

    /** Requests that the server has not collected yet, a bit each. */
    public long pending() {
        return (long) LONG.getVolatile(segment, PENDING);
    }

    /** How many times the server has collected requests. */
    public int collections() {
        return (int) INT.getVolatile(segment, COLLECTED);
    }

    /** Who has submitted something since the collection of this number has woken the server for all that was there. */
    public void rung(int collection) {
        INT.setVolatile(segment, RUNG, ~collection);
    }

    /** If somebody has since this collection. */
    public boolean hasRung(int collection) {
        return (int) INT.getVolatile(segment, RUNG) == ~collection;
    }

    /** Wakes a server that sleeps. */
    public void ringBell() {
        var _ = (int) INT.getAndAdd(segment, BELL, 1);
        var _ = Futex.wake(bell(), 1, Futex.Scope.SHARED);
    }

    /** Answers that the server has announced since the last time, a bit each. */
    public long takeReturned() {
        return (long) LONG.getAndSet(segment, RETURNED, 0L);
    }

    /** What the server has answered, if the slot is {@link #ANSWERED}. */
    public Answer answer(int slot) {
        long at = at(slot);
        int length = segment.get(ValueLayout.JAVA_INT, at + TEXT_LENGTH);
        byte[] text = new byte[Math.clamp(length, 0, LONGEST_TEXT)];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + TEXT, text, 0, text.length);
        return new Answer(
                segment.get(ValueLayout.JAVA_INT, at + KIND),
                segment.get(ValueLayout.JAVA_LONG, at + LENGTH),
                new String(text, StandardCharsets.UTF_8));
    }

    /** The answer has been read. */
    public void free(int slot) {
        INT.setVolatile(segment, at(slot) + STATE, withPhase(state(slot), FREE));
    }

    /**
     * Gives up a request: false if it has been answered.
     *
     * @param ours if the slot is still that request's; asked after the state has been read, and the state of another request
     *     is another one
     */
    public boolean abandon(int slot, BooleanSupplier ours) {
        int state = state(slot);
        while ((phase(state) == SUBMITTED || phase(state) == TAKEN) && ours.getAsBoolean()) {
            if (INT.compareAndSet(segment, at(slot) + STATE, state, withPhase(state, ABANDONED))) {
                wakeStateWaiters(slot);
                return true;
            }
            state = state(slot);
        }
        return false;
    }

    /**
     * Sleeps until the state of a slot is no longer this one, or somebody wakes the caller for another reason.
     *
     * @return as {@link Futex#wait}
     */
    public int awaitChange(int slot, int state, long deadline) {
        INT.setVolatile(segment, at(slot) + SLEEPER, 1);
        return Futex.wait(segment.asSlice(at(slot) + STATE, 4), state, deadline, Futex.Scope.SHARED);
    }

    /**
     * The same, and lends the priority of the calling thread to the one that is to answer.
     *
     * @param thread the calling thread's id
     * @return as {@link Futex#lockPi} and {@link Futex#waitRequeuePi}
     */
    public int awaitLending(int slot, int state, int thread, long deadline) {
        MemorySegment word = segment.asSlice(wordAt(slot, word(state)), 4);
        int owner = (int) INT.getVolatile(word, 0L);
        if ((owner & Futex.TID_MASK) == thread) {
            // Whoever was to answer has let go of it without: nobody else waits, so nothing need be told the kernel.
            INT.setVolatile(word, 0L, 0);
            owner = 0;
        }
        if ((owner & Futex.TID_MASK) != 0) {
            int result = Futex.lockPi(word, deadline, Futex.Scope.SHARED);
            return result == -Errno.ESRCH || result == -Errno.EINVAL || result == -Errno.EPERM
                    ? awaitChange(slot, state, deadline) // who is to answer cannot be lent anything
                    : result;
        }
        if (phase(state) != SUBMITTED) {
            return awaitChange(slot, state, deadline);
        }
        INT.setVolatile(segment, at(slot) + SLEEPER, 1);
        return Futex.waitRequeuePi(segment.asSlice(at(slot) + STATE, 4), state, word, deadline, Futex.Scope.SHARED);
    }

    /** Wakes who waits for a slot, unless it waits for a PI word that somebody has. */
    public void wakeStateWaiters(int slot) {
        MemorySegment word = segment.asSlice(at(slot) + STATE, 4);
        if (Futex.wake(word, Integer.MAX_VALUE, Futex.Scope.SHARED) == -Errno.EINVAL) {
            // The kernel does not wake who is to be lending; what it does for that one is to give it the word.
            int state = state(slot);
            var _ = Futex.cmpRequeuePi(
                    word, state, segment.asSlice(wordAt(slot, word(state)), 4), 0, Futex.Scope.SHARED);
        }
    }

    // The server's side.

    /** What is rung to wake the server: its value is read before the requests are. */
    public MemorySegment bell() {
        return segment.asSlice(BELL, 4);
    }

    /** Takes the requests that have been submitted since the last time, a bit each. */
    public long collect() {
        if (pending() == 0) {
            return 0;
        }
        var _ = (int) INT.getAndAdd(segment, COLLECTED, 1);
        return (long) LONG.getAndSet(segment, PENDING, 0L);
    }

    /** What the client has written into a slot. Nothing of it has been checked. */
    public Descriptor descriptor(int slot) {
        long at = at(slot);
        return new Descriptor(
                segment.get(ValueLayout.JAVA_INT, at + PRIORITY),
                segment.get(ValueLayout.JAVA_INT, at + REQUEST_FLAGS),
                segment.get(ValueLayout.JAVA_LONG, at + OFFSET),
                segment.get(ValueLayout.JAVA_LONG, at + SIZE),
                segment.get(ValueLayout.JAVA_LONG, at + LENGTH));
    }

    /**
     * Takes a request that has been submitted.
     *
     * @param state {@link #SUBMITTED}, with the word that counts
     * @param thread who is to answer it, and is lent the priority of who waits; 0: nobody is
     * @return if it is the client's wish still
     */
    public boolean take(int slot, int state, int thread) {
        long word = wordAt(slot, word(state));
        boolean bound = thread != 0 && INT.compareAndSet(segment, word, 0, thread);
        int taken = withPhase(state, TAKEN);
        if (!INT.compareAndSet(segment, at(slot) + STATE, state, taken)) {
            return false;
        }
        if (bound && (int) INT.getVolatile(segment, at(slot) + SLEEPER) != 0) {
            int moved = Futex.cmpRequeuePi(
                    segment.asSlice(at(slot) + STATE, 4), taken, segment.asSlice(word, 4), 0, Futex.Scope.SHARED);
            if (moved > 0) {
                INT.setVolatile(segment, at(slot) + SLEEPER, 0); // waits for the word now
            }
        }
        return true;
    }

    /**
     * Has another thread answer: the request is submitted anew, with the next word.
     *
     * @param state of the slot, as it should be
     * @param thread the other thread; 0: whoever takes it
     * @return if it is the client's wish still
     */
    public boolean resubmit(int slot, int state, int thread) {
        int submitted = resubmitted(state);
        INT.setOpaque(segment, wordAt(slot, word(submitted)), thread);
        return INT.compareAndSet(segment, at(slot) + STATE, state, submitted);
    }

    /** Undoes {@link #resubmit}; false if the client has given up meanwhile. */
    public boolean bringBack(int slot, int state, int before) {
        return INT.compareAndSet(segment, at(slot) + STATE, state, before);
    }

    /** Lets go of the word that counted in this state, if the calling thread, of this id, has it. */
    public void letGo(int slot, int state, int thread) {
        long at = wordAt(slot, word(state));
        if (((int) INT.getVolatile(segment, at) & Futex.TID_MASK) == thread
                && !INT.compareAndSet(segment, at, thread, 0)) {
            var _ = Futex.unlockPi(segment.asSlice(at, 4), Futex.Scope.SHARED);
        }
    }

    /**
     * Answers.
     *
     * @return the state before
     */
    public int answer(int slot, Answer answer) {
        long at = at(slot);
        byte[] text = answer.text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, LONGEST_TEXT);
        MemorySegment.copy(text, 0, segment, ValueLayout.JAVA_BYTE, at + TEXT, length);
        segment.set(ValueLayout.JAVA_INT, at + TEXT_LENGTH, length);
        segment.set(ValueLayout.JAVA_INT, at + KIND, answer.kind);
        segment.set(ValueLayout.JAVA_LONG, at + LENGTH, answer.length);
        int state = state(slot);
        while (!INT.compareAndSet(segment, at + STATE, state, withPhase(state, ANSWERED))) {
            state = state(slot);
        }
        return state;
    }

    /** If who waits for a slot is to be woken by {@link #wakeStateWaiters}. */
    public boolean hasStateWaiter(int slot) {
        return (int) INT.getVolatile(segment, at(slot) + SLEEPER) != 0;
    }

    /**
     * Announces an answer.
     *
     * @return those that were announced before and that the client has not collected yet
     */
    public long announce(int slot) {
        return (long) LONG.getAndBitwiseOr(segment, RETURNED, 1L << slot);
    }

    /** Answers that the client has not collected yet. */
    public long returned() {
        return (long) LONG.getVolatile(segment, RETURNED);
    }

    // Both sides.

    /** Phase and word of a slot. */
    public int state(int slot) {
        return (int) INT.getVolatile(segment, at(slot) + STATE);
    }

    /** The phase in a state. */
    public static int phase(int state) {
        return state & PHASE_MASK;
    }

    /** The same state in another phase. */
    public static int withPhase(int state, int phase) {
        return (state & ~PHASE_MASK) | phase;
    }

    /** The state after {@link #resubmit} of this one. */
    public static int resubmitted(int state) {
        return ((state & ~PHASE_MASK) + (1 << PHASE_BITS)) | SUBMITTED;
    }

    /** Whoever writes a number into a state, the word is one of ours. */
    private static int word(int state) {
        return (state >> PHASE_BITS) & (WORDS - 1);
    }

    private static long at(int slot) {
        return FIRST_SLOT + slot * SLOT_SIZE;
    }

    private static long wordAt(int slot, int word) {
        return at(slot) + 4L * word;
    }
}
