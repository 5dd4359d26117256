package jpi.internal.engine;

import java.util.Locale;

/**
 * What a thread of a rank did for a while, as a slice of a track in a timeline.
 *
 * @param track of the thread
 * @param from by System.nanoTime
 * @param to likewise
 * @param what of a wait: what for; of a collective operation: its name
 * @param peer the other rank's number in the whole program; of a collective operation: its root; negative: none
 * @param tag of a collective operation: its number
 * @param priority Java priority of the message
 * @param bytes negative: not known
 * @param communicator its name
 * @param flow the same where a message is sent and where it is received, and of no other; 0: this is no message
 */
record Slice(
        int track,
        Kind kind,
        long from,
        long to,
        String what,
        int peer,
        int tag,
        int priority,
        long bytes,
        String communicator,
        long flow) {
    private static final int INSIDE_NANOS = 3;

    /** Of slices. */
    enum Kind {
        /** A message is sent. */
        SEND,
        /** One is waited for, and received. */
        RECEIVE,
        /** Something else is waited for. */
        WAIT,
        /** A collective operation. */
        COLLECTIVE
    }

    private String title() {
        String size = bytes < 0 ? "" : ", " + bytes + " B";
        return switch (kind) {
            case SEND -> "send to " + peer + ", tag " + tag + size;
            case RECEIVE -> "recv from " + peer + ", tag " + tag + size;
            case WAIT -> "wait " + what;
            case COLLECTIVE -> what + size;
        };
    }

    /** Appends it, and its end of the message's arrow, as elements of a JSON array. */
    void write(TraceText text, long pid) {
        text.begin("X", title(), kind.name().toLowerCase(Locale.ROOT), pid, track, from);
        text.micros("dur", to - from);
        text.args();
        if (peer >= 0) {
            text.number(kind == Kind.COLLECTIVE ? "root" : "peer", peer);
        }
        if (tag >= 0) {
            text.number(kind == Kind.COLLECTIVE ? "number" : "tag", tag);
        }
        if (bytes >= 0) {
            text.number("bytes", bytes);
        }
        if (kind != Kind.WAIT) {
            text.number("priority", priority);
            text.string("communicator", communicator);
        }
        text.endArgs();
        text.end();
        if (flow != 0) {
            boolean sent = kind == Kind.SEND;
            // Viewers look for a slice around it, and read these numbers with an error of some nanoseconds.
            long time = sent ? from : Math.max(from, to - INSIDE_NANOS);
            text.begin(sent ? "s" : "f", "message", "message", pid, track, time);
            text.number("id", flow);
            if (!sent) {
                text.string("bp", "e");
            }
            text.end();
        }
    }
}
