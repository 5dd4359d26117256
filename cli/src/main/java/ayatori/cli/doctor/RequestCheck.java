package ayatori.cli.doctor;

import ayatori.internal.linux.Errno;

/** If programs of this user can serve others, and who can raise the server: docs/server.md has the table. */
final class RequestCheck {
    static final String CHECK = "requests between processes";

    private RequestCheck() {}

    /**
     * The finding.
     *
     * @param raises if programs of this user may make their own threads real-time
     */
    static Finding of(HostFacts host, RequestTrial trial, boolean raises) {
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
        return Finding.of(
                        Verdict.OK,
                        CHECK,
                        "a real-time client that waits lends its priority to the server, without any right")
                .because(
                        raises
                                ? "a server may raise itself as well: for sends, and for clients at nice values"
                                : "a server may not raise itself: a send for which nobody waits raises nobody");
    }
}
