package ayatori.sched;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why the kernel has refused, and what to do about it: the rules of {@code user_check_sched_setscheduler} in the kernel's
 * kernel/sched/syscalls.c, asked again from outside.
 */
final class Diagnosis {
    private static final int CAP_SYS_NICE = 23;

    private Diagnosis() {}

    static String remedyOfReading(int errno) {
        return errno == Errno.ESRCH
                ? "it has ended, never was, or /proc hides it from this user"
                : "run as its user or as root";
    }

    static String remedy(
            LinuxThread thread, SchedulingParameters wanted, @Nullable SchedulingParameters kept, int errno) {
        return switch (errno) {
            case 0 -> "something else has set it at the same moment: find out what else manages this process";
            case Errno.ESRCH -> "the thread has ended, or the ledger's agent does not list it";
            case Errno.EPERM, Errno.EACCES -> notPermitted(thread, wanted, kept);
            case Errno.EINVAL ->
                wanted.policy() == SchedulingPolicy.DEADLINE
                        ? "keep the period between the sysctls sched_deadline_period_min_us and"
                                + " sched_deadline_period_max_us"
                        : "this kernel does not know the policy or the value: choose another";
            case Errno.EBUSY ->
                "the CPUs cannot promise that much any more: ask for less runtime in each period, or let the thread"
                        + " run on all CPUs of its cpuset";
            default -> "look up " + Errno.name(errno) + " in sched_setattr(2)";
        };
    }

    private static String notPermitted(
            LinuxThread thread, SchedulingParameters wanted, @Nullable SchedulingParameters kept) {
        if (mayNice()) {
            return notPermittedThoughCapable(thread, wanted);
        }
        int owner = owner(thread);
        int caller = Sched.geteuid();
        if (owner != caller) {
            return "the thread is user " + owner + "'s and this is user " + caller
                    + ": run as that user or as root, or grant CAP_SYS_NICE";
        }
        if (wanted.policy() == SchedulingPolicy.DEADLINE) {
            return "grant CAP_SYS_NICE, which DEADLINE always needs";
        }
        int resource = wanted.policy().isRealTime() ? Sched.RLIMIT_RTPRIO : Sched.RLIMIT_NICE;
        int needed = wanted.policy().isRealTime() ? wanted.staticPriority() : wanted.rank();
        Optional<Long> limit = limit(thread, resource);
        boolean enough = limit.isPresent() && (limit.get() == Sched.UNLIMITED || limit.get() >= needed);
        if (enough && kept != null && kept.resetOnFork() && !wanted.resetOnFork()) {
            return "ask for reset-on-fork as well, which the thread has and which only CAP_SYS_NICE takes away";
        }
        String name = resource == Sched.RLIMIT_RTPRIO ? "RLIMIT_RTPRIO" : "RLIMIT_NICE";
        return "raise " + name
                + limit.map(value -> " (it is " + value + ", and this needs " + needed + ")")
                        .orElse("")
                + " or grant CAP_SYS_NICE";
    }

    private static String notPermittedThoughCapable(LinuxThread thread, SchedulingParameters wanted) {
        if (wanted.policy() == SchedulingPolicy.DEADLINE) {
            return "let the thread run on all CPUs of its cpuset: DEADLINE allows no narrower affinity";
        }
        Optional<Path> budget = wanted.policy().isRealTime() ? emptyRealTimeBudget(thread) : Optional.empty();
        if (budget.isPresent()) {
            return "write a budget in microseconds to " + budget.get()
                    + ": the thread's control group has no real-time budget";
        }
        return "look at seccomp filters and security modules: this process has CAP_SYS_NICE";
    }

    /** If the calling thread has CAP_SYS_NICE. */
    private static boolean mayNice() {
        try {
            String effective = new TaskFiles(Sched.gettid()).status("CapEff").orElse("0");
            return ((Long.parseUnsignedLong(effective, 16) >> CAP_SYS_NICE) & 1) != 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The effective user of the thread. */
    private static int owner(LinuxThread thread) {
        try {
            String[] users = thread.files().status("Uid").orElse("").split("\\s+");
            return users.length < 2 ? -1 : (int) Long.parseLong(users[1]);
        } catch (IOException e) {
            return -1;
        }
    }

    private static Optional<Long> limit(LinuxThread thread, int resource) {
        try {
            return Optional.of(Sched.getLimit(thread.id(), resource).soft());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The file in which the thread's control group (version 1) says that it has no real-time budget. */
    private static Optional<Path> emptyRealTimeBudget(LinuxThread thread) {
        try {
            for (String line : thread.files().cgroups()) {
                String[] parts = line.split(":", 3); // 4:cpu,cpuacct:/path
                if (parts.length < 3 || !Arrays.asList(parts[1].split(",")).contains("cpu")) {
                    continue;
                }
                for (String mount : new String[] {parts[1], "cpu"}) {
                    Path file = Path.of("/sys/fs/cgroup", mount, parts[2], "cpu.rt_runtime_us");
                    if (Files.exists(file) && Files.readString(file).strip().equals("0")) {
                        return Optional.of(file);
                    }
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }
}
