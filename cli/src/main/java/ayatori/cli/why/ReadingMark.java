package ayatori.cli.why;

/**
 * Up to where a reading of the trace goes: to a line of our own, or, where that was lost because the buffer was full, to
 * the first event after it. A machine on which more happens than can be read would be read for ever else. Not thread-safe.
 */
final class ReadingMark {
    private int written;
    private String text = "";
    private long begun;
    private boolean passed = true;
    private long nanos;

    /**
     * The next reading begins.
     *
     * @param now System.nanoTime
     * @return the line to write into the trace
     */
    String next(long now) {
        text = "ayatori " + ++written;
        begun = now;
        passed = false;
        return text;
    }

    /** What was read. */
    void see(TraceEvent event) {
        if (passed) {
            return;
        }
        long at = switch (event) {
            case TraceEvent.Fence fence -> fence.text().equals(text) ? Math.max(begun, fence.nanos()) : fence.nanos();
            case TraceEvent.Switch change -> change.nanos();
            case TraceEvent.Waking waking -> waking.nanos();
            case TraceEvent.Ready ready -> ready.nanos();
            case TraceEvent.Migration migration -> migration.nanos();
            case TraceEvent.Lost lost -> Long.MIN_VALUE;
        };
        if (at >= begun) {
            passed = true;
            nanos = at;
        }
    }

    /** Whether the reading is at its end. */
    boolean passed() {
        return passed;
    }

    /** Until when all has been read that was not lost. */
    long nanos() {
        return nanos;
    }
}
