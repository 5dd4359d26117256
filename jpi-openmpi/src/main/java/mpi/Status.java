package mpi;

import jpi.JStatus;

/** What is known of a message. */
public final class Status {
    private final int source;
    private final int tag;
    private int index;
    private int elements;
    /** Bytes of an element; 0: not known, for nobody has received it. */
    private int elementSize;

    private boolean cancelled;

    private Status(int source, int tag, int elements, int elementSize) {
        this.source = source;
        this.tag = tag;
        this.elements = elements;
        this.elementSize = elementSize;
    }

    static Status of(JStatus probed) {
        return new Status(probed.source(), probed.tag(), probed.count(), 0);
    }

    static Status of(JStatus received, Datatype type) {
        return new Status(
                received.source(), received.tag(), received.count(), type.base().size());
    }

    static Status empty() {
        return new Status(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, 1);
    }

    /** Of a message from {@link MPI#PROC_NULL}. */
    static Status ofNobody() {
        return new Status(MPI.PROC_NULL, MPI.ANY_TAG, 0, 1);
    }

    static Status ofCancelled() {
        Status status = empty();
        status.cancelled = true;
        return status;
    }

    Status at(int place) {
        index = place;
        return this;
    }

    /** Rank that sent it. */
    public int getSource() {
        return source;
    }

    /** Its tag. */
    public int getTag() {
        return tag;
    }

    /** {@link MPI#SUCCESS}: errors are exceptions. */
    public int getError() {
        return MPI.SUCCESS;
    }

    /** Which of several requests it is of. */
    public int getIndex() {
        return index;
    }

    /** How many items of a type it has; {@link MPI#UNDEFINED} if not a whole number. */
    public int getCount(Datatype datatype) {
        Datatype type = Datatype.required(datatype);
        int whole = elementSize == 0 ? elements : elements * elementSize;
        int each = elementSize == 0 ? type.getSize() : type.sizeInBytes();
        if (each == 0) {
            return 0;
        }
        return whole % each == 0 ? whole / each : MPI.UNDEFINED;
    }

    /** How many elements of the basic type it has; {@link MPI#UNDEFINED} if not a whole number. */
    public int getElements(Datatype datatype) {
        int each = Datatype.required(datatype).base().size();
        int bytes = elements * (elementSize == 0 ? each : elementSize);
        return bytes % each == 0 ? bytes / each : MPI.UNDEFINED;
    }

    /** If there is none, for the receive was cancelled. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** Says how many elements it has: so many items of a type. */
    public void setElements(Datatype datatype, int count) {
        Datatype type = Datatype.required(datatype);
        elements = count * type.getSize();
        elementSize = type.base().size();
    }

    /** Says if it is cancelled. */
    public void setCancelled(boolean flag) {
        cancelled = flag;
    }
}
