package ayatori.cli.doctor;

import ayatori.internal.linux.Errno;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** If programs of this user can serve others, and who can raise the server: docs/server.md has the table. */
final class RequestCheck {
    static final String CHECK = "requests between processes";

    /** Of a JDK that the library for servers and clients is built for. */
    private static final int FEATURE = 25;

    private static final Pattern VERSION = Pattern.compile("version \"(\\d+)");

    private RequestCheck() {}

    /**
     * What programs of this user may do.
     *
     * @param beRealTime at any value at all: the kernel lends nothing else
     * @param raise make their own threads real-time as far up as the ladder goes
     * @param ownProcessIds if they are in another PID namespace than the host's
     */
    record Rights(boolean beRealTime, boolean raise, boolean ownProcessIds) {}

    /**
     * The finding.
     *
     * @param java what {@code java -version} says first, if it says anything
     */
    static Finding of(HostFacts host, RequestTrial trial, Rights rights, String java) {
        if (trial.memoryErrno() != 0 || trial.waitErrno() != 0) {
            boolean old = !host.since(5, 16);
            int errno = trial.memoryErrno() != 0 ? trial.memoryErrno() : trial.waitErrno();
            return Finding.of(Verdict.WARNING, CHECK, "cannot be had: shared endpoints need Linux 5.16 or later")
                    .because((trial.memoryErrno() != 0 ? "sealed memory" : "futex_waitv(2)") + " is refused: "
                            + Errno.name(errno)
                            + (old ? "" : ", by a seccomp filter, since Linux " + host.release() + " has it"));
        }
        if (trial.lendErrno() != 0) {
            return Finding.of(Verdict.WARNING, CHECK, "a client that waits cannot lend its priority to the server")
                    .because("FUTEX_LOCK_PI2, and FUTEX_LOCK_PI where the kernel has no other, are refused: "
                            + Errno.name(trial.lendErrno()));
        }
        Finding finding = lending(trial, rights);
        if (rights.ownProcessIds) {
            finding = finding.because("this is a PID namespace: between here and another one nothing is lent");
        }
        return withJava(finding, java);
    }

    private static Finding lending(RequestTrial trial, Rights rights) {
        if (!rights.beRealTime) {
            return Finding.of(
                            Verdict.INFO,
                            CHECK,
                            "work, and raise nobody: no program of this user may be real-time, and else there is nothing to"
                                    + " lend")
                    .because("a server may not raise itself either, until real-time priorities are granted, as above")
                    .because(
                            "real-time clients of other users lend to servers of this one: that takes no right of the servers'");
        }
        Finding finding = trial.lateErrno() == 0
                ? Finding.of(
                        Verdict.OK,
                        CHECK,
                        "a real-time client that waits lends its priority to the server, without any right of that one's")
                : Finding.of(
                                Verdict.WARNING,
                                CHECK,
                                "a real-time client that waits lends its priority; to one of several servers up to 100 ms late")
                        .because("FUTEX_WAIT_REQUEUE_PI is refused: " + Errno.name(trial.lateErrno()));
        return finding.because(
                rights.raise
                        ? "a server may raise itself as well: for sends, for clients at nice values, and where a cap has to hold"
                        : "a server may not raise itself: a send for which nobody waits raises nobody, and no cap holds for what"
                                + " is lent, until real-time priorities are granted, as above");
    }

    private static Finding withJava(Finding finding, String java) {
        Matcher version = VERSION.matcher(java);
        if (!version.find() || Integer.parseInt(version.group(1)) >= FEATURE) {
            return finding;
        }
        return finding.atLeast(Verdict.INFO)
                .because("servers and their clients need a JDK 25 or later, and java on the PATH is none")
                .mend("a shell, Debian 13 and later, Ubuntu", "sudo apt-get install openjdk-25-jdk")
                .mend("any Linux", "https://adoptium.net, Eclipse Temurin 25");
    }
}
