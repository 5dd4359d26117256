package jpi.internal.engine;

import java.lang.foreign.MemorySegment;
import jpi.JException;

/**
 * That memory which is mapped from a file is not there: the file has become shorter, or its file system has no room for what was never
 * written. The JVM throws an {@link InternalError} then; but compiled code goes on first, as if all were well, and throws where it looks
 * next if it is to stop. Where others wait for what happens, that has to be known at once.
 */
final class Fault {
    /** What the JVM says of it. */
    private static final String SAID = "unsafe memory access";

    private static final Object NOTHING = new Object();

    private Fault() {}

    /**
     * Copies a piece of a large message.
     *
     * @throws InternalError if memory is not there
     * @throws IllegalStateException if its arena has been closed
     */
    static void copy(MemorySegment from, long fromAt, MemorySegment into, long intoAt, long bytes) {
        MemorySegment.copy(from, fromAt, into, intoAt, bytes);
        settle(from, into);
    }

    /** After a copy that is not small: throws what the calling thread has been spared of it so far. */
    static void settle(MemorySegment from, MemorySegment into) {
        if (from.isMapped() || into.isMapped()) {
            settle();
        }
    }

    /** The same of whatever there was: so does the return from any native method, and this one costs least. */
    static void settle() {
        boolean _ = Thread.holdsLock(NOTHING);
    }

    /** What the program learns of it. Throws an error of another kind again. */
    static JException of(InternalError e) {
        if (!String.valueOf(e.getMessage()).contains(SAID)) {
            throw e;
        }
        return new JException(
                "memory that is mapped from a file is not there (" + e.getMessage()
                        + "): the file has become shorter, or /dev/shm is full; leave a mapped file as long as it is, and have"
                        + " room in /dev/shm (of a container: --shm-size) or start fewer workers",
                e);
    }
}
