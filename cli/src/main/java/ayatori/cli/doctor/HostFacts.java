package ayatori.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel says of itself and of the host. Times of the throttling in microseconds, as in the files.
 *
 * @param release of the kernel, as {@code uname -r}
 * @param runtime sched_rt_runtime_us: how long real-time threads may run in each period; −1 for ever
 * @param period sched_rt_period_us
 * @param fairServers of each CPU; empty where they cannot be read
 * @param debugFiles if their settings could be read
 * @param realTimeGroups if control groups need a real-time budget of their own (CONFIG_RT_GROUP_SCHED, not switched off);
 *     empty if the configuration cannot be read
 * @param autogroup if nice counts within a session only
 * @param online CPUs, as a list such as {@code 0-3}
 * @param onlineCount how many these are
 * @param swapKib swap space
 * @param typeNames if the kernel says how its data is laid out (BTF), as BPF programs need it
 * @param takesSchedulers if it takes schedulers in the form of BPF programs (sched_ext)
 * @param scheduler the one that it has now; empty: its own
 */
record HostFacts(
        String release,
        OptionalLong runtime,
        OptionalLong period,
        List<FairServer> fairServers,
        DebugFiles debugFiles,
        Optional<Boolean> realTimeGroups,
        boolean autogroup,
        String online,
        int onlineCount,
        long swapKib,
        boolean typeNames,
        boolean takesSchedulers,
        Optional<String> scheduler) {

    /** How far /sys/kernel/debug can be read. */
    enum DebugFiles {
        /** It is not mounted. */
        UNMOUNTED,
        /** It is mounted, and not for this user. */
        HIDDEN,
        /** Names can be seen, and nobody may read what is in the files: kernel_lockdown(7). */
        LOCKED_DOWN,
        READABLE
    }

    /**
     * What the kernel (6.12 and later) keeps for ordinary threads of a CPU that real-time threads do not leave.
     *
     * @param runtimeNanos in each period; 0 switches it off
     * @param periodNanos the period
     */
    record FairServer(long runtimeNanos, long periodNanos) {}

    /** If the kernel is of this version or a later one; false for a release that cannot be read. */
    boolean since(int major, int minor) {
        String[] parts = release.split("[^0-9]+", 3);
        if (parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            return false;
        }
        int here = Integer.parseInt(parts[0]);
        return here > major || (here == major && Integer.parseInt(parts[1]) >= minor);
    }
}
