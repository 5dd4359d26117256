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
     * The finding.
     *
     * @param raises if programs of this user may make their own threads real-time
     * @param java what {@code java -version} says first, if it says anything
     */
    static Finding of(HostFacts host, RequestTrial trial, boolean raises, String java) {
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
                    .because("FUTEX_LOCK_PI2 is refused: " + Errno.name(trial.lendErrno()));
        }
        Matcher version = VERSION.matcher(java);
        boolean old = version.find() && Integer.parseInt(version.group(1)) < FEATURE;
        Finding finding = Finding.of(
                        old ? Verdict.INFO : Verdict.OK,
                        CHECK,
                        "a real-time client that waits lends its priority to the server, without any right")
                .because(
                        raises
                                ? "a server may raise itself as well: for sends, and for clients at nice values"
                                : "a server may not raise itself: a send for which nobody waits raises nobody, until real-time"
                                        + " priorities are granted, as above");
        return old
                ? finding.because("servers and their clients need a JDK 25 or later, and java on the PATH is none")
                        .mend("a shell, Debian 13 and later, Ubuntu", "sudo apt-get install openjdk-25-jdk")
                        .mend("any Linux", "https://adoptium.net, Eclipse Temurin 25")
                : finding;
    }
}
