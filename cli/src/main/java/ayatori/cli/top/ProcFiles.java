package ayatori.cli.top;

import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Files of /proc that are read again and again. They stay open as far as descriptors go: opening costs three times as
 * much as reading. What is open belongs to one thread for ever: the kernel refuses to read it once that has ended,
 * whoever gets its id then. Not thread-safe.
 */
final class ProcFiles {
    /** Descriptors for all else that this command needs. */
    private static final int RESERVE = 128;

    private final ProcText text = new ProcText();
    private long room;

    ProcFiles() {
        this(descriptors() - RESERVE);
    }

    /** @param room how many files may stay open */
    ProcFiles(long room) {
        this.room = room;
    }

    /** How many descriptors this process may have, after asking for as many as it may ask for. */
    private static long descriptors() {
        try {
            Sched.Limit limit = Sched.getLimit(0, Sched.RLIMIT_NOFILE);
            boolean raised = Sched.setLimit(0, Sched.RLIMIT_NOFILE, new Sched.Limit(limit.hard(), limit.hard())) == 0;
            long now = raised ? limit.hard() : limit.soft();
            return now == Sched.UNLIMITED ? Integer.MAX_VALUE : now;
        } catch (KernelException e) {
            return RESERVE; // each is opened for each reading
        }
    }

    /** A file that will be read often. */
    ProcFile often(Path path) {
        return new ProcFile(path);
    }

    /** Reads a file that is seldom read. */
    ProcText once(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            text.readFrom(channel);
            return text;
        }
    }

    /** One of them. */
    final class ProcFile implements AutoCloseable {
        private final Path path;
        private @Nullable FileChannel kept;

        private ProcFile(Path path) {
            this.path = path;
        }

        /**
         * Its text, good until the next file is read.
         *
         * @throws IOException if the thread has ended
         */
        ProcText read() throws IOException {
            if (kept == null) {
                if (room <= 0) {
                    return once(path);
                }
                kept = FileChannel.open(path, StandardOpenOption.READ);
                room--;
            }
            text.readFrom(kept);
            return text;
        }

        @Override
        public void close() throws IOException {
            if (kept != null) {
                kept.close();
                kept = null;
                room++;
            }
        }
    }
}
