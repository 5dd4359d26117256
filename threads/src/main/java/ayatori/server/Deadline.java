package ayatori.server;

import java.util.concurrent.TimeUnit;

/** Until when somebody waits: in {@link System#nanoTime} time, which may overflow, or {@link #FOREVER}. */
final class Deadline {
    /** No deadline. */
    static final long FOREVER = Long.MAX_VALUE;

    /** A wait in the kernel sees neither an interrupt nor the end of who was to wake it. */
    static final long LOOK_AROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Deadline() {}

    static boolean hasCome(long deadline) {
        return deadline != FOREVER && deadline - System.nanoTime() <= 0;
    }

    /** Until when to sleep before it is time to look around again, or the deadline has come. */
    static long orLookAround(long deadline) {
        long most = System.nanoTime() + LOOK_AROUND_NANOS;
        return deadline == FOREVER || deadline - most > 0 ? most : deadline;
    }
}
