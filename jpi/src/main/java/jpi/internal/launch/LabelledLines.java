package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Map;

/**
 * Output of a worker with {@code -l}: whole lines, each with the rank of the thread that printed it. A rank's number passes on to
 * the threads that it starts, virtual ones included, which only an inheritable thread-local does for threads of any make.
 */
final class LabelledLines extends OutputStream {
    private static final InheritableThreadLocal<Integer> RANK = new InheritableThreadLocal<>();
    private static final int NO_RANK = -1;

    private final OutputStream target;
    private final Map<Integer, ByteArrayOutputStream> unfinished = new HashMap<>();

    LabelledLines(OutputStream target) {
        this.target = target;
    }

    /** From now on the calling thread, and those that it starts, print for a rank. */
    static void printFor(int rank) {
        RANK.set(rank);
    }

    /** A stream for System.out or System.err. */
    PrintStream printStream(Charset charset) {
        return new PrintStream(this, true, charset);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        Integer number = RANK.get();
        int rank = number == null ? NO_RANK : number;
        int begin = offset;
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == '\n') {
                ByteArrayOutputStream line = line(rank);
                line.write(bytes, begin, i + 1 - begin);
                var _ = unfinished.remove(rank); // before it is written: one that cannot be is not to come again
                target.write(line.toByteArray());
                begin = i + 1;
            }
        }
        if (begin < offset + length) {
            line(rank).write(bytes, begin, offset + length - begin);
        }
    }

    private ByteArrayOutputStream line(int rank) {
        return unfinished.computeIfAbsent(rank, LabelledLines::labelled);
    }

    private static ByteArrayOutputStream labelled(int rank) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        if (rank != NO_RANK) {
            line.writeBytes(("[" + rank + "] ").getBytes(US_ASCII));
        }
        return line;
    }

    /** Writes lines that have no end yet, each with one: the worker is about to end. */
    synchronized void finish() {
        try {
            for (ByteArrayOutputStream line : unfinished.values()) {
                line.write('\n');
                target.write(line.toByteArray());
            }
        } catch (IOException e) {
            // Nobody reads it.
        }
        unfinished.clear();
    }
}
