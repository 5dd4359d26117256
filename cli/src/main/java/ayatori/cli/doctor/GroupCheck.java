package ayatori.cli.doctor;

import ayatori.cli.doctor.ProcessFacts.Container;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The control group's real-time budget, where the kernel asks for one. */
final class GroupCheck {
    static final String CHECK = "control group";

    /** What is suggested at most, in microseconds of the usual period of a second: others need some too. */
    private static final long MOST = 500_000;

    private GroupCheck() {}

    static List<Finding> of(HostFacts host, ProcessFacts process) {
        ControlGroup group = process.group();
        return List.of(
                switch (group.version()) {
                    case 1 -> versionOne(process, group);
                    case 2 -> versionTwo(host, process, group);
                    default ->
                        Finding.of(Verdict.OK, CHECK, "the topmost one of the CPU controller: nothing in the way");
                });
    }

    private static Finding versionOne(ProcessFacts process, ControlGroup group) {
        if (group.withoutBudget().isEmpty()) {
            return Finding.of(Verdict.OK, CHECK, group.path() + " (version 1): nothing in the way");
        }
        Path own = group.withoutBudget().getLast();
        Finding finding = Finding.of(
                        Verdict.PROBLEM,
                        CHECK,
                        group.path() + " has no real-time budget: no thread in it can be real-time")
                .because(own + " is 0, so the kernel answers EPERM, to root too");
        if (group.spare() > 0) {
            for (Path file : group.withoutBudget()) {
                finding = finding.mend("a shell", "echo " + budget(group) + " | sudo tee " + file);
            }
            if (group.withoutBudget().size() > 1) {
                finding = finding.because("budgets are given from above: all lines, in this order");
            }
        } else {
            finding = finding.because("the groups above have nothing left to give, or are out of sight");
        }
        finding = leave(finding, process, group);
        if (process.container().filter(Container.DOCKER::equals).isPresent()) {
            return finding.mend("Docker daemon", "dockerd --cpu-rt-runtime=950000")
                    .mend(Grants.DOCKER, "docker run --cpu-rt-runtime=400000 --cap-add=SYS_NICE …");
        }
        return group.path().endsWith(".service") && group.spare() > 0
                ? finding.mend(
                        Grants.UNIT,
                        group.withoutBudget().stream()
                                .map(file -> "echo " + budget(group) + " > " + file)
                                .collect(Collectors.joining("; ", "ExecStartPre=+/bin/sh -c '", "'")))
                : finding;
    }

    private static long budget(ControlGroup group) {
        return Math.min(group.spare(), MOST);
    }

    private static Finding versionTwo(HostFacts host, ProcessFacts process, ControlGroup group) {
        if (host.realTimeGroups().isEmpty()) {
            return Finding.of(
                            Verdict.INFO,
                            CHECK,
                            group.path() + " (version 2): real-time threads are allowed unless the kernel was built"
                                    + " with RT_GROUP_SCHED")
                    .because("the kernel's configuration cannot be read here")
                    .mend("on the host", "grep RT_GROUP_SCHED /boot/config-" + host.release());
        }
        if (!group.refusesRealTime(host)) {
            return Finding.of(Verdict.OK, CHECK, group.path() + " (version 2): nothing in the way");
        }
        Finding finding = Finding.of(
                        Verdict.PROBLEM,
                        CHECK,
                        group.path() + " (version 2) can have no real-time budget: no thread in it"
                                + " can be real-time")
                .because("the kernel has RT_GROUP_SCHED, the CPU controller is on in " + group.folder()
                        + ", and version 2 has no file for a budget: the kernel answers EPERM, to root too");
        if (host.since(6, 15)) {
            finding = finding.mend("kernel command line, then reboot", "rt_group_sched=0");
        }
        finding = leave(finding, process, group);
        Path parent = group.folder().getParent();
        return process.container().isEmpty() && parent != null
                ? finding.mend(
                        "or switch the controller off there",
                        "echo -cpu | sudo tee " + parent.resolve("cgroup.subtree_control"))
                : finding;
    }

    /** Into the topmost group, which has a budget; of a container only the host can do it. */
    private static Finding leave(Finding finding, ProcessFacts process, ControlGroup group) {
        String file = group.version() == 1 ? "/sys/fs/cgroup/cpu/cgroup.procs" : "/sys/fs/cgroup/cgroup.procs";
        Container container = process.container().orElse(null);
        if (container == Container.KUBERNETES) {
            return finding.mend(
                    "on the node, leave the group",
                    "echo $(crictl inspect -o go-template --template '{{.info.pid}}' CONTAINER) | sudo tee " + file);
        }
        if (container != null) {
            return finding.mend(
                    "on the host, leave the group",
                    "echo $(docker inspect -f '{{.State.Pid}}' CONTAINER) | sudo tee " + file);
        }
        String pid = process.self() ? "$$" : Integer.toString(process.pid());
        return finding.mend(
                "or leave the group",
                "echo " + pid + " | sudo tee " + group.top().resolve("cgroup.procs"));
    }
}
