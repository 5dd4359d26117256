package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import jpi.JAttribute;
import jpi.JHandle;
import jpi.JOperation;
import org.jspecify.annotations.Nullable;

/**
 * Constants, and what a program says at its start and end. What is static here serves all ranks of a JVM: {@link #COMM_WORLD} for
 * instance is that of whichever rank calls its methods.
 */
public final class MPI {
    /** Kept with COMM_WORLD: what a rank has said. */
    private static final JAttribute<State> STATE = JAttribute.of("MPI");

    private static final class State {
        volatile boolean initialized;
        volatile boolean finalized;
        byte @Nullable [] buffer;
    }

    /** Keys below it are known. */
    private static final int FIRST_KEY = 16;

    private static final AtomicInteger KEYS = new AtomicInteger(FIRST_KEY);

    static int newKey() {
        return KEYS.getAndIncrement();
    }

    // Numbers.

    /** In place of a source: whoever sends first. */
    public static final int ANY_SOURCE = JHandle.ANY_SOURCE;
    /** In place of a tag: any. */
    public static final int ANY_TAG = JHandle.ANY_TAG;
    /** A rank that is not there. */
    public static final int PROC_NULL = JHandle.PROC_NULL;
    /** In place of a root between two groups: this rank is it. */
    public static final int ROOT = JHandle.ROOT;
    /** No number: a colour, an index, a count. */
    public static final int UNDEFINED = JHandle.UNDEFINED;
    /** Result of a comparison: the same. */
    public static final int IDENT = 0;
    /** Result of a comparison: the same ranks in the same order. */
    public static final int CONGRUENT = 1;
    /** Result of a comparison: the same ranks. */
    public static final int SIMILAR = 2;
    /** Result of a comparison: other ranks. */
    public static final int UNEQUAL = 3;
    /** Kind of topology. */
    public static final int GRAPH = 1;
    /** Kind of topology. */
    public static final int CART = 2;
    /** Kind of topology. */
    public static final int DIST_GRAPH = 3;
    /** Attribute: the greatest tag. */
    public static final int TAG_UB = 1;
    /** Attribute: the rank of a host process; there is none. */
    public static final int HOST = 2;
    /** Attribute: the ranks that can do input and output; all. */
    public static final int IO = 3;
    /** Attribute: if clocks agree. */
    public static final int WTIME_IS_GLOBAL = 4;
    /** Attribute of a {@link Win}: where its part is in the program's memory. */
    public static final int WIN_BASE = 5;
    /** Attribute of a {@link Win}: bytes of its part. */
    public static final int WIN_SIZE = 6;
    /** Attribute of a {@link Win}: bytes that displacements are counted in. */
    public static final int WIN_DISP_UNIT = 7;
    /** Of a {@link Win#lock}: for this rank alone. */
    public static final int LOCK_EXCLUSIVE = 1;
    /** Of a {@link Win#lock}: with others. */
    public static final int LOCK_SHARED = 2;
    /** An assertion about a {@link Win}. None is needed: nothing is saved by it. */
    public static final int MODE_NOCHECK = 1;
    /** An assertion; see {@link #MODE_NOCHECK}. */
    public static final int MODE_NOPRECEDE = 2;
    /** An assertion; see {@link #MODE_NOCHECK}. */
    public static final int MODE_NOPUT = 4;
    /** An assertion; see {@link #MODE_NOCHECK}. */
    public static final int MODE_NOSTORE = 8;
    /** An assertion; see {@link #MODE_NOCHECK}. */
    public static final int MODE_NOSUCCEED = 16;
    /** No key for attributes. */
    public static final int KEYVAL_INVALID = -1;
    /** Bytes that a message needs in a buffer besides its own; none. */
    public static final int BSEND_OVERHEAD = 0;
    /** Level of thread safety. */
    public static final int THREAD_SINGLE = 0;
    /** Level of thread safety. */
    public static final int THREAD_FUNNELED = 1;
    /** Level of thread safety. */
    public static final int THREAD_SERIALIZED = 2;
    /** Level of thread safety: what there is always. */
    public static final int THREAD_MULTIPLE = 3;
    /** No error. */
    public static final int SUCCESS = 0;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_BUFFER = 1;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_COUNT = 2;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_TYPE = 3;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_TAG = 4;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_COMM = 5;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_RANK = 6;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_REQUEST = 7;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_ROOT = 8;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_GROUP = 9;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_OP = 10;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_TOPOLOGY = 11;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_DIMS = 12;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_ARG = 13;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_UNKNOWN = 14;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_TRUNCATE = 15;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_OTHER = 16;
    /** An error class; see {@link MPIException#getErrorClass}. */
    public static final int ERR_INTERN = 17;
    /** The MPI whose manner this is. */
    public static final int VERSION = 3;
    /** The MPI whose manner this is. */
    public static final int SUBVERSION = 1;

    // Datatypes.

    /** No datatype. */
    public static final Datatype DATATYPE_NULL = Datatype.createContiguous(0, Datatype.basic(Base.BYTE));
    /** A {@code byte}. */
    public static final Datatype BYTE = Datatype.basic(Base.BYTE);
    /** A {@code char}. */
    public static final Datatype CHAR = Datatype.basic(Base.CHAR);
    /** A {@code short}. */
    public static final Datatype SHORT = Datatype.basic(Base.SHORT);
    /** A {@code boolean}. */
    public static final Datatype BOOLEAN = Datatype.basic(Base.BOOLEAN);
    /** A {@code int}. */
    public static final Datatype INT = Datatype.basic(Base.INT);
    /** A {@code long}. */
    public static final Datatype LONG = Datatype.basic(Base.LONG);
    /** A {@code float}. */
    public static final Datatype FLOAT = Datatype.basic(Base.FLOAT);
    /** A {@code double}. */
    public static final Datatype DOUBLE = Datatype.basic(Base.DOUBLE);
    /** Bytes that {@link Comm#pack} has made. */
    public static final Datatype PACKED = Datatype.basic(Base.BYTE);
    /** Two floats. */
    public static final Datatype FLOAT_COMPLEX = Datatype.createContiguous(2, FLOAT);
    /** Two doubles. */
    public static final Datatype DOUBLE_COMPLEX = Datatype.createContiguous(2, DOUBLE);
    /** What {@link #int2} describes. */
    public static final Datatype INT2 = Datatype.pair(Base.INT);
    /** What {@link #shortInt} describes. */
    public static final Datatype SHORT_INT = Datatype.pair(Base.SHORT);
    /** What {@link #longInt} describes. */
    public static final Datatype LONG_INT = Datatype.pair(Base.LONG);
    /** What {@link #floatInt} describes. */
    public static final Datatype FLOAT_INT = Datatype.pair(Base.FLOAT);
    /** What {@link #doubleInt} describes. */
    public static final Datatype DOUBLE_INT = Datatype.pair(Base.DOUBLE);
    /** A value and an index. */
    public static final Int2 int2 = new Int2();
    /** A value and an index. */
    public static final ShortInt shortInt = new ShortInt();
    /** A value and an index. */
    public static final LongInt longInt = new LongInt();
    /** A value and an index. */
    public static final FloatInt floatInt = new FloatInt();
    /** A value and an index. */
    public static final DoubleInt doubleInt = new DoubleInt();

    // Operations.

    /** The greatest. */
    public static final Op MAX = new Op(JOperation.MAX);
    /** The least. */
    public static final Op MIN = new Op(JOperation.MIN);
    /** The sum. */
    public static final Op SUM = new Op(JOperation.SUM);
    /** The product. */
    public static final Op PROD = new Op(JOperation.PROD);
    /** Logical and. */
    public static final Op LAND = new Op(JOperation.LAND);
    /** Bitwise and. */
    public static final Op BAND = new Op(JOperation.BAND);
    /** Logical or. */
    public static final Op LOR = new Op(JOperation.LOR);
    /** Bitwise or. */
    public static final Op BOR = new Op(JOperation.BOR);
    /** Logical exclusive or. */
    public static final Op LXOR = new Op(JOperation.LXOR);
    /** Bitwise exclusive or. */
    public static final Op BXOR = new Op(JOperation.BXOR);
    /** In a {@link Win}: the value that is given takes the place of the one there. */
    public static final Op REPLACE = new Op(JOperation.REPLACE);
    /** In a {@link Win}: nothing changes. */
    public static final Op NO_OP = new Op(JOperation.NO_OP);
    /** The greatest value, and its index. */
    public static final Op MAXLOC = new Op(new Located(true), true);
    /** The least value, and its index. */
    public static final Op MINLOC = new Op(new Located(false), true);

    // What there is at the start.

    /** All ranks of the program. */
    public static final Intracomm COMM_WORLD = new Intracomm(() -> JHandle.current().COMM_WORLD);
    /** The calling rank alone. */
    public static final Intracomm COMM_SELF = new Intracomm(() -> JHandle.current().COMM_SELF);
    /** Nobody. */
    public static final Group GROUP_EMPTY =
            new Group(() -> JHandle.current().COMM_SELF.group().excl(0));
    /** Nothing under way. */
    public static final Request REQUEST_NULL = new Request();
    /** No hints. */
    public static final Info INFO_NULL = new Info();
    /** What is known of the surroundings; nothing. */
    public static final Info INFO_ENV = new Info();
    /** Not heeded: errors are exceptions. */
    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler();
    /** Not heeded: errors are exceptions. */
    public static final Errhandler ERRORS_RETURN = new Errhandler();

    private MPI() {}

    private static State state() {
        State state = JHandle.current().COMM_WORLD.attribute(STATE);
        if (state == null) {
            state = new State();
            JHandle.current().COMM_WORLD.setAttribute(STATE, state);
        }
        return state;
    }

    /** Begins. All arguments are the program's. */
    public static String[] Init(String[] args) {
        state().initialized = true;
        return args;
    }

    /** Begins; the level of thread safety is {@link #THREAD_MULTIPLE}, whatever is required. */
    public static int InitThread(String[] args, int required) {
        state().initialized = true;
        return THREAD_MULTIPLE;
    }

    /** The level of thread safety. */
    public static int queryThread() {
        return THREAD_MULTIPLE;
    }

    /** If this is the thread of the rank, not one that the program has started. */
    public static boolean isThreadMain() {
        return Thread.currentThread().getName().startsWith("rank-");
    }

    /** Ends. From now on {@code System.exit(0)} ends this rank only. */
    public static void Finalize() {
        JHandle.current().setFinished(true);
        state().finalized = true;
    }

    /** If it has begun. */
    public static boolean isInitialized() {
        return state().initialized;
    }

    /** If it has ended. */
    public static boolean isFinalized() {
        return state().finalized;
    }

    /** The MPI whose manner this is. */
    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    /** What this is. */
    public static String getLibVersion() {
        return "JPI, in the manner of Open MPI's Java bindings";
    }

    /** Seconds since some moment in the past. */
    public static double wtime() {
        return JHandle.current().wtime();
    }

    /** The resolution of {@link #wtime}, seconds. */
    public static double wtick() {
        return JHandle.current().wtick();
    }

    /** The machine's name. */
    public static String getProcessorName() {
        return JHandle.current().getProcessorName();
    }

    /** Remembers a buffer. {@link Comm#bSend} makes its own, as large as it needs. */
    public static void attachBuffer(byte[] buffer) {
        state().buffer = buffer;
    }

    /** Gives back the array that was attached; null: none was. */
    public static byte @Nullable [] detachBuffer() {
        byte[] buffer = state().buffer;
        state().buffer = null;
        return buffer;
    }

    /** Does nothing: there is no profile. */
    public static void pControl(int level, Object obj) {}

    // Buffers.

    /** Direct memory, in the order of the machine. */
    public static ByteBuffer newByteBuffer(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    }

    /** The bytes from an offset on. */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        return Given.buffer(buf).slice(offset, buf.capacity() - offset).order(buf.order());
    }

    /** The elements from an offset on. */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return slice(ByteBuffer.wrap(Given.buffer(buf)).order(ByteOrder.nativeOrder()), offset);
    }

    /** Direct memory, in the order of the machine. */
    public static CharBuffer newCharBuffer(int capacity) {
        return newByteBuffer(2 * capacity).asCharBuffer();
    }

    /** The elements from an offset on. */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        return Given.buffer(buf).slice(offset, buf.capacity() - offset);
    }

    /** The elements from an offset on. */
    public static CharBuffer slice(char[] buf, int offset) {
        return slice(CharBuffer.wrap(Given.buffer(buf)), offset);
    }

    /** Direct memory, in the order of the machine. */
    public static ShortBuffer newShortBuffer(int capacity) {
        return newByteBuffer(2 * capacity).asShortBuffer();
    }

    /** The elements from an offset on. */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return Given.buffer(buf).slice(offset, buf.capacity() - offset);
    }

    /** The elements from an offset on. */
    public static ShortBuffer slice(short[] buf, int offset) {
        return slice(ShortBuffer.wrap(Given.buffer(buf)), offset);
    }

    /** Direct memory, in the order of the machine. */
    public static IntBuffer newIntBuffer(int capacity) {
        return newByteBuffer(4 * capacity).asIntBuffer();
    }

    /** The elements from an offset on. */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        return Given.buffer(buf).slice(offset, buf.capacity() - offset);
    }

    /** The elements from an offset on. */
    public static IntBuffer slice(int[] buf, int offset) {
        return slice(IntBuffer.wrap(Given.buffer(buf)), offset);
    }

    /** Direct memory, in the order of the machine. */
    public static LongBuffer newLongBuffer(int capacity) {
        return newByteBuffer(8 * capacity).asLongBuffer();
    }

    /** The elements from an offset on. */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        return Given.buffer(buf).slice(offset, buf.capacity() - offset);
    }

    /** The elements from an offset on. */
    public static LongBuffer slice(long[] buf, int offset) {
        return slice(LongBuffer.wrap(Given.buffer(buf)), offset);
    }

    /** Direct memory, in the order of the machine. */
    public static FloatBuffer newFloatBuffer(int capacity) {
        return newByteBuffer(4 * capacity).asFloatBuffer();
    }

    /** The elements from an offset on. */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return Given.buffer(buf).slice(offset, buf.capacity() - offset);
    }

    /** The elements from an offset on. */
    public static FloatBuffer slice(float[] buf, int offset) {
        return slice(FloatBuffer.wrap(Given.buffer(buf)), offset);
    }

    /** Direct memory, in the order of the machine. */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return newByteBuffer(8 * capacity).asDoubleBuffer();
    }

    /** The elements from an offset on. */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return Given.buffer(buf).slice(offset, buf.capacity() - offset);
    }

    /** The elements from an offset on. */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return slice(DoubleBuffer.wrap(Given.buffer(buf)), offset);
    }
}
