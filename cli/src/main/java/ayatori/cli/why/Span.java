package ayatori.cli.why;

import ayatori.cli.why.TraceEvent.Task;

/**
 * What the watched thread did from one moment to another.
 *
 * @param from System.nanoTime
 * @param to the same
 * @param cpu of {@link Kind#RAN} and {@link Kind#WAITED}: which one; else -1
 * @param other of {@link Kind#WAITED}: who ran there, id 0 if nobody did; of sleeping: who ended it, as far as it was seen,
 *     else {@link #NOBODY}
 * @param interrupt of sleeping: a timer or a device ended it, and {@code other} was only there
 */
record Span(Kind kind, long from, long to, int cpu, Task other, boolean interrupt) {
    static final Task NOBODY = new Task(-1, "", 0);

    enum Kind {
        RAN("ran"),
        WAITED("waited for a CPU"),
        SLEPT("slept"),
        BLOCKED("blocked, most likely for I/O"),
        STOPPED("stopped by a signal or a debugger"),
        UNSEEN("not seen in the trace");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        boolean sleeping() {
            return this == SLEPT || this == BLOCKED || this == STOPPED;
        }

        /** By a state of proc_pid_stat(5) that is not R. */
        static Kind ofState(char state) {
            return switch (state) {
                case 'D' -> BLOCKED;
                case 'T', 't' -> STOPPED;
                default -> SLEPT;
            };
        }
    }

    long nanos() {
        return to - from;
    }
}
