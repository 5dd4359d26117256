package ayatori.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads in which control group a process is scheduled: cgroups(7), sched-rt-group in the kernel's documentation. */
final class GroupReader {
    private static final String BUDGET = "cpu.rt_runtime_us";
    private static final String CONTROLLER = "cpu";

    private final KernelFiles files;
    private final String pid;
    /** A mount point of each version, as in /proc/PID/mountinfo. */
    private final Optional<Mount> versionOne;

    private final Optional<Mount> versionTwo;

    private record Mount(String root, String point) {}

    /** @param pid a number, or {@code self} */
    GroupReader(KernelFiles files, String pid) {
        this.files = files;
        this.pid = pid;
        this.versionOne = mount("cgroup");
        this.versionTwo = mount("cgroup2");
    }

    ControlGroup read() {
        for (String line : files.lines("/proc/" + pid + "/cgroup")) {
            String[] parts = line.split(":", 3); // 4:cpu,cpuacct:/path
            if (parts.length == 3
                    && versionOne.isPresent()
                    && Arrays.asList(parts[1].split(",")).contains(CONTROLLER)) {
                return versionOne(parts[2], versionOne.get());
            }
        }
        return versionTwoPath()
                .flatMap(path -> versionTwo.map(mount -> versionTwo(path, mount)))
                .orElse(ControlGroup.NONE);
    }

    /** How many CPUs the quotas of the group and of those above it leave, rounded up. */
    OptionalInt quotaCpus(ControlGroup group) {
        double least = Double.POSITIVE_INFINITY;
        for (Path folder : chain(group.folder(), group.top())) {
            least = Math.min(least, quota(folder.toString()));
        }
        return Double.isInfinite(least) ? OptionalInt.empty() : OptionalInt.of((int) Math.ceil(least));
    }

    private double quota(String folder) {
        OptionalLong quota = files.number(folder + "/cpu.cfs_quota_us");
        OptionalLong period = files.number(folder + "/cpu.cfs_period_us");
        String[] words = files.text(folder + "/cpu.max").orElse("max").split(" ", -1);
        if (words.length == 2 && !words[0].equals("max")) {
            return Double.parseDouble(words[0]) / Double.parseDouble(words[1]);
        }
        if (quota.orElse(-1) > 0 && period.orElse(0) > 0) {
            return (double) quota.getAsLong() / period.getAsLong();
        }
        return Double.POSITIVE_INFINITY;
    }

    private ControlGroup versionOne(String path, Mount mount) {
        Path top = Path.of(mount.point);
        Path folder = folder(path, mount);
        List<Path> chain = chain(folder, top);
        List<Path> without = new ArrayList<>();
        Optional<Path> above = Optional.empty();
        for (Path each : chain) {
            Path file = each.resolve(BUDGET);
            OptionalLong budget = files.number(file.toString());
            if (budget.isPresent() && budget.getAsLong() == 0) {
                without.add(file);
            } else if (without.isEmpty()) {
                above = Optional.of(each);
            }
        }
        boolean own = !without.isEmpty() && without.getLast().equals(folder.resolve(BUDGET));
        return new ControlGroup(1, path, folder, top, own ? List.copyOf(without) : List.of(), own ? spare(above) : 0);
    }

    /** What a group has left to give, in its own period. */
    private long spare(Optional<Path> group) {
        if (group.isEmpty()) {
            return 0;
        }
        String folder = group.get().toString();
        long given = files.folders(folder).stream()
                .mapToLong(child ->
                        files.number(folder + "/" + child + "/" + BUDGET).orElse(0))
                .sum();
        return Math.max(0, files.number(folder + "/" + BUDGET).orElse(0) - given);
    }

    /** The nearest group that the controller is switched on for; the topmost one schedules for all others. */
    private ControlGroup versionTwo(String path, Mount mount) {
        Path top = Path.of(mount.point);
        List<Path> chain = new ArrayList<>(chain(folder(path, mount), top));
        Collections.reverse(chain);
        for (Path folder : chain) {
            // Only groups below the host's topmost have this file.
            if (files.exists(folder + "/cpu.weight")) {
                return new ControlGroup(2, path, folder, top, List.of(), 0);
            }
        }
        return ControlGroup.NONE;
    }

    private Optional<String> versionTwoPath() {
        return files.lines("/proc/" + pid + "/cgroup").stream()
                .filter(line -> line.startsWith("0::"))
                .map(line -> line.substring("0::".length()))
                .findFirst();
    }

    private static Path folder(String path, Mount mount) {
        // A control group namespace writes what is above it as "..".
        Path inside = Path.of(mount.root).normalize().relativize(Path.of(path).normalize());
        Path top = Path.of(mount.point);
        Path folder = top.resolve(inside).normalize();
        return folder.startsWith(top) ? folder : top; // a group out of sight
    }

    /** From the topmost folder down to this one. */
    private static List<Path> chain(Path folder, Path top) {
        List<Path> chain = new ArrayList<>();
        for (Path each = folder; each != null && each.startsWith(top); each = each.getParent()) {
            chain.addFirst(each);
        }
        return chain;
    }

    /** Mounts as this process sees them, since it opens the files. */
    private Optional<Mount> mount(String type) {
        for (String line : files.lines("/proc/self/mountinfo")) {
            String[] halves = line.split(" - ", 2); // 32 31 0:29 ROOT POINT rw,relatime - cgroup cgroup rw,cpu
            if (halves.length < 2) {
                continue;
            }
            String[] first = halves[0].split(" ", -1);
            String[] second = halves[1].split(" ", -1);
            boolean controls = type.equals("cgroup2")
                    || Arrays.asList(second[second.length - 1].split(",")).contains(CONTROLLER);
            if (second[0].equals(type) && controls && first.length > 4) {
                return Optional.of(new Mount(first[3], first[4]));
            }
        }
        return Optional.empty();
    }
}
