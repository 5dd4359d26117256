package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jpi.internal.engine.Timeline;
import jpi.internal.engine.TraceText;
import org.jspecify.annotations.Nullable;

/**
 * The timeline of all workers: a JSON array in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open, even if its
 * end is missing.
 */
final class TraceFile {
    private final Path path;
    private final FileChannel channel;
    private final OutputStream out;
    private final long[] dropped;
    private boolean begun;
    private boolean finished;
    private @Nullable IOException trouble;

    private TraceFile(Path path, FileChannel channel, int workers) {
        this.path = path;
        this.channel = channel;
        out = Channels.newOutputStream(channel);
        dropped = new long[workers];
    }

    /**
     * Opens one. An earlier timeline stays there until this one {@linkplain #begin begins}: perhaps nothing is run.
     *
     * @throws UserMistake if it cannot be written
     */
    static TraceFile open(Path path, int workers) {
        try {
            TraceFile file = new TraceFile(
                    path, FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE), workers);
            if (file.channel.size() == 0) {
                file.begin();
            }
            if (file.trouble != null) {
                throw file.trouble;
            }
            return file;
        } catch (IOException e) {
            throw new UserMistake("-trace " + path + " cannot be written (" + FileTrouble.reason(e, "folder")
                    + "): name another file");
        }
    }

    /** The program begins. Once or more. */
    synchronized void begin() {
        if (begun || finished) {
            return;
        }
        begun = true;
        try {
            if (channel.size() > 0) {
                var _ = channel.truncate(0);
            }
        } catch (IOException e) {
            trouble = e;
        }
        TraceText master = new TraceText();
        master.processName(ProcessHandle.current().pid(), "JRun");
        write("[" + master.take().substring(1)); // what follows begins with its comma
    }

    /** Adds what a worker has to tell. */
    synchronized void add(int worker, Timeline.Part part) {
        dropped[worker] = part.dropped();
        if (!finished) {
            write(part.lines());
        }
    }

    private void write(String text) {
        if (trouble == null) {
            try {
                out.write(text.getBytes(UTF_8));
            } catch (IOException e) {
                trouble = e; // the program is more important than what is told of it
            }
        }
    }

    /** Ends it. Once or more. */
    synchronized void finish() {
        if (finished) {
            return;
        }
        finished = true;
        if (begun) {
            write("\n]\n");
        }
        try {
            out.close();
        } catch (IOException e) {
            trouble = trouble == null ? e : trouble;
        }
    }

    /** What is missing, in a sentence; empty if nothing is. */
    synchronized String missing() {
        if (trouble != null) {
            return "the timeline " + path + " is not complete: " + trouble.getMessage();
        }
        long all = 0;
        for (long some : dropped) {
            all += some;
        }
        return all == 0 ? "" : "the timeline " + path + " is full: " + all + " slices are not in it";
    }
}
