package mpi;

import java.nio.Buffer;
import jpi.JBuffer;
import jpi.JMessage;
import jpi.JPeers;
import jpi.JStatus;
import org.jspecify.annotations.Nullable;

/** A message that has been found but not received yet: matched probe. */
public final class Message {
    private @Nullable JMessage found;
    private boolean noProc;

    /** None yet. */
    public Message() {}

    /** If there is none. */
    public boolean isNull() {
        return found == null && !noProc;
    }

    /** If it is what {@link MPI#PROC_NULL} sends. */
    public boolean isNoProc() {
        return noProc;
    }

    /** Waits for a message, which is then this one's alone. */
    public Status mProbe(int source, int tag, Comm comm) {
        found = MPIException.<@Nullable JMessage>of(() -> peers(comm).mprobe(source, tag));
        noProc = found == null;
        return status();
    }

    /** Takes a message if one is there; else null. */
    public @Nullable Status imProbe(int source, int tag, Comm comm) {
        found = MPIException.<@Nullable JMessage>of(() -> peers(comm).improbe(source, tag));
        noProc = source == MPI.PROC_NULL;
        return isNull() ? null : status();
    }

    private static JPeers peers(Comm comm) {
        return Given.communicator(comm, "the communicator").peers();
    }

    private Status status() {
        return found == null ? Status.ofNobody() : Status.of(found.status());
    }

    /** Receives it. */
    public Status mRecv(@Nullable Object buf, int count, Datatype type) {
        JMessage message = found;
        found = null;
        if (noProc || message == null) {
            noProc = false;
            return Status.ofNobody();
        }
        Region region = new Region(buf, count, type);
        return MPIException.of(() -> {
            JBuffer space = region.space();
            JStatus status = message.recv(space);
            region.take(space, status.count());
            return Status.of(status, type);
        });
    }

    /** Receives it: at once, for it has been found. */
    public Request imRecv(Buffer buf, int count, Datatype type) {
        return Request.ofStatus(mRecv(buf, count, type));
    }
}
