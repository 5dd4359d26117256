package ayatori.internal.shm;

import ayatori.internal.linux.AddressBudget;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Futex;
import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * What a client and a server share: a slot for each request on its way, and the areas that are handed over. The client makes it.
 * Thread-safe where it says nothing else.
 *
 * <pre>
 *   0       8         12      16      24     64     128    192       256
 *   | magic | version | slots | areas | size | bell | rung | pending | returned |
 *
 *   a slot, of 256 bytes, from 4096 on; the answer has cache lines of its own:
 *   0         16      20        24         28      32       40     48       56       64     68            72            80       88
 *   | 4 words | state | sleeper | priority | flags | offset | size | length | number | done | answer kind | text length | length | text |
 * </pre>
 *
 * <p>The <em>state</em> is a phase and a number, by which the same phase of two requests differs, and which says which PI word
 * counts: the number modulo 4. That word holds the id of the thread that is to answer, as if it owned a lock, so that who
 * waits for it lends that thread its priority. A word on which somebody waits cannot change its owner, so a request that goes to
 * another server goes on with the next word; and so does the next request in the slot, since the server lets go of a word only
 * after it has answered.
 */
public final class ConnectionMemory {
    /** Requests that may be on their way at once. */
    public static final int SLOTS = 48;

    /** The most bytes for areas: a server's address space is to do for many clients. */
    public static final long MOST_AREAS = 1L << 36;

    /** Bytes of a message of failure. */
    public static final int LONGEST_TEXT = 168;

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

    /**
     * The request is one of a guest's memory, whose number stands in place of the offset, and the number of the slot there in place
     * of the size. The priority is the one that counts. The slot is given back at once, unannounced.
     */
    public static final int DELEGATED = 4;

    // Kinds of answers.
    /** The area, with what the server has put there. */
    public static final int RESULT = 1;
    /** A text. */
    public static final int FAILURE = 2;
    /** A text: the server took no request. */
    public static final int REJECTION = 3;

    private static final long MAGIC = 0x4159_4154_4f52_4943L;
    private static final int VERSION = 2;

    private static final long VERSION_AT = 8;
    private static final long SLOTS_AT = 12;
    private static final long AREAS_AT = 16;
    private static final long AREAS_SIZE_AT = 24;
    private static final long BELL = 64;
    private static final long RUNG = 128;
    private static final long PENDING = 192;
    private static final long RETURNED = 256;

    private static final long FIRST_SLOT = 4096;
    private static final long SLOT_SIZE = 256;
    private static final long AREAS = FIRST_SLOT + SLOTS * SLOT_SIZE;

    private static final int WORDS = 4;
    private static final long STATE = 16;
    private static final long SLEEPER = 20;
    private static final long PRIORITY = 24;
    private static final long REQUEST_FLAGS = 28;
    private static final long OFFSET = 32;
    private static final long SIZE = 40;
    private static final long LENGTH = 48;
    private static final long NUMBER = 56;
    private static final long DONE = 64;
    private static final long KIND = 68;
    private static final long TEXT_LENGTH = 72;
    private static final long ANSWER_LENGTH = 80;
    private static final long TEXT = 88;

    /** The bits of {@code pending} above those of the slots count how many times the server has collected. */
    private static final long SLOT_BITS = (1L << SLOTS) - 1;

    /** To exchange a word that a client may change for ever, to keep a server from all others. */
    private static final int MOST_TRIES = 1000;

    private static final byte[] NO_TEXT = {};

    private static final int PHASE_BITS = 4;
    private static final int PHASE_MASK = (1 << PHASE_BITS) - 1;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MappedMemory memory;
    private final MemorySegment segment;
    private final long areasSize;
    /** Of the client's requests. */
    private final AtomicLong numbers = new AtomicLong();

    private ConnectionMemory(MappedMemory memory, long areasSize) {
        this.memory = memory;
        this.segment = memory.segment();
        this.areasSize = areasSize;
    }

    /**
     * What a client asks.
     *
     * @param priority Java priority, 1 to 10
     * @param flags {@link #LENDS}, {@link #ASYNCHRONOUS}, {@link #DELEGATED}
     * @param offset where the area begins, from the beginning of all areas
     * @param size bytes of it
     * @param length how many of them count
     */
    public record Descriptor(int priority, int flags, long offset, long size, long length) {
        /** The same at another priority. */
        public Descriptor atPriority(int other) {
            return new Descriptor(other, flags, offset, size, length);
        }
    }

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
     * Memory that a client has passed. The descriptor is this one's from now on, unless this fails.
     *
     * @param budget of that client
     * @throws IOException if it is none, of another layout, or too much
     */
    public static ConnectionMemory ofPassed(int descriptor, AddressBudget budget) throws IOException {
        MappedMemory memory = MappedMemory.ofPassed(
                "client's memory", descriptor, false, AREAS + 1, AREAS + MOST_AREAS, budget, Arena.ofAuto());
        try {
            return new ConnectionMemory(memory, requireLayout(memory.segment()));
        } catch (IOException e) {
            memory.disownDescriptor();
            throw e;
        }
    }

    /** How many bytes are for areas. */
    private static long requireLayout(MemorySegment segment) throws IOException {
        if (segment.get(ValueLayout.JAVA_LONG, 0) != MAGIC) {
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
        return areas;
    }

    /** To be passed on. */
    public int descriptor() {
        return memory.descriptor();
    }

    /** It has been passed on. */
    public void closeDescriptor() {
        memory.closeDescriptor();
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
        segment.set(ValueLayout.JAVA_LONG, at + NUMBER, numbers.getAndIncrement());
        INT.setOpaque(segment, at + DONE, 0);
    }

    /**
     * Submits a slot that has been filled.
     *
     * @param thread who is to answer; 0: whoever takes it
     * @return what was there before, for {@link #submittedBefore} and {@link #rung}
     */
    public long submit(int slot, int thread) {
        int submitted = resubmitted(state(slot));
        INT.setOpaque(segment, wordAt(slot, word(submitted)), thread);
        INT.setRelease(segment, at(slot) + STATE, submitted);
        return (long) LONG.getAndBitwiseOr(segment, PENDING, 1L << slot);
    }

    /** How many requests were there before that the server has not collected, and whose clients have woken it for that. */
    public int submittedBefore(long before) {
        boolean rung = (long) LONG.getVolatile(segment, RUNG) == ~(before | SLOT_BITS);
        return rung ? Long.bitCount(before & SLOT_BITS) : 0;
    }

    /** Requests that the server has not collected yet. */
    public int pending() {
        return Long.bitCount((long) LONG.getVolatile(segment, PENDING) & SLOT_BITS);
    }

    /** Who has found this before has woken the server for all that is there. */
    public void rung(long before) {
        LONG.setVolatile(segment, RUNG, ~(before | SLOT_BITS));
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

    /** If the server has answered. */
    public boolean isAnswered(int slot) {
        return phase(state(slot)) == ANSWERED;
    }

    /** The same, for who looks again and again: looks where the server writes nothing before. */
    public boolean isDone(int slot) {
        return (int) INT.getAcquire(segment, at(slot) + DONE) != 0;
    }

    /** What the server has answered, if it has. */
    public Answer answer(int slot) {
        long at = at(slot);
        int length = segment.get(ValueLayout.JAVA_INT, at + TEXT_LENGTH);
        byte[] text = new byte[Math.clamp(length, 0, LONGEST_TEXT)];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + TEXT, text, 0, text.length);
        return new Answer(
                segment.get(ValueLayout.JAVA_INT, at + KIND),
                segment.get(ValueLayout.JAVA_LONG, at + ANSWER_LENGTH),
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
            return hasWaited(result) ? result : awaitChange(slot, state, deadline);
        }
        if (phase(state) != SUBMITTED) {
            return awaitChange(slot, state, deadline);
        }
        INT.setVolatile(segment, at(slot) + SLEEPER, 1);
        int result =
                Futex.waitRequeuePi(segment.asSlice(at(slot) + STATE, 4), state, word, deadline, Futex.Scope.SHARED);
        return result == -Errno.EAGAIN || hasWaited(result) ? result : awaitChange(slot, state, deadline);
    }

    /**
     * If not, the word is none by which one can wait: its owner has ended (ESRCH), or the other side has spoilt it (EINVAL, EPERM).
     * Who tried it again and again would keep a CPU, perhaps at a real-time priority.
     */
    private static boolean hasWaited(int result) {
        return result == 0 || result == -Errno.ETIMEDOUT || result == -Errno.EINTR || result == -Errno.EDEADLK;
    }

    /** Wakes all who wait for a slot in {@link #awaitChange}, or for somebody who takes it. */
    public void wakeStateWaiters(int slot) {
        wake(slot, Integer.MAX_VALUE);
    }

    /**
     * The same for the one thread of a client that waits for a slot, the others by way of that one: a client may park any number
     * there, and has to wake those itself.
     */
    public void wakeStateWaiter(int slot) {
        wake(slot, 1);
    }

    private void wake(int slot, int most) {
        MemorySegment word = segment.asSlice(at(slot) + STATE, 4);
        if (Futex.wake(word, most, Futex.Scope.SHARED) == -Errno.EINVAL) {
            // Who sleeps in waitRequeuePi is woken by being given the PI word only.
            int state = state(slot);
            MemorySegment free = segment.asSlice(wordAt(slot, word(state)), 4);
            var _ = Futex.cmpRequeuePi(word, state, free, 0, Futex.Scope.SHARED);
        }
    }

    // The server's side.

    /** What is rung to wake the server: its value is read before the requests are. */
    public MemorySegment bell() {
        return segment.asSlice(BELL, 4);
    }

    /** Takes the requests that have been submitted since the last time, a bit each; those that come meanwhile, the next time. */
    public long collect() {
        long found = (long) LONG.getVolatile(segment, PENDING);
        for (int i = 0; i < MOST_TRIES && (found & SLOT_BITS) != 0; i++) {
            long seen = found;
            found = (long) LONG.compareAndExchange(segment, PENDING, seen, (seen | SLOT_BITS) + 1);
            if (found == seen) {
                return seen & SLOT_BITS;
            }
        }
        return 0;
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

    /** The number of the request in a slot: the client gives each one a higher number. */
    public long number(int slot) {
        return segment.get(ValueLayout.JAVA_LONG, at(slot) + NUMBER);
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

    /** Has another number of bytes of a request's area count. */
    public void length(int slot, long length) {
        segment.set(ValueLayout.JAVA_LONG, at(slot) + LENGTH, length);
    }

    /** Undoes {@link #resubmit}; false if the client has given up meanwhile. */
    public boolean bringBack(int slot, int state, int before) {
        return INT.compareAndSet(segment, at(slot) + STATE, state, before);
    }

    /** Lets go of the word that counted in this state, if the calling thread, of this id, has it; if somebody waited for it. */
    public boolean letGo(int slot, int state, int thread) {
        return Futex.letGoPi(segment.asSlice(wordAt(slot, word(state)), 4), thread, Futex.Scope.SHARED);
    }

    /**
     * What was there when a slot was answered.
     *
     * @param abandoned if the client had given up
     * @param waiter if who waits for the slot is to be woken by {@link #wakeStateWaiter}
     */
    public record Answered(boolean abandoned, boolean waiter) {}

    /** Answers. */
    public Answered answer(int slot, Answer answer) {
        long at = at(slot);
        byte[] text = answer.text.isEmpty() ? NO_TEXT : Messages.cut(answer.text, LONGEST_TEXT);
        MemorySegment.copy(text, 0, segment, ValueLayout.JAVA_BYTE, at + TEXT, text.length);
        segment.set(ValueLayout.JAVA_INT, at + TEXT_LENGTH, text.length);
        segment.set(ValueLayout.JAVA_INT, at + KIND, answer.kind);
        segment.set(ValueLayout.JAVA_LONG, at + ANSWER_LENGTH, answer.length);
        int state = state(slot);
        for (int i = 0; !INT.compareAndSet(segment, at + STATE, state, withPhase(state, ANSWERED)); i++) {
            state = state(slot);
            if (i == MOST_TRIES) { // it is the client's, in spite of the rules
                INT.setVolatile(segment, at + STATE, withPhase(state, ANSWERED));
                break;
            }
        }
        // Before the client is told to use the slot for its next request: from then on the line is the client's.
        boolean waiter = hasStateWaiter(slot);
        INT.setRelease(segment, at + DONE, 1);
        return new Answered(phase(state) == ABANDONED, waiter);
    }

    /** If somebody waits for a slot, or is about to. */
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
