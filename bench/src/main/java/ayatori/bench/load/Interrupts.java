package ayatori.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Interrupts that one CPU has had from others, as {@code /proc/interrupts} counts them. */
final class Interrupts {
    private static final Path FILE = Path.of("/proc/interrupts");

    private final String cpu;

    /**
     * Numbers of them.
     *
     * @param rescheduling to look at who is to run there; x86: RES
     * @param functionCalls to run something there, such as what puts a woken thread into the CPU's queue; x86: CAL
     */
    record Count(long rescheduling, long functionCalls) {
        Count since(Count before) {
            return new Count(rescheduling - before.rescheduling, functionCalls - before.functionCalls);
        }

        long all() {
            return rescheduling + functionCalls;
        }
    }

    Interrupts(int cpu) {
        this.cpu = "CPU" + cpu;
    }

    /** Those until now. */
    Count now() {
        List<String> lines;
        try {
            lines = Files.readAllLines(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // In the head there is no word above the names of the interrupts.
        int column = 1 + List.of(lines.getFirst().strip().split("\\s+")).indexOf(cpu);
        return new Count(
                number(lines, "Rescheduling interrupts", column), number(lines, "Function call interrupts", column));
    }

    /** The names differ from one architecture to the next, the descriptions do not. */
    private static long number(List<String> lines, String description, int column) {
        for (String line : lines) {
            if (line.endsWith(description)) {
                return Long.parseLong(line.strip().split("\\s+")[column]);
            }
        }
        throw new IllegalStateException(FILE + " has no " + description);
    }
}
