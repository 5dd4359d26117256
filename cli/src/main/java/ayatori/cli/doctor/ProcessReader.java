package ayatori.cli.doctor;

import ayatori.cli.doctor.ProcessFacts.Container;
import ayatori.cli.doctor.ProcessFacts.Limit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads what the kernel says of a process. */
final class ProcessReader {
    /** PROC_USER_INIT_INO in the kernel's include/linux/proc_ns.h. */
    private static final String INITIAL_USERS = "user:[4026531837]";

    /** rt_priority, proc_pid_stat(5), counted from the state, which is field 3. */
    private static final int RT_PRIORITY = 40 - 3;

    private final KernelFiles files;
    private final int pid;
    private final String folder;

    /** @param pid 0 for this process */
    ProcessReader(KernelFiles files, int pid) {
        this.files = files;
        this.pid = pid;
        this.folder = "/proc/" + (pid == 0 ? "self" : Integer.toString(pid));
    }

    /** @param user the name of its user */
    ProcessFacts read(String user) {
        List<String> status = files.lines(folder + "/status");
        GroupReader groups = new GroupReader(files, folder.substring("/proc/".length()));
        ControlGroup group = groups.read();
        String[] ids = HostReader.value(status, "NSpid").orElse("0").split("\\s+");
        return new ProcessFacts(
                pid,
                user,
                bits(status, "CapEff"),
                bits(status, "CapBnd"),
                files.link(folder + "/ns/user").map(INITIAL_USERS::equals).orElse(true),
                limit("Max realtime priority"),
                limit("Max realtime timeout"),
                limit("Max nice priority"),
                limit("Max locked memory"),
                HostReader.count(HostReader.value(status, "Cpus_allowed_list").orElse("0")),
                groups.quotaCpus(group),
                group,
                container(),
                files.link(folder + "/ns/pid").orElse(""),
                Integer.parseInt(ids[ids.length - 1]),
                !HostReader.value(status, "Seccomp").orElse("0").equals("0"),
                HostReader.kib(status, "VmLck"),
                HostReader.kib(status, "VmSwap"),
                realTimeThreads());
    }

    private static long bits(List<String> status, String key) {
        return HostReader.value(status, key)
                .map(hex -> Long.parseUnsignedLong(hex, 16))
                .orElse(0L);
    }

    /** From the file, which everybody may read: prlimit(2) needs a capability even for root's look at others. */
    private Limit limit(String name) {
        for (String line : files.lines(folder + "/limits")) {
            if (line.startsWith(name)) {
                String[] words = line.substring(name.length()).strip().split("\\s+");
                return new Limit(number(words[0]), number(words[1]));
            }
        }
        return Limit.UNKNOWN;
    }

    private static long number(String word) {
        return word.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(word);
    }

    private Optional<Container> container() {
        String environment = files.text(folder + "/environ").orElse("");
        List<String> variables = Arrays.asList(environment.split("\0", -1));
        String groups = files.text(folder + "/cgroup").orElse("");
        if (groups.contains("kubepods")
                || variables.stream().anyMatch(each -> each.startsWith("KUBERNETES_SERVICE_HOST="))) {
            return Optional.of(Container.KUBERNETES);
        }
        // Of another process: its own root, which takes the right to look into it.
        String root = pid == 0 ? "" : folder + "/root";
        Optional<String> told = variables.stream()
                .filter(variable -> variable.startsWith("container="))
                .map(variable -> variable.substring("container=".length()).toLowerCase(Locale.ROOT))
                .findFirst()
                .or(() -> files.text(root + "/run/systemd/container"));
        if (told.isPresent()) {
            return Optional.of(
                    switch (told.get()) {
                        case "podman", "oci" -> Container.PODMAN;
                        case "docker" -> Container.DOCKER;
                        case "lxc", "lxc-libvirt" -> Container.LXC;
                        case "systemd-nspawn" -> Container.NSPAWN;
                        default -> Container.OTHER;
                    });
        }
        if (groups.contains("libpod") || files.exists(root + "/run/.containerenv")) {
            return Optional.of(Container.PODMAN);
        }
        if (groups.contains("docker") || files.exists(root + "/.dockerenv")) {
            return Optional.of(Container.DOCKER);
        }
        if (groups.contains("lxc")) {
            return Optional.of(Container.LXC);
        }
        return groups.contains("containerd") ? Optional.of(Container.OTHER) : Optional.empty();
    }

    private int realTimeThreads() {
        int count = 0;
        for (String thread : files.names(folder + "/task")) {
            String stat = files.text(Path.of(folder, "task", thread, "stat").toString())
                    .orElse("");
            // The name in parentheses may hold anything, parentheses and blanks too.
            String[] fields = stat.substring(Math.min(stat.length(), stat.lastIndexOf(')') + 2))
                    .split(" ", -1);
            if (fields.length > RT_PRIORITY && !fields[RT_PRIORITY].equals("0")) {
                count++;
            }
        }
        return count;
    }
}
