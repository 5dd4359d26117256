package ayatori.cli.doctor;

import ayatori.cli.doctor.HostFacts.FairServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the kernel keeps for ordinary threads when real-time threads want all: throttling (sched(7)), and since 6.12 the fair
 * server.
 */
final class ThrottlingCheck {
    static final String THROTTLING = "real-time throttling";
    static final String FAIR_SERVER = "fair server";
    static final String AUTOGROUP = "autogroup";
    private static final String SET_RUNTIME = "sudo sysctl kernel.sched_rt_runtime_us=";
    private static final long DEFAULT_RUNTIME = 950_000;

    private ThrottlingCheck() {}

    static List<Finding> of(HostFacts host) {
        List<Finding> findings = new ArrayList<>();
        if (host.runtime().isPresent() && host.period().isPresent()) {
            findings.add(
                    throttling(host, host.runtime().getAsLong(), host.period().getAsLong()));
        }
        if (host.since(6, 12)) {
            findings.add(fairServer(host));
        }
        if (host.autogroup()) {
            findings.add(Finding.of(
                            Verdict.INFO,
                            AUTOGROUP,
                            "nice counts among the threads of one session, not between sessions")
                    .mend("a shell", "sudo sysctl kernel.sched_autogroup_enabled=0"));
        }
        return findings;
    }

    private static Finding throttling(HostFacts host, long runtime, long period) {
        if (runtime < 0) {
            boolean net = host.fairServers().stream().anyMatch(server -> server.runtimeNanos() > 0);
            return Finding.of(
                            net ? Verdict.INFO : Verdict.WARNING,
                            THROTTLING,
                            "off: a real-time thread may take a CPU for ever")
                    .because(
                            net
                                    ? "the fair server still leaves ordinary threads a share"
                                    : "one that loops can only be stopped from another CPU, if at all")
                    .mend("a shell", SET_RUNTIME + DEFAULT_RUNTIME);
        }
        if (runtime == 0) {
            return Finding.of(Verdict.PROBLEM, THROTTLING, "real-time threads get no time at all: the budget is 0")
                    .mend("a shell", SET_RUNTIME + DEFAULT_RUNTIME);
        }
        return Finding.of(
                        Verdict.INFO,
                        THROTTLING,
                        String.format(
                                Locale.ROOT,
                                "real-time threads get at most %s of each %s ms: a gap of up to %s ms when they compute"
                                        + " for longer",
                                millis(runtime),
                                millis(period),
                                millis(Math.max(0, period - runtime))))
                .mend("if the gap is too long", SET_RUNTIME + (period - period / 100));
    }

    private static Finding fairServer(HostFacts host) {
        if (host.fairServers().isEmpty()) {
            return hiddenFairServer(host);
        }
        long off = host.fairServers().stream()
                .filter(server -> server.runtimeNanos() == 0)
                .count();
        if (off > 0) {
            return Finding.of(
                            Verdict.WARNING,
                            FAIR_SERVER,
                            "off on " + off + " CPUs: nothing is kept there for ordinary threads")
                    .mend(
                            "a shell",
                            "for f in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do echo 50000000 | sudo tee $f;"
                                    + " done");
        }
        FairServer first = host.fairServers().getFirst();
        return Finding.of(
                Verdict.INFO,
                FAIR_SERVER,
                "ordinary threads that starve get " + millis(first.runtimeNanos() / 1000) + " of each "
                        + millis(first.periodNanos() / 1000) + " ms of a CPU");
    }

    private static Finding hiddenFairServer(HostFacts host) {
        Finding finding =
                Finding.of(Verdict.INFO, FAIR_SERVER, "its settings cannot be read; 50 of each 1000 ms is the default");
        return switch (host.debugFiles()) {
            case UNMOUNTED ->
                finding.because("/sys/kernel/debug is not mounted")
                        .mend("a shell", "sudo mount -t debugfs none /sys/kernel/debug");
            case HIDDEN -> finding.because("/sys/kernel/debug is for root only").mend("a shell", "sudo ayatori doctor");
            case LOCKED_DOWN ->
                finding.because("this kernel is locked down: not even root may read them")
                        .mend("a shell, to see it", "cat /sys/kernel/security/lockdown");
            case READABLE -> Finding.of(Verdict.INFO, FAIR_SERVER, "this kernel has none");
        };
    }

    private static String millis(long micros) {
        return micros % 1000 == 0 ? Long.toString(micros / 1000) : String.format(Locale.ROOT, "%.1f", micros / 1000.0);
    }
}
