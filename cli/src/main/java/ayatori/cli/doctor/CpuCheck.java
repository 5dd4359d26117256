package ayatori.cli.doctor;

import ayatori.cli.doctor.ProcessFacts.Container;
import java.util.List;
import java.util.Optional;

/** How many CPUs a JVM sees: with one, HotSpot chooses the Serial collector, and everything takes turns. */
final class CpuCheck {
    static final String CHECK = "CPUs";

    private CpuCheck() {}

    static List<Finding> of(HostFacts host, ProcessFacts process, Optional<JvmFacts> jvm) {
        int quota = process.quotaCpus().orElse(Integer.MAX_VALUE);
        int seen = Math.min(process.cpus(), quota);
        String serial = jvm.flatMap(facts -> facts.flag("UseSerialGC")).orElse(false)
                ? ": this JVM has the Serial collector"
                : jvm.isPresent() ? "" : ": HotSpot chooses the Serial collector";
        if (seen > 1) {
            String left = quota < process.cpus() ? " (" + quota + " by the quota of its control group)" : "";
            return List.of(Finding.of(Verdict.OK, CHECK, process.cpus() + " of " + host.onlineCount() + left));
        }
        Finding finding = Finding.of(Verdict.WARNING, CHECK, "one" + serial)
                .because("collector, compilers and every thread below a real-time one wait while that one computes");
        if (host.onlineCount() < 2) {
            return List.of(
                    finding.because("this host has no more").mend("for another collector", "java -XX:+UseG1GC …"));
        }
        finding = finding.because(
                process.cpus() < 2
                        ? "its affinity names one CPU of " + host.onlineCount()
                        : "the CPU quota of its control group leaves one");
        return List.of(process.cpus() < 2 ? affinity(finding, host, process) : quota(finding, process));
    }

    private static Finding affinity(Finding finding, HostFacts host, ProcessFacts process) {
        Container container = process.container().orElse(null);
        if (container == Container.KUBERNETES) {
            return finding.mend(Grants.KUBERNETES, "resources: {limits: {cpu: \"2\"}}");
        }
        String pid = process.self() ? "$$" : Integer.toString(process.pid());
        finding = finding.mend(
                process.self() ? "this shell" : "this process, whose collector stays what it is",
                "taskset -a -cp " + host.online() + " " + pid);
        return container == null
                ? finding.mend(Grants.UNIT, "CPUAffinity=" + host.online())
                : finding.mend(Grants.DOCKER, "docker run --cpuset-cpus=" + host.online() + " …");
    }

    private static Finding quota(Finding finding, ProcessFacts process) {
        Container container = process.container().orElse(null);
        if (container == Container.KUBERNETES) {
            return finding.mend(Grants.KUBERNETES, "resources: {limits: {cpu: \"2\"}}");
        }
        return container == null
                ? finding.mend(Grants.UNIT, "CPUQuota=200%")
                : finding.mend(Grants.DOCKER, "docker run --cpus=2 …");
    }
}
