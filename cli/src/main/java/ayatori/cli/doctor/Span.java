package ayatori.cli.doctor;

import ayatori.cli.Band;
import java.util.Optional;

/**
 * The real-time values of a process's threads as the kernel has them.
 *
 * @param command what it calls itself, proc(5) comm
 * @param program the name by which it was started from the host file; empty without one, or where that is hidden
 * @param values from the lowest to the highest
 */
record Span(int pid, String command, Optional<String> program, Band values) {
    /** Whether the two should not: processes of one program stand together. */
    boolean overlaps(Span other) {
        boolean same = program.isPresent() && program.equals(other.program);
        return !same && values.overlaps(other.values);
    }

    /** For people. */
    String text() {
        return "RR or FIFO " + values + ": " + who();
    }

    /** Which process this is, for people. */
    String who() {
        return "process " + pid + " (" + command
                + program.map(name -> ", program " + name).orElse("") + ")";
    }
}
