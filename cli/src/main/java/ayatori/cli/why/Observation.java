package ayatori.cli.why;

import ayatori.cli.JvmProcess;
import ayatori.cli.Roster;
import ayatori.cli.UserMistake;
import ayatori.cli.why.TraceEvent.Task;
import ayatori.internal.linux.SystemCallNames;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Watches a thread for a while. For one thread. */
final class Observation {
    /** So often the trace is read, and it is looked what the thread sleeps in. */
    private static final long STEP_MILLIS = 20;

    private static final String VM_THREAD = "VM Thread";

    private final WatchedThread thread;
    private final Roster.Reading roster;
    private final @Nullable TimelineFile file;
    private final LongConsumer progress;
    private final Acquaintances acquaintances;
    private final Shares shares = new Shares();
    /** When the thread was seen asleep, and in what. */
    private final NavigableMap<Long, String> sightings = new TreeMap<>();

    /**
     * Prepares.
     *
     * @param roster what the JVM says of its threads
     * @param file where the thread's time goes, span by span; null for nowhere
     * @param progress told again and again for how many nanoseconds the thread has been watched
     */
    Observation(WatchedThread thread, Roster.Reading roster, @Nullable TimelineFile file, LongConsumer progress) {
        this.thread = thread;
        this.roster = roster;
        this.file = file;
        this.progress = progress;
        this.acquaintances = new Acquaintances(thread.process().pid(), thread.priority());
        acquaintances.learn(roster.threads());
    }

    /**
     * Watches.
     *
     * @throws IOException if the thread had ended before it began, or the timeline cannot be written
     */
    Findings run(long nanos) throws IOException, InterruptedException {
        JvmProcess process = thread.process();
        Optional<JvmCounters> before = JvmCounters.of(process);
        JavaStates states = new JavaStates(process, thread.ownId());
        states.begin();
        Findings.Watch watch;
        try (SchedulerTrace trace = SchedulerTrace.of(thread.tid())) {
            watch = follow(trace, nanos);
        } catch (TraceRefusal refusal) {
            watch = count(refusal, nanos);
        } finally {
            states.end();
        }
        return new Findings(thread, roster.summary(), watch, counters(before), states.dumps(), states.seen());
    }

    private Optional<JvmCounters> counters(Optional<JvmCounters> before) {
        Optional<JvmCounters> after = before.isEmpty() ? before : JvmCounters.of(thread.process());
        return after.flatMap(now -> before.map(now::since));
    }

    private Findings.Watch follow(SchedulerTrace trace, long nanos) throws IOException, InterruptedException {
        Look before = Look.at(thread.tid());
        long begin = read(trace, event -> {});
        Look first = Look.at(thread.tid());
        Timeline timeline = new Timeline(thread.tid(), begin, first.state(), first.cpu(), this::add);
        boolean alive = true;
        long now = begin;
        while (alive && now < begin + nanos) {
            TimeUnit.MILLISECONDS.sleep(Math.clamp((begin + nanos - now) / 1_000_000, 1, STEP_MILLIS));
            alive = look();
            now = read(trace, timeline::accept);
            progress.accept(now - begin);
        }
        Optional<Look> after = lastLook();
        timeline.finish(now, cpu -> occupant(cpu, before, after));
        return new Findings.Watch(
                shares.total(),
                timeline.ended() || after.isEmpty(),
                shares,
                after.map(look -> look.since(before)),
                Optional.of(new Findings.Trace(timeline.switches(), timeline.lost(), trace.unread())),
                Optional.empty());
    }

    private Optional<Look> lastLook() {
        try {
            return Optional.of(Look.at(thread.tid()));
        } catch (IOException e) {
            return Optional.empty(); // it has ended
        }
    }

    private static long read(SchedulerTrace trace, Consumer<TraceEvent> sink) {
        try {
            return trace.read(sink);
        } catch (IOException e) {
            throw new UserMistake("the kernel's trace has broken off: " + e.getMessage());
        }
    }

    /** No switch was seen there: whoever has the CPU has had it all the time. */
    private Task occupant(int cpu, Look before, Optional<Look> after) {
        boolean ran = after.isPresent()
                && after.get().statistics().cpuNanos() > before.statistics().cpuNanos();
        return ran ? new Task(thread.tid(), thread.known().name(), 0) : CpuOccupant.of(cpu);
    }

    /** Without a trace: how long, and not by whom. */
    private Findings.Watch count(TraceRefusal refusal, long nanos) throws IOException, InterruptedException {
        Look before = Look.at(thread.tid());
        Look after = Look.at(thread.tid());
        while (after.nanos() < before.nanos() + nanos && look()) {
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
            try {
                after = Look.at(thread.tid());
            } catch (IOException e) {
                break; // what was counted until then counts
            }
            progress.accept(after.nanos() - before.nanos());
        }
        Look counted = after.since(before);
        return new Findings.Watch(
                counted.nanos(),
                counted.nanos() < nanos,
                counted.shares(before.state() == 'R'),
                Optional.of(counted),
                Optional.empty(),
                Optional.of(refusal));
    }

    /** Looks what the thread sleeps in; false if it has ended. */
    private boolean look() {
        TaskFiles files = new TaskFiles(thread.tid());
        try {
            if (files.ended()) {
                return false;
            }
        } catch (IOException e) {
            return false;
        }
        try {
            long now = System.nanoTime();
            files.systemCall().ifPresent(call -> sightings.put(now, SystemCallNames.of(call)));
        } catch (IOException e) {
            // Not for this user to see.
        }
        return true;
    }

    private void add(Span span) {
        Optional<Runner> other = span.other().idle() ? Optional.empty() : acquaintances.of(span.other());
        String in = "";
        if (span.kind() == Span.Kind.WAITED) {
            shares.addWait(other, span.nanos());
        } else if (span.kind().sleeping()) {
            in = sleptIn(span, other);
            Optional<Runner> wokenBy = span.interrupt() ? Optional.empty() : other;
            shares.addSleep(new Shares.Sleep(span.kind(), in, wokenBy, span.interrupt()), span.nanos());
        } else {
            shares.add(span.kind(), span.nanos());
        }
        if (file != null) {
            file.write(span, in, other);
        }
    }

    /** The VM Thread wakes those whom a safepoint has stopped, or who have asked it for an operation. */
    private String sleptIn(Span span, Optional<Runner> wokenBy) {
        Map.Entry<Long, String> last = sightings.floorEntry(span.to());
        sightings.headMap(span.from()).clear();
        boolean safepoint = !span.interrupt()
                && wokenBy.filter(runner -> runner.of().equals(Acquaintances.THIS_JVM))
                        .filter(runner -> runner.name().equals(VM_THREAD))
                        .isPresent();
        if (safepoint) {
            return "a safepoint";
        }
        return last != null && last.getKey() >= span.from() ? last.getValue() : "";
    }
}
