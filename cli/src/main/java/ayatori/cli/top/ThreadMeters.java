package ayatori.cli.top;

import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A meter for each thread that a process has. Not thread-safe. */
final class ThreadMeters implements AutoCloseable {
    private final int pid;
    private final long startTime;
    private final ProcFiles files;
    private final Map<Integer, ThreadMeter> meters = new HashMap<>();
    private @Nullable Long sampled;

    /** @throws IOException if the process has ended */
    ThreadMeters(int pid, ProcFiles files) throws IOException {
        this.pid = pid;
        this.files = files;
        this.startTime = new TaskFiles(pid).startTime();
    }

    /**
     * Takes a sample of all threads.
     *
     * @return whether threads have come or gone since the last
     * @throws IOException if the process has ended
     */
    boolean sample() throws IOException {
        long begun = System.nanoTime();
        if (new TaskFiles(pid).startTime() != startTime) {
            throw new NoSuchFileException("/proc/" + pid); // the id is another's now
        }
        boolean changed = follow();
        for (Iterator<ThreadMeter> each = meters.values().iterator(); each.hasNext(); ) {
            ThreadMeter meter = each.next();
            try {
                meter.sample();
            } catch (IOException e) {
                meter.close(); // the thread has ended
                each.remove();
            }
        }
        sampled = begun;
        return changed;
    }

    /** Those of the last sample. */
    Collection<ThreadMeter> all() {
        return meters.values();
    }

    /** Meters for the threads that are there now, and for no others. */
    private boolean follow() throws IOException {
        boolean changed = false;
        Set<Integer> tids = new HashSet<>(TaskFiles.tids(pid));
        for (Iterator<Map.Entry<Integer, ThreadMeter>> each = meters.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Integer, ThreadMeter> entry = each.next();
            if (!tids.contains(entry.getKey())) {
                entry.getValue().close();
                each.remove();
                changed = true;
            }
        }
        for (int tid : tids) {
            if (!meters.containsKey(tid)) {
                try {
                    meters.put(tid, new ThreadMeter(pid, tid, files, sampled));
                    changed = true;
                } catch (IOException e) {
                    continue; // it has ended meanwhile
                }
            }
        }
        return changed;
    }

    @Override
    public void close() throws IOException {
        for (ThreadMeter meter : meters.values()) {
            meter.close();
        }
        meters.clear();
    }
}
