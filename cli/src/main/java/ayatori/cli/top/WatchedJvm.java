package ayatori.cli.top;

import ayatori.cli.JvmProcess;
import ayatori.cli.Roster;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows one JVM from sample to sample. Its ledger stays mapped; without one, a thread dump is asked for beside, seldom,
 * since it is a safepoint there. Not thread-safe.
 */
final class WatchedJvm implements AutoCloseable {
    /** The ledger and the kernel are read one after the other: what changed between them is looked at again. */
    private static final int LOOKS = 3;
    /** Between two dumps of a JVM whose threads come and go. */
    private static final long DUMP_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Between two dumps of one whose threads stay: names and priorities may change. */
    private static final long CALM_DUMP_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final JvmProcess process;
    private final long startTime;
    private final String commandLine;
    private final ProcFiles files;
    private final Map<Integer, ThreadMeter> meters = new HashMap<>();

    private Roster roster;
    private Roster.Reading said = new Roster.Reading("", Map.of());
    private @Nullable FutureTask<Roster.Reading> dump;
    private long dumped;
    private boolean changed = true;
    private int looks;
    private @Nullable Long sampled;

    /** @throws IOException if the process has ended */
    WatchedJvm(JvmProcess process, ProcFiles files) throws IOException {
        this.process = process;
        this.files = files;
        this.startTime = new TaskFiles(process.pid()).startTime();
        this.commandLine = process.commandLine();
        this.roster = Roster.open(process);
    }

    int pid() {
        return process.pid();
    }

    String commandLine() {
        return commandLine;
    }

    /** What holds for the whole JVM, in one line. */
    String summary() {
        return said.summary();
    }

    /**
     * Takes a sample of all threads.
     *
     * @throws IOException if the process has ended, or become another program
     */
    List<LiveRow> sample() throws IOException {
        long begun = System.nanoTime();
        if (new TaskFiles(process.pid()).startTime() != startTime) {
            throw new NoSuchFileException("/proc/" + process.pid()); // the id is another's now
        }
        follow();
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
        ask(begun);
        looks = 1;
        List<LiveRow> rows = new ArrayList<>(meters.size());
        for (ThreadMeter meter : meters.values()) {
            try {
                rows.add(row(meter));
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        if (rows.isEmpty()) {
            throw new NoSuchFileException("/proc/" + process.pid());
        }
        return rows;
    }

    private LiveRow row(ThreadMeter meter) throws IOException {
        LiveRow row = meter.row(process.pid(), said.threads().get(meter.ownId()));
        while (looks < LOOKS && row.thread().unsettled()) {
            looks++;
            meter.lookAgain();
            said = roster.read();
            row = meter.row(process.pid(), said.threads().get(meter.ownId()));
        }
        return row;
    }

    /** Waits until names are known: for one sample only. */
    void awaitNames() throws IOException {
        if (!roster.hasLedger()) {
            said = roster.read();
            dumped = System.nanoTime();
            changed = false;
        }
    }

    /** Meters for the threads that are there now, and for no others. */
    private void follow() throws IOException {
        Set<Integer> tids = new HashSet<>(TaskFiles.tids(process.pid()));
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
                    meters.put(tid, new ThreadMeter(process.pid(), tid, files, sampled));
                    changed = true;
                } catch (IOException e) {
                    continue; // it has ended meanwhile
                }
            }
        }
    }

    private void ask(long now) throws IOException {
        if (roster.hasLedger()) {
            said = roster.read();
        } else if (dump != null) {
            adopt(dump);
        } else if (said.summary().isEmpty() || now - dumped > (changed ? DUMP_NANOS : CALM_DUMP_NANOS)) {
            lookAnew(now);
        }
    }

    /** An agent may have come since, by attaching; or another program, by exec. */
    private void lookAnew(long now) throws IOException {
        if (changed && !process.isJvm()) {
            throw new NoSuchFileException("/proc/" + process.pid());
        }
        roster.close();
        roster = Roster.open(process);
        changed = false;
        dumped = now;
        if (roster.hasLedger()) {
            said = roster.read();
            return;
        }
        Roster asked = roster;
        FutureTask<Roster.Reading> answer = new FutureTask<>(asked::read);
        Thread.ofPlatform().daemon().name("thread-dump").start(answer);
        dump = answer;
        if (said.summary().isEmpty()) {
            said = new Roster.Reading("waiting for a thread dump", Map.of());
        }
    }

    private void adopt(FutureTask<Roster.Reading> answer) throws IOException {
        if (!answer.isDone()) {
            return;
        }
        dump = null;
        try {
            said = answer.get();
        } catch (ExecutionException e) {
            throw new IOException("no thread dump", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        roster.close();
        for (ThreadMeter meter : meters.values()) {
            meter.close();
        }
        meters.clear();
    }
}
