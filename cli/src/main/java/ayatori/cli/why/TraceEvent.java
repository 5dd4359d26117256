package ayatori.cli.why;

/** A line of the kernel's scheduler trace. Times are CLOCK_MONOTONIC in nanoseconds, those of System.nanoTime. */
sealed interface TraceEvent {
    /** A thread as the kernel shows it: id, its name of 15 bytes, its priority: 99 − v for real-time v, 120 + nice. */
    record Task(int tid, String name, int priority) {
        boolean idle() {
            return tid == 0;
        }
    }

    /**
     * A CPU goes from one thread to another.
     *
     * @param state what the former does now, proc_pid_stat(5): R if the CPU was taken from it
     */
    record Switch(long nanos, int cpu, Task from, char state, Task to) implements TraceEvent {}

    /**
     * Somebody begins to wake the watched thread.
     *
     * @param waker the thread that did it, or that an interrupt broke in upon; its priority is not told
     * @param interrupt whether it was an interrupt: a timer, or a device
     */
    record Waking(long nanos, Task waker, boolean interrupt) implements TraceEvent {}

    /** The watched thread is ready for a CPU. */
    record Ready(long nanos, int cpu) implements TraceEvent {}

    /** The watched thread belongs to another CPU. */
    record Migration(long nanos, int cpu) implements TraceEvent {}

    /** What {@link SchedulerTrace} has written itself. */
    record Fence(long nanos, String text) implements TraceEvent {}

    /** The buffer was full: so many events of a CPU are missing before the next one. */
    record Lost(int cpu, long events) implements TraceEvent {}
}
