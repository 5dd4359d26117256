package jpi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import jpi.internal.engine.Rank;

/** What a rank knows of its surroundings: its communicators, special ranks and tags, the machine, the clock. Thread-safe. */
public final class JHandle {
    /** In place of a source: whoever sends first. */
    public static final int ANY_SOURCE = -1;
    /** In place of a tag: any. */
    public static final int ANY_TAG = -1;
    /** A rank that is not there: what is sent to it goes nowhere, what is received from it is null, at once. */
    public static final int PROC_NULL = -2;
    /** In place of a colour in {@link JComm#split}: this rank is to be in none of the new communicators. */
    public static final int UNDEFINED = -3;

    /** In place of a root in an operation between two groups, {@link JIntercomm}: this rank is it. */
    public static final int ROOT = -4;

    /** All ranks of the program. */
    @SuppressWarnings("checkstyle:MemberName") // the paper's name
    public final JComm COMM_WORLD;

    /** This rank alone. */
    public final JComm COMM_SELF;

    /**
     * That of the rank which the calling thread is; in a thread that a program has started besides, of the only rank of this JVM.
     * Always the same object for one rank.
     *
     * @throws JException in a thread that is no rank, where there are none or several
     */
    public static JHandle current() {
        return (JHandle) Rank.current().handle(JHandle::new);
    }

    private final Rank rank;

    JHandle(Rank rank) {
        this.rank = rank;
        COMM_WORLD = JComm.world(rank);
        COMM_SELF = JComm.self(rank);
    }

    /**
     * Says if this rank has finished: then {@code System.exit(0)} ends it alone. The others go on, those of its JVM too, which ends when
     * all have, with the exit code of the first one. Else {@code System.exit} while others have not ended is an error. What MPI calls
     * Finalize.
     */
    public void setFinished(boolean finished) {
        rank.setFinished(finished);
    }

    /** The machine's name; {@code localhost} if that has no address. */
    public String getProcessorName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Seconds since some moment in the past; the same moment for all ranks of one machine. */
    public double wtime() {
        return System.nanoTime() * 1e-9;
    }

    /** The resolution of {@link #wtime}, seconds. */
    public double wtick() {
        return 1e-9;
    }
}
