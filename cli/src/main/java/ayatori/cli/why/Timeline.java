package ayatori.cli.why;

import ayatori.cli.why.Span.Kind;
import ayatori.cli.why.TraceEvent.Task;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes one thread's time out of the trace: spans without gap or overlap from beginning to end. While the thread is ready,
 * its time is whoever's ran on its CPU, and that is often itself. Not thread-safe.
 */
final class Timeline {
    private static final int NONE = -1;

    private final int tid;
    private final Consumer<Span> sink;
    /** By CPU: who runs there since the last switch, and when that was. */
    private final Map<Integer, Task> running = new HashMap<>();

    private final Map<Integer, Long> seen = new HashMap<>();

    private long at;
    private Kind kind;
    private int cpu;
    private TraceEvent.@Nullable Waking waking;
    private long switches;
    private long lost;
    private boolean ended;

    /**
     * Begins.
     *
     * @param tid the watched thread
     * @param begin when, System.nanoTime
     * @param state what it did at that time, proc_pid_stat(5)
     * @param cpu where it was, ready or not
     */
    Timeline(int tid, long begin, char state, int cpu, Consumer<Span> sink) {
        this.tid = tid;
        this.sink = sink;
        this.at = begin;
        this.kind = state == 'R' ? Kind.WAITED : Kind.ofState(state);
        this.cpu = cpu;
    }

    /** How many events the trace lost. */
    long lost() {
        return lost;
    }

    /** How many switches of any thread of the host it saw. */
    long switches() {
        return switches;
    }

    /** If the thread has ended; its time ends there. */
    boolean ended() {
        return ended;
    }

    void accept(TraceEvent event) {
        if (ended) {
            return;
        }
        switch (event) {
            case TraceEvent.Switch it -> switched(it);
            case TraceEvent.Waking it -> waking = it;
            case TraceEvent.Ready it -> ready(it);
            case TraceEvent.Migration it -> {
                if (kind == Kind.WAITED) {
                    account(it.nanos(), running.getOrDefault(cpu, Span.NOBODY));
                    cpu = it.cpu();
                }
            }
            case TraceEvent.Lost it -> lose(it);
            case TraceEvent.Fence it -> {
                // Only its place among the others counts.
            }
        }
    }

    private void switched(TraceEvent.Switch it) {
        switches++;
        if (it.from().tid() == tid) {
            if (kind != Kind.UNSEEN) {
                // It runs here, whatever was thought: the state read at the beginning may have been out of date.
                kind = Kind.WAITED;
                cpu = it.cpu();
            }
            account(it.nanos(), it.from());
            kind = it.state() == 'R' ? Kind.WAITED : Kind.ofState(it.state());
            cpu = it.cpu();
            waking = null;
            ended = it.state() == 'X' || it.state() == 'Z';
        } else if (kind == Kind.WAITED && cpu == it.cpu()) {
            account(it.nanos(), it.from());
        }
        if (it.to().tid() == tid) {
            account(it.nanos(), it.from());
            kind = Kind.WAITED;
            cpu = it.cpu();
        }
        running.put(it.cpu(), it.to());
        seen.put(it.cpu(), it.nanos());
    }

    private void ready(TraceEvent.Ready it) {
        if (kind == Kind.WAITED) {
            return; // it was about to sleep, and need not
        }
        account(it.nanos(), Span.NOBODY);
        kind = Kind.WAITED;
        cpu = it.cpu();
    }

    /** What was known holds until the last that was seen of that CPU. */
    private void lose(TraceEvent.Lost it) {
        lost += it.events();
        account(seen.getOrDefault(it.cpu(), at), running.getOrDefault(cpu, Span.NOBODY));
        running.remove(it.cpu());
        kind = Kind.UNSEEN;
    }

    /**
     * Ends.
     *
     * @param occupant who runs on a CPU of which no switch was seen
     */
    void finish(long end, IntFunction<Task> occupant) {
        if (ended) {
            return;
        }
        Task runner = running.get(cpu);
        account(
                end,
                kind == Kind.WAITED && runner == null ? occupant.apply(cpu) : runner == null ? Span.NOBODY : runner);
    }

    /** @param runner who had the CPU since, of no account where the thread was not ready */
    private void account(long until, Task runner) {
        if (until <= at) {
            return; // clocks of two CPUs may differ by a little
        }
        if (kind == Kind.WAITED) {
            Kind whose = runner.tid() == tid ? Kind.RAN : runner.equals(Span.NOBODY) ? Kind.UNSEEN : Kind.WAITED;
            sink.accept(new Span(whose, at, until, cpu, whose == Kind.WAITED ? runner : Span.NOBODY, false));
        } else if (kind.sleeping() && waking != null) {
            boolean interrupt = waking.interrupt() || waking.waker().idle();
            sink.accept(new Span(kind, at, until, NONE, waking.waker(), interrupt));
        } else {
            sink.accept(new Span(kind, at, until, NONE, Span.NOBODY, false));
        }
        at = until;
    }
}
