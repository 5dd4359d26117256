package jpi.internal.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command line that starts a worker: this JVM again, on the same classes. */
final class WorkerCommand {
    /** The engine calls the kernel; Fory uses sun.misc.Unsafe: without these, the JVM warns of either. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    /** By itself the JDK copies less than 64 bytes between segments in a loop: 60 in 21 ns, 64 in 7. So only less than 8. */
    private static final String SHORT_COPIES = "-Djava.lang.foreign.native.threshold.power.copy=3";

    private WorkerCommand() {}

    /**
     * All of it but the worker's number, which comes last.
     *
     * @throws UserMistake if there is no agent for the policy
     */
    static List<String> of(Job job, MeetingPlace place) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        job.policy().map(AgentLibrary::option).ifPresent(command::add);
        command.add(UNSAFE);
        command.add(SHORT_COPIES);
        Module module = Worker.class.getModule();
        command.add(module.isNamed() ? NATIVE_ACCESS + ",ayatori.threads" : NATIVE_ACCESS);
        command.addAll(HugePages.options(job.jvmOptions()));
        command.addAll(job.jvmOptions());
        String classPath = System.getProperty("java.class.path", "");
        if (!classPath.isEmpty()) {
            command.addAll(List.of("-cp", classPath));
        }
        if (module.isNamed()) {
            @Nullable String modulePath = System.getProperty("jdk.module.path");
            if (modulePath != null) {
                command.addAll(List.of("-p", modulePath));
            }
            // The application may be in any of them.
            command.addAll(
                    List.of("--add-modules", "ALL-MODULE-PATH", "-m", module.getName() + "/" + Worker.class.getName()));
        } else {
            command.add(Worker.class.getName());
        }
        command.addAll(place.arguments());
        return command;
    }
}
