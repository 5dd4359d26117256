package ayatori.cli.doctor;

import ayatori.cli.doctor.ProcessFacts.Container;
import java.util.ArrayList;
import java.util.List;

/** The lines that grant a process what the ladder needs, in each place where they can be written. */
final class Grants {
    static final String UNIT = "systemd unit";
    static final String DOCKER = "Docker";
    static final String PODMAN = "Podman";
    static final String KUBERNETES = "Kubernetes";

    private Grants() {}

    /** Real-time priorities. */
    static List<Remedy> realTime(ProcessFacts process, Needs needs) {
        int value = needs.realTime();
        return all(process, needs, "rtprio", Integer.toString(value), Integer.toString(value), "LimitRTPRIO=" + value);
    }

    /** Negative nice values. */
    static List<Remedy> nice(ProcessFacts process, Needs needs) {
        return all(
                process,
                needs,
                "nice",
                Integer.toString(Needs.NICE_LIMIT),
                Integer.toString(Needs.NICE),
                "LimitNICE=" + Needs.NICE);
    }

    /**
     * @param name of the limit for prlimit(1) and limits.conf(5) alike
     * @param value for the first
     * @param confValue for the last
     */
    private static List<Remedy> all(
            ProcessFacts process, Needs needs, String name, String value, String confValue, String unit) {
        List<Remedy> remedies = new ArrayList<>();
        Container container = process.container().orElse(null);
        if (container == Container.KUBERNETES) {
            // Kubernetes knows no limits, and gives capabilities to root only.
            remedies.add(
                    new Remedy(KUBERNETES, "securityContext: {runAsUser: 0, capabilities: {add: [\"SYS_NICE\"]}}"));
            return remedies;
        }
        if (container == Container.DOCKER || container == Container.PODMAN || container == Container.OTHER) {
            boolean podman = container == Container.PODMAN;
            // Only root in the container gets the capability; the limits serve other users.
            remedies.add(new Remedy(
                    podman ? PODMAN : DOCKER,
                    (podman ? "sudo podman" : "docker") + " run --cap-add=SYS_NICE --ulimit rtprio=" + needs.realTime()
                            + " --ulimit nice=" + Needs.NICE_LIMIT + " …"));
            return remedies;
        }
        boolean soon = process.self();
        remedies.add(new Remedy(
                soon ? "this shell" : "this process",
                "sudo prlimit --pid " + (soon ? "$$" : Integer.toString(process.pid())) + " --" + name + "=" + value));
        remedies.add(new Remedy(
                "every login",
                "echo '" + process.user() + " - " + name + " " + confValue
                        + "' | sudo tee -a /etc/security/limits.d/ayatori.conf"));
        remedies.add(new Remedy(UNIT, "AmbientCapabilities=CAP_SYS_NICE"));
        remedies.add(new Remedy(UNIT, unit));
        return remedies;
    }
}
