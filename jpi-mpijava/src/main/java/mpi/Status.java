package mpi;

import jpi.JStatus;

/** What is known of a message. */
@SuppressWarnings("MemberName") // MPI's names
public class Status {
    /** Rank that sent it. */
    public int source;
    /** Its tag. */
    public int tag;
    /** Which of several requests it is of. */
    public int index;

    private int elements;
    private boolean cancelled;

    /** One of no message. */
    public Status() {
        this(MPI.ANY_SOURCE, MPI.ANY_TAG, 0);
    }

    private Status(int source, int tag, int elements) {
        this.source = source;
        this.tag = tag;
        this.elements = elements;
    }

    static Status of(JStatus status) {
        return of(status, status.count());
    }

    static Status of(JStatus status, int elements) {
        int from = status.source() == jpi.JHandle.PROC_NULL ? MPI.PROC_NULL : status.source();
        int tag = status.tag() == jpi.JHandle.ANY_TAG ? MPI.ANY_TAG : status.tag();
        return new Status(from, tag, elements);
    }

    /** Of a message from {@link MPI#PROC_NULL}. */
    static Status ofNobody() {
        return new Status(MPI.PROC_NULL, MPI.ANY_TAG, 0);
    }

    static Status ofCancelled() {
        Status status = new Status();
        status.cancelled = true;
        return status;
    }

    Status at(int place) {
        index = place;
        return this;
    }

    /** How many items of a type it has; {@link MPI#UNDEFINED} if not a whole number. */
    public int Get_count(Datatype datatype) {
        if (Datatype.required(datatype).Size() == 0) {
            return 0;
        }
        return elements % datatype.Size() == 0 ? elements / datatype.Size() : MPI.UNDEFINED;
    }

    /** How many elements of the basic type it has. */
    public int Get_elements(Datatype datatype) {
        return elements;
    }

    /** If there is none, for the receive was cancelled. */
    public boolean Test_cancelled() {
        return cancelled;
    }

    /** Does nothing: the garbage collector knows. */
    public void free() {}
}
