package ayatori.internal.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Sleep until an instant, not for a while: what periodic work is timed by. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html">clock_nanosleep(2)</a>
 */
public final class Clock {
    private static final long MONOTONIC = 1;
    private static final long ABSOLUTE = 1;

    private static final MethodHandle SLEEP =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

    private Clock() {}

    /**
     * Sleeps until CLOCK_MONOTONIC reaches an instant, which is that of {@link System#nanoTime} in HotSpot on Linux. Does
     * not sleep when it is past.
     *
     * @param instant in nanoseconds
     * @return 0 or {@code -errno}: EINTR if a signal came first
     */
    public static int sleepUntil(long instant) {
        MemorySegment memory = Syscall.memory();
        MemorySegment timespec = Syscall.timespec(instant);
        try {
            return (int) Syscall.result(
                    (long) SLEEP.invokeExact(
                            memory, Syscall.CLOCK_NANOSLEEP, MONOTONIC, ABSOLUTE, timespec, MemorySegment.NULL),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }
}
