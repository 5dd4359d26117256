package jpi.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Passes on what one process prints, whole lines at a time. */
final class OutputPump {
    /** A line that is longer is passed on in pieces, between which others may come. */
    static final int LONGEST_LINE = 1 << 20;

    private static final int PIECE = 1 << 13;
    /** A process of the program's own may keep the stream open when the one that it is of has ended. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final InputStream source;
    private final MergedOutput target;
    private final Thread thread;

    /** How often it has begun or ended to wait for the process: odd while it does. Runs over. Of the thread. */
    private volatile int turn;

    // Of who waits for its end.
    private int seenTurn;
    private long seenSince;

    /** One that passes nothing on yet. */
    OutputPump(InputStream source, MergedOutput target, String name) {
        this.source = source;
        this.target = target;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::pass);
    }

    /** Starts to pass on what comes, until the stream ends. */
    OutputPump start() {
        thread.start();
        return this;
    }

    /**
     * If nothing more is to be expected of a process that has ended: all has been passed on, or for two seconds nothing has come. Who
     * reads our own output may take as long as it likes. By one thread, again and again.
     */
    boolean isOver() {
        int now = turn;
        long time = System.nanoTime();
        if (now != seenTurn || now % 2 == 0) {
            seenTurn = now;
            seenSince = time;
        }
        return !thread.isAlive() || time - seenSince > SILENCE_NANOS;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // of one thread
    private int read(byte[] bytes, int offset) throws IOException {
        turn++;
        try {
            return source.read(bytes, offset, bytes.length - offset);
        } finally {
            turn++;
        }
    }

    /** Passes on what comes until the stream ends. */
    void pass() {
        byte[] held = new byte[PIECE];
        int length = 0;
        try (source) {
            while (true) {
                if (length == held.length) {
                    held = Arrays.copyOf(held, 2 * length);
                }
                int come = read(held, length);
                if (come < 0) {
                    break;
                }
                int lines = length + come >= LONGEST_LINE ? length + come : endOfLines(held, length, length + come);
                length += come;
                if (lines > 0) {
                    target.write(held, lines);
                    System.arraycopy(held, lines, held, 0, length - lines);
                    length -= lines;
                }
            }
        } catch (IOException e) {
            // The process is gone: what came until then counts.
        }
        target.write(held, length);
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
}
