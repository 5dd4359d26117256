package mpi;

import java.nio.ByteBuffer;
import jpi.JAttribute;
import jpi.JHandle;
import jpi.JOperation;
import org.jspecify.annotations.Nullable;

/**
 * Constants, and what a program says at its start and end. What is static here serves all ranks of a JVM: {@link #COMM_WORLD} for
 * instance is that of whichever rank calls its methods.
 */
@SuppressWarnings("MemberName") // MPI's names
public final class MPI {
    /** Kept with COMM_WORLD: what a rank has said. */
    private static final JAttribute<State> STATE = JAttribute.of("MPI");

    private static final class State {
        volatile boolean initialized;
        byte @Nullable [] buffer;
    }

    // Numbers. Those that MPJ Express makes compile-time constants have its values, for classes compiled against it.

    /** In place of a source: whoever sends first. */
    public static final int ANY_SOURCE = -2;
    /** In place of a tag: any. */
    public static final int ANY_TAG = -2;
    /** A rank that is not there. */
    public static final int PROC_NULL = -3;
    /** No number: a colour, an index, a count. */
    public static final int UNDEFINED = -1;
    /** Result of a comparison: the same. */
    public static final int IDENT = 0;
    /** Result of a comparison: the same ranks in the same order. */
    public static final int CONGRUENT = 3;
    /** Result of a comparison: the same ranks. */
    public static final int SIMILAR = 1;
    /** Result of a comparison: other ranks. */
    public static final int UNEQUAL = 2;
    /** Kind of topology. */
    public static final int GRAPH = 1;
    /** Kind of topology. */
    public static final int CART = 2;
    /** Attribute: the greatest tag. */
    public static final int TAG_UB = 1;
    /** Attribute: the rank of a host process; there is none. */
    public static final int HOST = 2;
    /** Attribute: the ranks that can do input and output; all. */
    public static final int IO = 3;
    /** Attribute: if clocks agree. */
    public static final int WTIME_IS_GLOBAL = 4;
    /** Bytes that a message needs in a buffer besides its own; none. */
    public static final int BSEND_OVERHEAD = 0;
    /** As {@link #BSEND_OVERHEAD}. */
    public static final int SEND_OVERHEAD = 0;
    /** As {@link #BSEND_OVERHEAD}. */
    public static final int RECV_OVERHEAD = 0;
    /** Level of thread safety. */
    public static final int THREAD_SINGLE = 1;
    /** Level of thread safety. */
    public static final int THREAD_FUNNELED = 2;
    /** Level of thread safety. */
    public static final int THREAD_SERIALIZED = 3;
    /** Level of thread safety: what there is always. */
    public static final int THREAD_MULTIPLE = 4;
    /** CPUs of this machine. */
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    // Datatypes.

    /** Elements of a {@code byte[]}. */
    public static final Datatype BYTE = Datatype.basic(Base.BYTE);
    /** Elements of a {@code char[]}. */
    public static final Datatype CHAR = Datatype.basic(Base.CHAR);
    /** Elements of a {@code short[]}. */
    public static final Datatype SHORT = Datatype.basic(Base.SHORT);
    /** Elements of a {@code boolean[]}. */
    public static final Datatype BOOLEAN = Datatype.basic(Base.BOOLEAN);
    /** Elements of an {@code int[]}. */
    public static final Datatype INT = Datatype.basic(Base.INT);
    /** Elements of a {@code long[]}. */
    public static final Datatype LONG = Datatype.basic(Base.LONG);
    /** Elements of a {@code float[]}. */
    public static final Datatype FLOAT = Datatype.basic(Base.FLOAT);
    /** Elements of a {@code double[]}. */
    public static final Datatype DOUBLE = Datatype.basic(Base.DOUBLE);
    /** Elements of an array of objects, which are copied. */
    public static final Datatype OBJECT = Datatype.basic(Base.OBJECT);
    /** Bytes that {@link Comm#Pack} has made. */
    public static final Datatype PACKED = Datatype.basic(Base.BYTE);
    /** Sets the lower bound of a {@link Datatype#Struct}. */
    public static final Datatype LB = Datatype.marker(true);
    /** Sets the upper bound of a {@link Datatype#Struct}. */
    public static final Datatype UB = Datatype.marker(false);
    /** Value and index, for {@link #MAXLOC} and {@link #MINLOC}. */
    public static final Datatype SHORT2 = Datatype.Contiguous(2, SHORT);
    /** Value and index. */
    public static final Datatype INT2 = Datatype.Contiguous(2, INT);
    /** Value and index. */
    public static final Datatype LONG2 = Datatype.Contiguous(2, LONG);
    /** Value and index. */
    public static final Datatype FLOAT2 = Datatype.Contiguous(2, FLOAT);
    /** Value and index. */
    public static final Datatype DOUBLE2 = Datatype.Contiguous(2, DOUBLE);

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
    /** The greatest value, and its index. */
    public static final Op MAXLOC = new Op(new Located(true), true);
    /** The least value, and its index. */
    public static final Op MINLOC = new Op(new Located(false), true);

    // What there is at the start.

    /** All ranks of the program. */
    public static final Intracomm COMM_WORLD = new Intracomm(() -> JHandle.current().COMM_WORLD);
    /** The calling rank alone. */
    public static final Intracomm COMM_SELF = new Intracomm(() -> JHandle.current().COMM_SELF);
    /** No communicator. */
    public static final @Nullable Comm COMM_NULL = null;
    /** Nobody. */
    public static final Group GROUP_EMPTY =
            new Group(() -> JHandle.current().COMM_SELF.group().excl(0));
    /** No group. */
    public static final @Nullable Group GROUP_NULL = null;
    /** Nothing under way. */
    public static final Request REQUEST_NULL = new Request();
    /** What is known of no message. */
    public static final Status EMPTY_STATUS = new Status();
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

    /**
     * Begins.
     *
     * @return the arguments: all of them are the program's
     * @throws MPIException if the program was not started by JRun
     */
    public static String[] Init(String[] arguments) {
        JHandle.current().setFinished(false);
        state().initialized = true;
        return arguments;
    }

    /** Begins; the level of thread safety is {@link #THREAD_MULTIPLE}, whatever is required. */
    public static String[] initThread(int required, int provided, String[] arguments) {
        return Init(arguments);
    }

    /** Ends, and may begin again. From now on {@code System.exit(0)} ends this rank only. */
    public static void Finalize() {
        JHandle.current().setFinished(true);
        state().initialized = false;
    }

    /** If it has begun and not ended. */
    public static boolean Initialized() {
        return state().initialized;
    }

    /** The level of thread safety. */
    public static int queryThread() {
        return THREAD_MULTIPLE;
    }

    /** True: all threads may call everything. */
    public static boolean isMainThread() {
        return true;
    }

    /** Remembers a buffer. {@link Comm#Bsend} makes its own, as large as it needs. */
    public static void Buffer_attach(byte[] buffer) {
        state().buffer = buffer;
    }

    /** Does nothing: {@link Comm#Bsend} makes its own buffers. */
    public static void Buffer_attach(ByteBuffer buffer) {}

    /** Gives back the array that was attached; null: none was. */
    public static byte @Nullable [] Buffer_detach() {
        byte[] buffer = state().buffer;
        state().buffer = null;
        return buffer;
    }

    /** The machine's name. */
    public static String Get_processor_name() {
        return JHandle.current().getProcessorName();
    }

    /** Seconds since some moment in the past. */
    public static double Wtime() {
        return JHandle.current().wtime();
    }

    /** The resolution of {@link #Wtime}, seconds. */
    public static double Wtick() {
        return JHandle.current().wtick();
    }
}
