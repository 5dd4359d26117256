package ayatori.cli.doctor;

import ayatori.cli.doctor.ProcessFacts.Container;
import java.util.ArrayList;
import java.util.List;

/** Containers and PID namespaces: who sees whom, by which id. */
final class ContainerCheck {
    static final String CONTAINER = "container";
    static final String PIDS = "process ids";

    /** PROC_PID_INIT_INO in the kernel's include/linux/proc_ns.h. */
    private static final String HOST_PIDS = "pid:[4026531836]";

    private ContainerCheck() {}

    /**
     * @param process the one that is looked at
     * @param self this process
     */
    static List<Finding> of(ProcessFacts process, ProcessFacts self) {
        List<Finding> findings = new ArrayList<>();
        process.container()
                .ifPresent(kind -> findings.add(Finding.of(
                        Verdict.INFO,
                        CONTAINER,
                        kind.label() + ": its limits and capabilities come from what starts it")));
        if (!process.pidNamespace().isEmpty()) {
            if (!process.self() && !process.pidNamespace().equals(self.pidNamespace())) {
                findings.add(Finding.of(
                        Verdict.INFO,
                        PIDS,
                        "it is in a PID namespace of its own, where its id is " + process.innerPid()
                                + ": ayatori ps joins the two"));
            } else if (process.self() && hasOwnProcessIds(process)) {
                findings.add(shared(process.container().orElse(null)));
            }
        }
        return findings;
    }

    /** If it is known to be in another PID namespace than the host's. */
    static boolean hasOwnProcessIds(ProcessFacts process) {
        return !process.pidNamespace().isEmpty() && !process.pidNamespace().equals(HOST_PIDS);
    }

    private static Finding shared(@org.jspecify.annotations.Nullable Container kind) {
        Finding finding =
                Finding.of(Verdict.INFO, PIDS, "this is a PID namespace: JVMs outside of it are not seen from here");
        return kind == Container.KUBERNETES
                ? finding.mend(Grants.KUBERNETES, "hostPID: true")
                : finding.mend(Grants.DOCKER, "docker run --pid=host …");
    }
}
