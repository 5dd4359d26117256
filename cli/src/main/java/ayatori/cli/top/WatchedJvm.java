package ayatori.cli.top;

import ayatori.cli.JvmProcess;
import ayatori.cli.ProgramName;
import ayatori.cli.Roster;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final Optional<String> name;
    private final String commandLine;
    private final ThreadMeters meters;

    private Roster roster;
    private Roster.Reading said = new Roster.Reading("", Map.of());
    private @Nullable FutureTask<Roster.Reading> dump;
    private long dumped;
    private boolean changed = true;
    private int looks;

    /** @throws IOException if the process has ended */
    WatchedJvm(JvmProcess process, ProcFiles files) throws IOException {
        this.process = process;
        this.name = ProgramName.of(process.pid());
        this.commandLine = process.commandLine();
        this.meters = new ThreadMeters(process.pid(), files);
        this.roster = Roster.open(process);
    }

    /** What a sample says of the JVM itself. */
    Watch.Shown shown() {
        return new Watch.Shown(process.pid(), true, name, commandLine, said.summary());
    }

    /**
     * Takes a sample of all threads.
     *
     * @throws IOException if the process has ended, or become another program
     */
    List<LiveRow> sample() throws IOException {
        changed |= meters.sample();
        ask(System.nanoTime());
        looks = 1;
        List<LiveRow> rows = new ArrayList<>(meters.all().size());
        for (ThreadMeter meter : meters.all()) {
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
        LiveRow row = meter.row(process.pid(), name, known(meter));
        while (looks < LOOKS && row.thread().unsettled()) {
            looks++;
            meter.lookAgain();
            said = roster.read();
            row = meter.row(process.pid(), name, known(meter));
        }
        return row;
    }

    private Roster.Known known(ThreadMeter meter) throws IOException {
        Roster.Known known = said.threads().get(meter.ownId());
        return known == null ? meter.byKernel() : known;
    }

    /** Waits until names are known: for one sample only. */
    void awaitNames() throws IOException {
        if (!roster.hasLedger()) {
            said = roster.read();
            dumped = System.nanoTime();
            changed = false;
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
        meters.close();
    }
}
