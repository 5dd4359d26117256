package ayatori.cli.doctor;

import ayatori.cli.Band;
import ayatori.cli.doctor.ProcessFacts.Limit;
import ayatori.internal.linux.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Capability and limits: the rules of {@code user_check_sched_setscheduler} in the kernel's kernel/sched/syscalls.c, and of
 * setpriority(2).
 */
final class PrivilegeCheck {
    static final String POLICIES = "policies";
    static final String REAL_TIME = "real-time priorities";
    static final String NICE = "nice values";
    static final String SPAN = "real-time span";

    private PrivilegeCheck() {}

    /**
     * @param needs of what is to be started there, or of the JVM
     * @param trial what the kernel answered; empty for another process, which is only looked at
     */
    static List<Finding> of(HostFacts host, ProcessFacts process, Needs needs, Optional<Trial> trial) {
        List<Finding> findings = new ArrayList<>();
        boolean groupRefuses = process.group().refusesRealTime(host);
        int realTimeErrno = groupRefuses ? 0 : trial.map(Trial::realTimeErrno).orElse(0);
        Finding realTime = judge(
                process,
                REAL_TIME,
                "up to RR " + needs.realTime(),
                new Allowance("RLIMIT_RTPRIO", process.realTimeLimit(), needs.realTime()),
                realTimeErrno,
                Grants.realTime(process, needs));
        boolean bandMayNeedMore =
                !needs.banded() && !process.mayNice() && process.realTimeLimit().soft() < Band.HIGHEST;
        findings.add(
                realTime.verdict() == Verdict.OK && bandMayNeedMore
                        ? realTime.because("a band takes its HIGH: ayatori doctor --band LOW-HIGH|NAME")
                        : realTime);
        findings.add(judge(
                process,
                NICE,
                "down to " + Needs.NICE,
                new Allowance("RLIMIT_NICE", process.niceLimit(), Needs.NICE_LIMIT),
                trial.map(Trial::niceErrno).orElse(0),
                Grants.nice(process, needs)));
        if (process.realTimeSpan().soft() != Long.MAX_VALUE) {
            findings.add(span(process));
        }
        return findings;
    }

    /** What the rest comes to, for {@code ayatori run}. */
    static Finding policies(HostFacts host, ProcessFacts process, Trial trial) {
        boolean realTime = trial.realTimeErrno() == 0 && !process.group().refusesRealTime(host);
        boolean nice = trial.niceErrno() == 0;
        if (realTime && nice) {
            return Finding.of(Verdict.OK, POLICIES, "none, nice, static and mixed work");
        }
        return Finding.of(
                Verdict.INFO,
                POLICIES,
                realTime
                        ? "none and static work; mixed and nice too, but no thread comes back from a positive nice"
                        : nice
                                ? "none and nice work; static and mixed fall back to nice"
                                : "none alone works as it should; nice works downwards only, and static and mixed fall back to it");
    }

    /** Who asks rtkit for real-time threads is given such a limit; so are sessions of some distributions. */
    private static Finding span(ProcessFacts process) {
        String pid = process.self() ? "$$" : Integer.toString(process.pid());
        Finding finding = Finding.of(
                        Verdict.WARNING,
                        SPAN,
                        "a real-time thread that computes for "
                                + process.realTimeSpan().soft() + " µs without a wait ends the JVM (RLIMIT_RTTIME)")
                .because("the kernel sends it SIGXCPU");
        return process.container().isPresent()
                ? finding.mend(Grants.DOCKER, "docker run --ulimit rttime=-1 …")
                : finding.mend(
                                process.self() ? "this shell" : "this process",
                                "sudo prlimit --pid " + pid + " --rttime=unlimited")
                        .mend(Grants.UNIT, "LimitRTTIME=infinity");
    }

    /** A limit that would do in place of the capability. */
    private record Allowance(String name, Limit limit, int needed) {
        boolean enough() {
            return limit.soft() >= needed;
        }

        boolean raisable() {
            return limit.hard() >= needed;
        }

        String shown() {
            return name + (limit.soft() == Long.MAX_VALUE ? " (unlimited)" : " (" + limit.soft() + ")");
        }
    }

    private static Finding judge(
            ProcessFacts process, String check, String what, Allowance allowance, int errno, List<Remedy> grants) {
        boolean granted = process.mayNice() || allowance.enough();
        String by = process.mayNice() ? "CAP_SYS_NICE" : allowance.shown();
        if (granted && errno == 0) {
            return Finding.of(Verdict.OK, check, what + ": granted by " + by);
        }
        if (granted) {
            return filtered(process, check, what, by, errno);
        }
        Finding finding = Finding.of(
                        Verdict.PROBLEM, check, what + ": refused" + (errno == 0 ? "" : " (" + Errno.name(errno) + ")"))
                .because(capability(process))
                .because(allowance.shown() + " would have to be " + allowance.needed());
        if (process.mayNiceInVain()) {
            return finding.mend(Grants.PODMAN, "sudo podman run --cap-add=SYS_NICE …")
                    .mend(Grants.DOCKER, "docker context use default");
        }
        if (allowance.raisable() && process.self()) {
            String option = allowance.name().equals("RLIMIT_NICE") ? "-e " : "-r ";
            finding = finding.mend("this shell", "ulimit " + option + allowance.needed());
        }
        return finding.mend(grants);
    }

    private static String capability(ProcessFacts process) {
        if (process.mayNiceInVain()) {
            return "CAP_SYS_NICE is there, but in a user namespace (a rootless container?), where it does not count";
        }
        return process.couldNice()
                ? "no CAP_SYS_NICE"
                : "no CAP_SYS_NICE, and none to be had: it is not in the bounding set";
    }

    /** Privileges and control group would allow it, and the kernel refused. */
    private static Finding filtered(ProcessFacts process, String check, String what, String by, int errno) {
        Finding finding = Finding.of(
                        Verdict.PROBLEM, check, what + ": refused (" + Errno.name(errno) + ") in spite of " + by)
                .because(
                        process.seccomp()
                                ? "a seccomp filter looks at this process's system calls"
                                : "no seccomp filter is in force, so it is a security module, or the real-time budget");
        if (process.container().isPresent()) {
            return finding.mend(Grants.DOCKER, "docker run --security-opt seccomp=unconfined …")
                    .mend(Grants.KUBERNETES, "securityContext: {seccompProfile: {type: Unconfined}}");
        }
        return process.seccomp()
                ? finding.mend(Grants.UNIT, "SystemCallFilter=@resources").mend(Grants.UNIT, "RestrictRealtime=no")
                : finding.mend("a shell", "sudo journalctl -k --grep 'avc|apparmor'");
    }
}
