package ayatori.cli.top;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ayatori.cli.Roster;
import ayatori.cli.ThreadRow;
import ayatori.internal.linux.Sched;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingStatistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows one thread from sample to sample. Not thread-safe. */
final class ThreadMeter implements AutoCloseable {
    /** Fields of stat behind the name, from 0: the third of proc_pid_stat(5) is the first here. */
    private static final int STATE = 0;

    private static final int PRIORITY = 15;
    private static final int NICE = 16;
    private static final int PROCESSOR = 36;
    private static final int STATIC_PRIORITY = 37;
    private static final int POLICY = 38;
    private static final byte[] VOLUNTARY = "\nvoluntary_ctxt_switches:\t".getBytes(US_ASCII);
    private static final byte[] INVOLUNTARY = "\nnonvoluntary_ctxt_switches:\t".getBytes(US_ASCII);

    private static final Optional<Rates> RESTED = Optional.of(new Rates(0, 0, 0, 0));

    private final int tid;
    private final int ownId;
    private final ProcFiles files;
    private final ProcFiles.ProcFile schedstat;
    private final ProcFiles.ProcFile stat;
    private final Path status;

    private SchedulingParameters actual = SchedulingParameters.other(0);
    private @Nullable Counters last;
    private Optional<Rates> rates = Optional.empty();
    private long credited;
    /** If the last sample took it to sleep on as before; at first there is nothing that it could go by. */
    private boolean skipped = true;
    /** Of the sample before, if this one's would be the same: most threads sleep most of the time. */
    private @Nullable LiveRow row;

    private Roster.@Nullable Known rowSays;
    private Roster.@Nullable Known kernelSays;

    /**
     * Begins to follow.
     *
     * @param bornAfter a moment at which there was no such thread yet; null if that is not known
     * @throws IOException if it has ended
     */
    ThreadMeter(int pid, int tid, ProcFiles files, @Nullable Long bornAfter) throws IOException {
        this.tid = tid;
        this.files = files;
        this.ownId = Roster.ownId(tid);
        this.last = bornAfter == null ? null : Counters.unborn(bornAfter);
        Path folder = Path.of("/proc", Integer.toString(pid), "task", Integer.toString(tid));
        this.schedstat = files.often(folder.resolve("schedstat"));
        this.stat = files.often(folder.resolve("stat"));
        this.status = folder.resolve("status");
    }

    /** Its id in the PID namespace of its process. */
    int ownId() {
        return ownId;
    }

    /**
     * Takes a sample. Of a thread that sleeps, state and level may be those of the sample before.
     *
     * @throws IOException if the thread has ended
     */
    void sample() throws IOException {
        ProcText text = schedstat.read();
        long now = System.nanoTime();
        long cpu = text.number(0, 0);
        long delay = text.number(0, 1);
        long slices = text.number(0, 2);
        Counters rested = last;
        if (rested != null
                && (rested.statistics().slices() != slices
                        || rested.statistics().cpuNanos() != cpu)) {
            rested = null; // it has run since
        }
        if (rested != null && !rested.runnable() && !skipped) {
            // It slept, and most likely does so still: asked every other time, for half of a sample's cost.
            skipped = true;
            rest(new Counters(now, false, rested.kernelPriority(), rested.lastCpu(), rested.statistics()));
            return;
        }
        skipped = false;
        long voluntary;
        long involuntary;
        if (rested != null) {
            // It has not been switched. This file is the dearest of the three.
            voluntary = rested.statistics().voluntarySwitches();
            involuntary = rested.statistics().involuntarySwitches();
        } else {
            text = files.once(status);
            voluntary = text.number(text.behind(VOLUNTARY), 0);
            involuntary = text.number(text.behind(INVOLUNTARY), 0);
        }
        text = stat.read();
        int start = text.lastIndexOf(')') + 2;
        char state = text.at(start + STATE);
        if (state == 'Z' || state == 'X') {
            throw new IOException("thread " + tid + " has ended");
        }
        readLevel(text, start);
        int priority = (int) text.number(start, PRIORITY);
        int processor = (int) text.number(start, PROCESSOR);
        if (rested != null && !rested.runnable() && state != 'R' && priority == rested.kernelPriority()) {
            rest(new Counters(now, false, priority, processor, rested.statistics()));
            return;
        }
        rate(new Counters(
                now,
                state == 'R',
                priority,
                processor,
                new SchedulingStatistics(cpu, delay, slices, voluntary, involuntary)));
    }

    /** It has not run in the last interval. */
    private void rest(Counters counters) {
        if (!rates.equals(RESTED)) {
            rates = RESTED;
            row = null;
        }
        credited = 0;
        last = counters;
    }

    private void rate(Counters counters) {
        row = null;
        if (last != null) {
            Rates.Step step = Rates.between(last, counters, credited);
            rates = Optional.of(step.rates());
            credited = step.credited();
        }
        last = counters;
    }

    /** Reads its level once more, within a sample. */
    void lookAgain() throws IOException {
        ProcText text = stat.read();
        readLevel(text, text.lastIndexOf(')') + 2);
    }

    private void readLevel(ProcText text, int start) throws IOException {
        SchedulingParameters now = level((int) text.number(start, POLICY), (int) text.number(start, NICE), (int)
                text.number(start, STATIC_PRIORITY));
        if (!now.equals(actual)) {
            actual = now;
            row = null;
        }
    }

    /**
     * What the kernel says of it.
     *
     * @throws IOException if the thread has ended
     */
    Roster.Known byKernel() throws IOException {
        // Read once: a thread seldom changes the name that the kernel has.
        Roster.Known known = kernelSays == null ? Roster.Known.byKernel(tid) : kernelSays;
        kernelSays = known;
        return known;
    }

    /**
     * The row of the last sample.
     *
     * @param program its process's name in the host file
     * @param known what is said of it
     */
    @SuppressWarnings("ReferenceEquality") // the roster says the same as long as nothing changes there
    LiveRow row(int pid, Optional<String> program, Roster.Known known) {
        LiveRow before = row;
        if (before != null && known == rowSays) {
            return before;
        }
        Counters counters = last;
        if (counters == null) {
            throw new IllegalStateException("no sample yet");
        }
        LiveRow now = new LiveRow(
                pid,
                program,
                ThreadRow.of(tid, known, actual, counters.kernelPriority(), counters.lastCpu(), counters.statistics()),
                rates);
        row = now;
        rowSays = known;
        return now;
    }

    /** From the file that is read anyway: a system call for each thread would be a quarter of a sample's cost. */
    private SchedulingParameters level(int policy, int nice, int staticPriority) throws IOException {
        int before = actual.policy().linuxValue();
        if (policy == Sched.RR || policy == Sched.FIFO) {
            boolean same = before == policy && actual.staticPriority() == staticPriority;
            return same
                    ? actual
                    : policy == Sched.RR
                            ? SchedulingParameters.roundRobin(staticPriority)
                            : SchedulingParameters.fifo(staticPriority);
        }
        if (policy == Sched.OTHER) {
            return before == policy && actual.nice() == nice ? actual : SchedulingParameters.other(nice);
        }
        try {
            return LinuxThread.of(tid).get();
        } catch (SchedulingException e) {
            throw new IOException("thread " + tid + " has ended", e);
        }
    }

    @Override
    public void close() throws IOException {
        schedstat.close();
        stat.close();
    }
}
