package ayatori.cli.doctor;

import java.util.List;
import java.util.Locale;

/** How late threads wake up here: for the reader's judgement, never a failure. */
final class TimekeepingCheck {
    static final String CHECK = "timekeeping";

    private TimekeepingCheck() {}

    static List<Finding> of(Wakeups wakeups) {
        if (wakeups.count() == 0) {
            return List.of(
                    Finding.of(Verdict.INFO, CHECK, "not measured: clock_nanosleep(2) is refused by a seccomp filter"));
        }
        Finding finding = Finding.of(
                        Verdict.INFO,
                        CHECK,
                        String.format(
                                Locale.ROOT,
                                "wake-ups of a thread at %s are late by %s µs (median), %s (99 %%), %s (99.9 %%), %s (max)",
                                wakeups.level(),
                                micros(wakeups.median()),
                                micros(wakeups.p99()),
                                micros(wakeups.p999()),
                                micros(wakeups.max())))
                .because(String.format(
                        Locale.ROOT,
                        "%,d wake-ups in %d s; the hypervisor took %d ms of all CPUs meanwhile",
                        wakeups.count(),
                        wakeups.seconds(),
                        wakeups.stolenMillis()))
                .figure("median_ns", wakeups.median())
                .figure("p99_ns", wakeups.p99())
                .figure("p99_9_ns", wakeups.p999())
                .figure("max_ns", wakeups.max())
                .figure("wakeups", wakeups.count())
                .figure("stolen_ms", wakeups.stolenMillis());
        if (wakeups.refused().isPresent()) {
            finding = finding.because("as an ordinary thread, since RR is refused ("
                    + wakeups.refused().get() + "): 50 µs of it are the kernel's timer slack");
        }
        return List.of(finding.mend(
                "for a longer look (rt-tests)",
                "sudo cyclictest --mlockall --smp --priority=" + Needs.REAL_TIME + " --interval=1000 --duration=60"));
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%,d", Math.round(nanos / 1000.0));
    }
}
