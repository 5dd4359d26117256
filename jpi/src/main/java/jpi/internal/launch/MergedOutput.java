package jpi.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** Makes one stream of those of several processes: a line at a time, byte for byte. */
final class MergedOutput {
    /** A line that is longer is passed on in pieces, between which others may come. */
    static final int LONGEST_LINE = 1 << 20;

    private static final int PIECE = 1 << 13;

    private final OutputStream target;
    private final Consumer<IOException> trouble;

    /** @param trouble gets what goes wrong in writing; what comes after that is read and dropped, so that nobody blocks */
    MergedOutput(OutputStream target, Consumer<IOException> trouble) {
        this.target = target;
        this.trouble = trouble;
    }

    /** Starts to pass on what comes from a stream; the thread ends with it. */
    Thread pump(InputStream source, String name) {
        return Thread.ofPlatform().daemon().name(name).start(() -> pass(source));
    }

    /** Passes on what comes from a stream until it ends. */
    void pass(InputStream source) {
        byte[] held = new byte[PIECE];
        int length = 0;
        try (source) {
            while (true) {
                if (length == held.length) {
                    held = Arrays.copyOf(held, 2 * length);
                }
                int come = source.read(held, length, held.length - length);
                if (come < 0) {
                    break;
                }
                int lines = length + come >= LONGEST_LINE ? length + come : endOfLines(held, length, length + come);
                length += come;
                if (lines > 0) {
                    write(held, lines);
                    System.arraycopy(held, lines, held, 0, length - lines);
                    length -= lines;
                }
            }
        } catch (IOException e) {
            // The process is gone: what came until then counts.
        }
        write(held, length);
    }

    /** Behind the last line end between two places; 0 if there is none. */
    private static int endOfLines(byte[] bytes, int from, int to) {
        for (int i = to; i > from; i--) {
            if (bytes[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }

    private synchronized void write(byte[] bytes, int length) {
        try {
            target.write(bytes, 0, length);
            target.flush();
        } catch (IOException e) {
            trouble.accept(e);
        }
    }
}
