package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.stream.IntStream;
import jpi.JComm;
import jpi.JGroup;
import jpi.JType;
import jpi.JWindow;
import mpi.WindowParts.Place;
import org.jspecify.annotations.Nullable;

/**
 * Memory that all ranks of a communicator reach: each has a part, and reads and writes those of the others without their doing. What is put
 * or got is there when the call returns.
 *
 * <p>A window over a buffer of the program's has two copies of it, of which the ranks reach one, and the program the other: MPI's separate
 * memory model. Both are made equal, at the rank whose buffer it is, by {@link #fence}, {@link #post}, {@link #waitFor}, {@link #test},
 * {@link #lock} and {@link #unlock} of its own part, {@link #lockAll}, {@link #unlockAll}, {@link #sync} and {@link #free}. A window that
 * allocates its memory has one copy: {@link #sharedQuery}.
 */
public final class Win extends Attributed implements Freeable {
    /** The memory is for put and get. Here it is the same as {@link #FLAVOR_SHARED}. */
    public static final int FLAVOR_PRIVATE = 0;
    /** The memory may be read and written directly, by {@link #sharedQuery}. */
    public static final int FLAVOR_SHARED = 1;

    private final JWindow window;
    private final WindowParts parts;
    private final JGroup group;
    private final int me;
    private final int unit;
    /** Null: the window's memory is the program's. */
    private final @Nullable Mirror mirror;

    private final MemorySegment memory;
    private final boolean hasLocks;

    /**
     * One over memory that is there. Collective.
     *
     * @param base the memory of this rank's part
     * @param size of it, in elements of the buffer
     * @param dispUnit in which displacements in this part are counted, in elements of the buffer
     * @param info {@code no_locks} is heeded
     */
    public Win(Buffer base, int size, int dispUnit, @Nullable Info info, Comm comm) {
        this(
                comm,
                size,
                dispUnit,
                elementSize(base),
                MemorySegment.ofBuffer(base.duplicate().clear()),
                info);
    }

    /**
     * One that allocates its memory, zeroes at first. Collective.
     *
     * @param size of this rank's part, in elements of the buffer
     * @param dispUnit in which displacements in this part are counted, in elements of the buffer
     * @param info {@code no_locks} is heeded
     * @param base says what its elements are, nothing else: no buffer can be made to lie elsewhere. The memory is had from {@link #sharedQuery}
     * @param flavor {@link #FLAVOR_PRIVATE} or {@link #FLAVOR_SHARED}
     */
    public Win(int size, int dispUnit, @Nullable Info info, Comm comm, Buffer base, int flavor) {
        this(comm, size, dispUnit, elementSize(base), null, info);
    }

    private Win(Comm comm, int size, int dispUnit, int elementSize, @Nullable MemorySegment base, @Nullable Info info) {
        long bytes = (long) size * elementSize;
        if (size < 0 || (base != null && bytes > base.byteSize())) {
            throw new MPIException("a window of " + size + " elements"
                    + (base == null ? "" : " over a buffer of " + base.byteSize() / elementSize)
                    + ": must lie within it");
        }
        unit = dispUnit * elementSize;
        hasLocks = info == null || !"true".equals(info.get("no_locks"));
        JComm members = Given.communicator(comm, "the communicator").comm();
        group = members.group();
        me = members.rank();
        window = MPIException.of(() -> members.window(JType.BYTE, bytes));
        memory = base == null ? window.memory() : base.asSlice(0, bytes);
        mirror = base == null ? null : new Mirror(memory, window.memory(), elementSize);
        // When a rank knows all units all parts have their contents: nobody tells its unit before.
        parts = new WindowParts(
                window,
                MPIException.of(() -> members.allgather(unit).stream()
                        .mapToInt(Integer::intValue)
                        .toArray()));
    }

    private static int elementSize(@Nullable Buffer buffer) {
        return switch (buffer) {
            case ByteBuffer _ -> Byte.BYTES;
            case CharBuffer _ -> Character.BYTES;
            case ShortBuffer _ -> Short.BYTES;
            case IntBuffer _ -> Integer.BYTES;
            case LongBuffer _ -> Long.BYTES;
            case FloatBuffer _ -> Float.BYTES;
            case DoubleBuffer _ -> Double.BYTES;
            case null ->
                throw new MPIException(
                        "the buffer of the window is null: give one, of as many elements as there are to be");
        };
    }

    // What it is.

    /** The ranks that have it. */
    public Group getGroup() {
        return new Group(() -> group);
    }

    /** Its name. */
    public String getName() {
        return window.name();
    }

    /** Names it, at this rank. */
    public void setName(String name) {
        MPIException.in(() -> window.setName(name));
    }

    /**
     * A rank's part itself, of a window that has allocated it. Not in Open MPI's bindings, which cannot hand it out.
     *
     * @return direct memory, in the order of the machine, as long as the window is there
     */
    public ByteBuffer sharedQuery(int rank) {
        if (mirror != null) {
            throw new MPIException(
                    "the window is over buffers of the program's, which only put and get reach: allocate one");
        }
        return MPIException.of(() -> window.memory(rank).asByteBuffer().order(ByteOrder.nativeOrder()));
    }

    /** What is kept, or known as {@link MPI#WIN_BASE}, {@link MPI#WIN_SIZE} or {@link MPI#WIN_DISP_UNIT}; null: nothing. */
    @Override
    public @Nullable Object getAttr(int keyval) {
        return switch (keyval) {
            case MPI.WIN_BASE -> memory.address();
            case MPI.WIN_SIZE -> (int) Math.min(memory.byteSize(), Integer.MAX_VALUE);
            case MPI.WIN_DISP_UNIT -> unit;
            default -> super.getAttr(keyval);
        };
    }

    /** Not heeded: errors are exceptions. */
    public void setErrhandler(Errhandler errhandler) {}

    /** What is done about errors. */
    public Errhandler getErrhandler() {
        return MPI.ERRORS_RETURN;
    }

    /** Says that the window is needed no more. Collective: all ranks have ended their access when this returns. */
    @Override
    public void free() {
        fence(0);
        MPIException.in(window::close);
    }

    // Access. Displacements are in units of the target's part.

    /** Writes items to a rank's part. */
    public void put(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType) {
        Region values = new Region(origin, orgCount, orgType);
        MPIException.in(() -> parts.put(values, new Place(targetRank, targetDisp, targetCount, targetType)));
    }

    /** Reads items from a rank's part. */
    public void get(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType) {
        Region into = new Region(origin, orgCount, orgType);
        MPIException.in(() -> parts.get(into, new Place(targetRank, targetDisp, targetCount, targetType)));
    }

    /** Combines items in a rank's part with others, each element in one step. Not by functions. */
    public void accumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op) {
        Region values = new Region(origin, orgCount, orgType);
        Place place = new Place(targetRank, targetDisp, targetCount, targetType);
        MPIException.in(() -> parts.accumulate(values, null, place, op));
    }

    /** Does the same, and fetches what was there before. */
    public void getAccumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            Buffer resultAddr,
            int resultCount,
            Datatype resultType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op) {
        Region before = new Region(resultAddr, resultCount, resultType);
        Region values = new Region(origin, orgCount, orgType);
        Place place = new Place(targetRank, targetDisp, targetCount, targetType);
        MPIException.in(() -> parts.accumulate(values, before, place, op));
    }

    /** Combines one element with another, and fetches what was there before. For {@link MPI#NO_OP} the origin is not looked at. */
    public void fetchAndOp(Buffer origin, Buffer resultAddr, Datatype dataType, int targetRank, int targetDisp, Op op) {
        getAccumulate(
                origin,
                op == MPI.NO_OP ? 0 : 1,
                dataType,
                resultAddr,
                1,
                dataType,
                targetRank,
                targetDisp,
                1,
                dataType,
                op);
    }

    /** Replaces an integer by that of the origin if it is the one to compare with, in one step, and fetches what was there before. */
    public void compareAndSwap(
            Buffer origin, Buffer compareAddr, Buffer resultAddr, Datatype targetType, int targetRank, int targetDisp) {
        Region next = new Region(origin, 1, targetType);
        Region expected = new Region(compareAddr, 1, targetType);
        Region before = new Region(resultAddr, 1, targetType);
        Place place = new Place(targetRank, targetDisp, 1, targetType);
        MPIException.in(() -> parts.compareAndSwap(next, expected, before, place));
    }

    private static Request over() {
        return Request.ofStatus(Status.empty());
    }

    /** {@link #put}; the request is over at once. */
    public Request rPut(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType) {
        put(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
        return over();
    }

    /** {@link #get}; the request is over at once. */
    public Request rGet(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType) {
        get(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
        return over();
    }

    /** {@link #accumulate}; the request is over at once. */
    public Request rAccumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op) {
        accumulate(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType, op);
        return over();
    }

    /** {@link #getAccumulate}; the request is over at once. */
    public Request rGetAccumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            Buffer resultAddr,
            int resultCount,
            Datatype resultType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op) {
        getAccumulate(
                origin,
                orgCount,
                orgType,
                resultAddr,
                resultCount,
                resultType,
                targetRank,
                targetDisp,
                targetCount,
                targetType,
                op);
        return over();
    }

    // Synchronisation. Assertions are not heeded: nothing could be saved.

    private void publish() {
        if (mirror != null) {
            mirror.publish();
        }
    }

    private void refresh() {
        if (mirror != null) {
            mirror.refresh();
        }
    }

    private void exchange() {
        if (mirror != null) {
            mirror.exchange();
        }
    }

    private void exchangeIfMine(int rank) {
        if (rank == me) {
            exchange();
        }
    }

    /** Ends what all ranks have accessed, and begins the next such epoch. */
    public void fence(int assertion) {
        MPIException.in(() -> {
            publish();
            window.fence();
            refresh();
        });
    }

    /** Waits until some ranks let this one access their parts by {@link #post}. */
    public void start(Group group, int assertion) {
        MPIException.in(() -> window.start(ranks(group)));
    }

    /** Ends the access that was started. */
    public void complete() {
        MPIException.in(window::complete);
    }

    /** Lets some ranks access this one's part, from their {@link #start} to their {@link #complete}. */
    public void post(Group group, int assertion) {
        MPIException.in(() -> {
            int[] origins = ranks(group);
            exchange();
            window.post(origins);
        });
    }

    private int[] ranks(Group some) {
        JGroup theirs = Given.group(some, "the group").group();
        return theirs.translate(IntStream.range(0, theirs.size()).toArray(), group);
    }

    /** Waits until those that were let have completed their access. */
    public void waitFor() {
        MPIException.in(() -> {
            window.await();
            exchange();
        });
    }

    /** The same, if it need not wait: if this is true, {@link #waitFor} is not to be called. */
    public boolean test() {
        return MPIException.of(() -> {
            boolean isComplete = window.test();
            if (isComplete) {
                exchange();
            }
            return isComplete;
        });
    }

    private void requireLocks() {
        if (!hasLocks) {
            throw new MPIException("the window was made with the hint no_locks: call fence, or post and start");
        }
    }

    /**
     * Waits until a part may be accessed.
     *
     * @param lockType {@link MPI#LOCK_EXCLUSIVE} or {@link MPI#LOCK_SHARED}
     */
    public void lock(int lockType, int rank, int assertion) {
        requireLocks();
        MPIException.in(() -> {
            switch (lockType) {
                case MPI.LOCK_EXCLUSIVE -> window.lock(rank);
                case MPI.LOCK_SHARED -> window.lockShared(rank);
                default -> throw new MPIException("lock type " + lockType + ": must be LOCK_EXCLUSIVE or LOCK_SHARED");
            }
            exchangeIfMine(rank);
        });
    }

    /** Ends {@link #lock}. */
    public void unlock(int rank) {
        MPIException.in(() -> {
            exchangeIfMine(rank);
            window.unlock(rank);
        });
    }

    /** Waits until all parts may be accessed, with others. */
    public void lockAll(int assertion) {
        requireLocks();
        MPIException.in(() -> {
            window.lockAll();
            exchange();
        });
    }

    /** Ends {@link #lockAll}. */
    public void unlockAll() {
        MPIException.in(() -> {
            exchange();
            window.unlockAll();
        });
    }

    /** What this rank has written to its own part is there for the others, and what they have put there for it. */
    public void sync() {
        MPIException.in(() -> {
            window.sync();
            exchange();
            window.sync();
        });
    }

    /** What this rank has put to a part that it has locked is there when this returns. */
    public void flush(int targetRank) {
        MPIException.in(() -> window.flush(targetRank));
    }

    /** The same for all parts. */
    public void flushAll() {
        MPIException.in(window::flushAll);
    }

    /** As {@link #flush}. */
    public void flushLocal(int targetRank) {
        flush(targetRank);
    }

    /** As {@link #flushAll}. */
    public void flushLocalAll() {
        flushAll();
    }
}
