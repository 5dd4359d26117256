package ayatori.internal.shm;

import ayatori.internal.linux.MappedMemory;
import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What a server tells all its clients. They map it read-only, so that none of them can harm the others by it. Thread-safe.
 *
 * <pre>
 *   0       8         12      16       20                24          64                             128      132     136
 *   | magic | version | flags | closed | real-time from | namespace | sleeping at Java priorities | thread | level | ranks of those |
 * </pre>
 */
public final class ServerPage {
    /** Clients that are real-time may lend their priority through the kernel while they wait. */
    public static final int LENDS = 1;
    /** The server raises its threads when it is told to. */
    public static final int RAISES = 2;
    /** Its threads look for requests without sleeping. */
    public static final int POLLS = 4;
    /** Some users' requests count for less than they say. */
    public static final int CAPS = 8;

    /** "AYATORI" and a byte of its own. */
    private static final long MAGIC = 0x4159_4154_4f52_4950L;

    private static final int VERSION = 2;
    private static final long SIZE = 4096;

    private static final long VERSION_AT = 8;
    private static final long FLAGS = 12;
    private static final long CLOSED = 16;
    private static final long REAL_TIME_FROM = 20;
    private static final long PID_NAMESPACE = 24;
    /** For each Java priority, from 0. */
    private static final long SLEEPING = 64;

    private static final long THREAD = 128;
    private static final long LEVEL = 132;
    /** For each Java priority, from 0. */
    private static final long RANKS = 136;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final MappedMemory memory;
    private final MemorySegment segment;
    private final int flags;
    private final long pidNamespace;
    private final int realTimeFrom;

    private ServerPage(MappedMemory memory) {
        this.memory = memory;
        this.segment = memory.segment();
        this.flags = segment.get(ValueLayout.JAVA_INT, FLAGS);
        this.pidNamespace = segment.get(ValueLayout.JAVA_LONG, PID_NAMESPACE);
        this.realTimeFrom = segment.get(ValueLayout.JAVA_INT, REAL_TIME_FROM);
    }

    /**
     * A page of this process.
     *
     * @param realTimeFrom the lowest Java priority that makes its threads real-time; above the highest one: none does
     */
    public static ServerPage create(String name, int flags, int realTimeFrom) throws IOException {
        MappedMemory memory =
                MappedMemory.createSealed("ayatori-" + name, SIZE, MappedMemory.Writers.CREATOR, Arena.ofAuto());
        MemorySegment segment = memory.segment();
        segment.set(ValueLayout.JAVA_LONG, 0, MAGIC);
        segment.set(ValueLayout.JAVA_INT, VERSION_AT, VERSION);
        segment.set(ValueLayout.JAVA_LONG, PID_NAMESPACE, Sched.pidNamespace());
        segment.set(ValueLayout.JAVA_INT, FLAGS, flags);
        segment.set(ValueLayout.JAVA_INT, REAL_TIME_FROM, realTimeFrom);
        return new ServerPage(memory);
    }

    /**
     * The page of another process.
     *
     * @throws IOException if it is none, or of another version
     */
    public static ServerPage ofPassed(int descriptor) throws IOException {
        MappedMemory memory = MappedMemory.ofPassed("server's page", descriptor, true, SIZE, SIZE, Arena.ofAuto());
        memory.closeDescriptor();
        MemorySegment segment = memory.segment();
        if (segment.get(ValueLayout.JAVA_LONG, 0) != MAGIC) {
            throw new IOException("what the server passed is no page of an Ayatori server");
        }
        int version = segment.get(ValueLayout.JAVA_INT, VERSION_AT);
        if (version != VERSION) {
            throw new IOException("the server's layout has version " + version + ", this program's " + VERSION
                    + ": use the same version of Ayatori on both sides");
        }
        return new ServerPage(memory);
    }

    /** To be passed on. */
    public int descriptor() {
        return memory.descriptor();
    }

    /** It will not be passed on any more. */
    public void closeDescriptor() {
        memory.closeDescriptor();
    }

    /** If the server's thread ids are what this process calls them too. */
    public boolean hasOurThreadIds() {
        return pidNamespace != 0 && pidNamespace == Sched.pidNamespace();
    }

    /** If a flag is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** If the server takes no more requests. */
    public boolean isClosed() {
        return (int) INT.getVolatile(segment, CLOSED) != 0;
    }

    /** It takes no more. */
    public void close() {
        INT.setVolatile(segment, CLOSED, 1);
    }

    /** How many threads of this Java priority sleep, or are about to. */
    private int sleeping(int priority) {
        return (int) INT.getVolatile(segment, SLEEPING + priority * (long) Integer.BYTES);
    }

    /** If a thread sleeps, or is about to. */
    public boolean isAnySleeping() {
        return highestSleeping() > 0;
    }

    private int highestSleeping() {
        int highest = Thread.MAX_PRIORITY;
        while (highest > 0 && sleeping(highest) == 0) {
            highest--;
        }
        return highest;
    }

    /**
     * If whoever is woken by a bell sleeps at a Java priority or above: the kernel wakes the real-time thread of the highest priority; of
     * others, whichever has slept for longest.
     */
    public boolean isReady(int priority) {
        int highest = highestSleeping();
        if (highest < priority) {
            return false;
        }
        for (int lower = priority - 1; lower > 0 && highest < realTimeFrom; lower--) {
            if (sleeping(lower) != 0) {
                return false;
            }
        }
        return true;
    }

    /** One more of this Java priority, or with −1 one less. */
    public void addSleeping(int priority, int number) {
        var _ = (int) INT.getAndAdd(segment, SLEEPING + priority * (long) Integer.BYTES, number);
    }

    /** The Linux id of the only thread that serves; 0: there is none, or more than one. */
    public int thread() {
        return (int) INT.getVolatile(segment, THREAD);
    }

    /** There is one such thread now, or with 0 none. */
    public void thread(int id) {
        INT.setVolatile(segment, THREAD, id);
    }

    /** The Java priority at which that thread is; 0: unknown. */
    public int level() {
        return (int) INT.getVolatile(segment, LEVEL);
    }

    /** It is at this one now. */
    public void level(int priority) {
        INT.setVolatile(segment, LEVEL, priority);
    }

    /** The kernel's rank that this Java priority gives it, see {@link ayatori.sched.SchedulingParameters#rank}; 0: none, or unknown. */
    public int rank(int priority) {
        return (int) INT.getVolatile(segment, RANKS + priority * (long) Integer.BYTES);
    }

    /** That is this one. */
    public void rank(int priority, int rank) {
        INT.setVolatile(segment, RANKS + priority * (long) Integer.BYTES, rank);
    }
}
