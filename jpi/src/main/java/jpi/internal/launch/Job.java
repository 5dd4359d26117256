package jpi.internal.launch;

import ayatori.sched.PriorityLadder.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jpi.internal.engine.Layout;
import jpi.internal.objects.Serialisation;

/**
 * What the user wants to be run.
 *
 * @param layout ranks and workers, as the first worker sees them
 * @param virtual ranks are virtual threads
 * @param labels each line of output begins with its rank
 * @param serialisation how objects travel between workers
 * @param trace where the timeline goes, if one is wanted
 * @param jvmOptions of the workers' JVMs
 * @param policy that the workers' agent maps Java priorities by; empty for no agent
 * @param application class name
 * @param arguments the application's own
 */
record Job(
        Layout layout,
        boolean virtual,
        boolean labels,
        boolean checking,
        boolean statistics,
        Serialisation serialisation,
        Optional<Path> trace,
        List<String> jvmOptions,
        Optional<Policy> policy,
        String application,
        List<String> arguments) {

    /** If ranks share CPUs. */
    boolean crowded() {
        return layout.ranks() > Runtime.getRuntime().availableProcessors();
    }

    /** What each worker is told of it. */
    ControlMessage.Task task() {
        return new ControlMessage.Task(
                layout.ranks(),
                layout.workers(),
                virtual,
                labels,
                checking,
                statistics,
                crowded(),
                serialisation,
                trace.isPresent(),
                application,
                arguments);
    }
}
