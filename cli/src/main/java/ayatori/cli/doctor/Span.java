package ayatori.cli.doctor;

/**
 * The real-time values of a process's threads as the kernel has them.
 *
 * @param low the lowest
 * @param high the highest
 * @param command what it calls itself, proc(5) comm
 */
record Span(int pid, String command, int low, int high) {
    boolean overlaps(Span other) {
        return low <= other.high && other.low <= high;
    }

    /** For people. */
    String text() {
        return (low == high ? "RR or FIFO " + low : "RR or FIFO " + low + "-" + high) + ": process " + pid + " ("
                + command + ")";
    }
}
