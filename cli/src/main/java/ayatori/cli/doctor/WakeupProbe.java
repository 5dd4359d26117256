package ayatori.cli.doctor;

import ayatori.internal.linux.Clock;
import ayatori.internal.linux.Errno;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import ayatori.sched.SchedulingParameters;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How well the host keeps time, as cyclictest(8) asks: a thread at the top of the ladder sleeps until each next millisecond
 * and looks how late it is. It sleeps nearly all the time, so it takes next to nothing from others.
 */
final class WakeupProbe {
    private static final long PERIOD_NANOS = 1_000_000;
    private static final long HIGHEST_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;

    /** Until the loop's code is linked and its memory touched. */
    private static final int WARM_UP = 200;

    private static final int CLOCK_TICK_MILLIS = 10; // USER_HZ is 100 on every Linux
    private static final int STEAL = 8;

    private final KernelFiles files;
    private final Histogram lateness = new Histogram(HIGHEST_NANOS, DIGITS);
    private String level = "OTHER";
    private Optional<String> refused = Optional.empty();

    private WakeupProbe(KernelFiles files) {
        this.files = files;
    }

    static Wakeups run(KernelFiles files, int seconds) throws InterruptedException {
        WakeupProbe probe = new WakeupProbe(files);
        long stolen = probe.stolenTicks();
        Thread thread = Thread.ofPlatform().name("doctor-probe").start(() -> probe.measure(seconds));
        thread.join();
        Histogram lateness = probe.lateness;
        return new Wakeups(
                probe.level,
                probe.refused,
                seconds,
                lateness.getTotalCount(),
                lateness.getValueAtPercentile(50),
                lateness.getValueAtPercentile(99),
                lateness.getValueAtPercentile(99.9),
                lateness.getMaxValue(),
                (probe.stolenTicks() - stolen) * CLOCK_TICK_MILLIS);
    }

    private void measure(int seconds) {
        SchedulingParameters top =
                SchedulingParameters.roundRobin(Needs.REAL_TIME).withResetOnFork(true);
        try {
            LinuxThread.current().set(top);
            level = "RR " + Needs.REAL_TIME;
        } catch (SchedulingException e) {
            refused = Optional.of(e.errnoName());
        }
        sample(WARM_UP);
        lateness.reset();
        sample((int) (TimeUnit.SECONDS.toNanos(seconds) / PERIOD_NANOS));
    }

    /** Nothing is allocated here, so that no collection of this JVM comes in between. */
    private void sample(int count) {
        long next = System.nanoTime() + PERIOD_NANOS;
        for (int i = 0; i < count; i++) {
            int slept = Clock.sleepUntil(next);
            if (slept == -Errno.EINTR) {
                continue;
            }
            if (slept < 0) {
                return; // by a seccomp filter
            }
            long late = System.nanoTime() - next;
            lateness.recordValue(Math.clamp(late, 0, HIGHEST_NANOS));
            // Instants that are past would each be counted as late again: the next one that is to come.
            next += PERIOD_NANOS * (1 + Math.max(0, late / PERIOD_NANOS));
        }
    }

    /** Of all CPUs since boot, proc_stat(5). */
    private long stolenTicks() {
        String[] fields = files.text("/proc/stat")
                .orElse("")
                .lines()
                .findFirst()
                .orElse("")
                .split("\\s+");
        return fields.length > STEAL ? Long.parseLong(fields[STEAL]) : 0;
    }
}
