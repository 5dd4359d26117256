package ayatori.cli.doctor;

import ayatori.cli.doctor.HostFacts.DebugFiles;
import ayatori.cli.doctor.HostFacts.FairServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what the kernel says of itself and of the host. */
final class HostReader {
    private static final String FAIR_SERVER = "/sys/kernel/debug/sched/fair_server";
    private static final String SCHEDULERS = "/sys/kernel/sched_ext";
    private static final String GROUPS = "CONFIG_RT_GROUP_SCHED=y";
    private static final String GROUPS_OFF = "CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y";
    private static final String PARAMETER = "rt_group_sched=";

    private HostReader() {}

    static HostFacts read(KernelFiles files) {
        String release = files.text("/proc/sys/kernel/osrelease").orElse("unknown");
        String online = files.text("/sys/devices/system/cpu/online").orElse("0");
        List<FairServer> fairServers = fairServers(files);
        return new HostFacts(
                release,
                files.number("/proc/sys/kernel/sched_rt_runtime_us"),
                files.number("/proc/sys/kernel/sched_rt_period_us"),
                fairServers,
                debugFiles(files, fairServers),
                realTimeGroups(files, release),
                files.number("/proc/sys/kernel/sched_autogroup_enabled").orElse(0) == 1,
                online,
                count(online),
                kib(files.lines("/proc/meminfo"), "SwapTotal"),
                files.exists("/sys/kernel/btf/vmlinux"),
                files.exists(SCHEDULERS),
                files.text(SCHEDULERS + "/state")
                        .filter(state -> !state.equals("disabled"))
                        .flatMap(state -> files.text(SCHEDULERS + "/root/ops")));
    }

    /** How many CPUs a list such as {@code 0-3,8} names. */
    static int count(String list) {
        int count = 0;
        for (String range : list.split(",", -1)) {
            String[] ends = range.strip().split("-", 2);
            try {
                count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
            } catch (NumberFormatException e) {
                return count;
            }
        }
        return count;
    }

    /** The value of a line such as {@code SwapTotal: 4 kB}; 0 if there is none. */
    static long kib(List<String> lines, String key) {
        return value(lines, key)
                .map(text -> Long.parseLong(text.replace(" kB", "")))
                .orElse(0L);
    }

    /** The value of a line {@code KEY: VALUE}. */
    static Optional<String> value(List<String> lines, String key) {
        String start = key + ":";
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    private static DebugFiles debugFiles(KernelFiles files, List<FairServer> read) {
        if (!files.names(FAIR_SERVER).isEmpty()) {
            return read.isEmpty() ? DebugFiles.LOCKED_DOWN : DebugFiles.READABLE;
        }
        if (!files.names("/sys/kernel/debug").isEmpty()) {
            return DebugFiles.READABLE;
        }
        return files.lines("/proc/self/mountinfo").stream().anyMatch(line -> line.contains(" - debugfs "))
                ? DebugFiles.HIDDEN
                : DebugFiles.UNMOUNTED;
    }

    private static List<FairServer> fairServers(KernelFiles files) {
        List<FairServer> servers = new ArrayList<>();
        for (String cpu : files.folders(FAIR_SERVER)) {
            OptionalLong runtime = files.number(FAIR_SERVER + "/" + cpu + "/runtime");
            OptionalLong period = files.number(FAIR_SERVER + "/" + cpu + "/period");
            if (runtime.isPresent() && period.isPresent()) {
                servers.add(new FairServer(runtime.getAsLong(), period.getAsLong()));
            }
        }
        return servers;
    }

    private static Optional<Boolean> realTimeGroups(KernelFiles files, String release) {
        List<String> config = files.unzippedLines("/proc/config.gz");
        if (config.isEmpty()) {
            config = files.lines("/boot/config-" + release);
        }
        if (config.isEmpty()) {
            return Optional.empty();
        }
        if (!config.contains(GROUPS)) {
            return Optional.of(false);
        }
        for (String word : files.text("/proc/cmdline").orElse("").split("\\s+")) {
            if (word.startsWith(PARAMETER)) {
                return Optional.of(word.substring(PARAMETER.length()).matches("[1yYtT].*|on|ON"));
            }
        }
        return Optional.of(!config.contains(GROUPS_OFF));
    }
}
