package ayatori.cli.doctor;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** A folder that looks like a host's root: an ordinary user on Linux 6.12 with four CPUs, until a test says otherwise. */
final class FakeHost {
    private final KernelFiles files;
    private final Map<String, String> status = new TreeMap<>(Map.of(
            "CapEff", "0000000000000000",
            "CapBnd", "000001ffffffffff",
            "NSpid", "4711",
            "Seccomp", "0",
            "Cpus_allowed_list", "0-3",
            "VmLck", "0 kB",
            "VmSwap", "0 kB"));

    FakeHost(Path root) {
        files = new KernelFiles(root);
        write("/proc/sys/kernel/osrelease", "6.12.9-amd64\n");
        write("/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
        write("/proc/sys/kernel/sched_rt_period_us", "1000000\n");
        write("/proc/sys/kernel/sched_autogroup_enabled", "0\n");
        write("/proc/meminfo", "MemTotal:        8000000 kB\nSwapTotal:             0 kB\n");
        write("/sys/devices/system/cpu/online", "0-3\n");
        write("/proc/self/mountinfo", "30 23 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n");
        write("/proc/self/cgroup", "0::/\n");
        limits("0", "0", "8388608", "unlimited");
        status("Name", "java");
        link("/proc/self/ns/user", "user:[4026531837]");
        link("/proc/self/ns/pid", "pid:[4026531836]");
    }

    /** Hierarchies of version 1 in place of version 2. */
    FakeHost versionOne(String cgroup) {
        write("/proc/self/mountinfo", """
                31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
                33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
                32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
                """);
        return write("/proc/self/cgroup", "3:cpuacct:/\n2:cpu:" + cgroup + "\n0::/\n");
    }

    FakeHost write(String path, String text) {
        try {
            Files.createDirectories(files.at(path).getParent());
            Files.writeString(files.at(path), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    FakeHost config(String text) {
        write("/proc/config.gz", "");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(files.at("/proc/config.gz")))) {
            out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    FakeHost link(String path, String target) {
        try {
            Files.createDirectories(files.at(path).getParent());
            Files.deleteIfExists(files.at(path));
            Files.createSymbolicLink(files.at(path), Path.of(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    FakeHost status(String key, String value) {
        status.put(key, value);
        StringBuilder text = new StringBuilder();
        status.forEach((k, v) -> text.append(k).append(":\t").append(v).append('\n'));
        return write("/proc/self/status", text.toString());
    }

    FakeHost capability() {
        return status("CapEff", "0000000000800000");
    }

    FakeHost limits(String realTime, String nice, String lock, String span) {
        return write("/proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max locked memory         %3$s                 %3$s                 bytes
                Max nice priority         %2$s                 %2$s
                Max realtime priority     %1$s                 %1$s
                Max realtime timeout      %4$s                 unlimited            us
                """.formatted(realTime, nice, lock, span));
    }

    FakeHost thread(int tid, int realTimePriority) {
        return write(
                "/proc/self/task/" + tid + "/stat",
                tid + " (a b) c) S 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 3 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 "
                        + realTimePriority + " 1 0 0 0\n");
    }

    HostFacts host() {
        return HostReader.read(files);
    }

    /** The process self, as this user's own. */
    ProcessFacts self() {
        return new ProcessReader(files, 0).read("alice");
    }

    /** The same as if it were a JVM that somebody named. */
    ProcessFacts jvm(int pid) {
        link("/proc/" + pid, "self");
        return new ProcessReader(files, pid).read("alice");
    }

    static JvmFacts jvm(Map<String, String> flags) {
        return new JvmFacts("java -jar app.jar", false, Optional.empty(), Optional.empty(), 17, flags);
    }
}
