package ayatori.cli.doctor;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the kernel says of a process: this one, which stands for whatever its user starts from here, or a JVM.
 *
 * @param pid 0 for this process
 * @param user its effective user's name, or number where it has none
 * @param effective capabilities(7), a bit each
 * @param bounding the most that a program that it starts can have
 * @param initialUsers if it is in the host's user namespace: capabilities of another do not count for scheduling
 * @param realTimeLimit RLIMIT_RTPRIO
 * @param realTimeSpan RLIMIT_RTTIME in microseconds
 * @param niceLimit RLIMIT_NICE, 20 − nice
 * @param lockLimit RLIMIT_MEMLOCK in bytes
 * @param cpus that it may run on
 * @param quotaCpus how many CPUs its control groups leave it, rounded up as HotSpot does
 * @param group its control group of the controller cpu
 * @param container what it runs in, if it is a container
 * @param pidNamespace link of its PID namespace, empty if that is hidden
 * @param innerPid its id in its own PID namespace
 * @param seccomp if a filter looks at its system calls
 * @param lockedKib memory locked
 * @param swappedKib memory swapped out
 * @param realTimeThreads how many of its threads are real-time now
 */
record ProcessFacts(
        int pid,
        String user,
        long effective,
        long bounding,
        boolean initialUsers,
        Limit realTimeLimit,
        Limit realTimeSpan,
        Limit niceLimit,
        Limit lockLimit,
        int cpus,
        OptionalInt quotaCpus,
        ControlGroup group,
        Optional<Container> container,
        String pidNamespace,
        int innerPid,
        boolean seccomp,
        long lockedKib,
        long swappedKib,
        int realTimeThreads) {
    private static final int CAP_SYS_NICE = 23;

    /** A resource limit; {@link Long#MAX_VALUE} for none. */
    record Limit(long soft, long hard) {
        static final Limit UNKNOWN = new Limit(0, 0);
    }

    /** Kinds of containers, by what starts them. */
    enum Container {
        DOCKER("Docker"),
        PODMAN("Podman"),
        KUBERNETES("Kubernetes"),
        LXC("LXC"),
        NSPAWN("systemd-nspawn"),
        OTHER("unknown kind");

        private final String label;

        Container(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** If it has CAP_SYS_NICE where the kernel asks for it: in the host's user namespace. */
    boolean mayNice() {
        return initialUsers && has(effective, CAP_SYS_NICE);
    }

    /** If it has CAP_SYS_NICE, but in a user namespace of its own. */
    boolean mayNiceInVain() {
        return !initialUsers && has(effective, CAP_SYS_NICE);
    }

    /** If a program that it starts could be given CAP_SYS_NICE. */
    boolean couldNice() {
        return has(bounding, CAP_SYS_NICE);
    }

    boolean self() {
        return pid == 0;
    }

    private static boolean has(long capabilities, int capability) {
        return ((capabilities >> capability) & 1) != 0;
    }
}
