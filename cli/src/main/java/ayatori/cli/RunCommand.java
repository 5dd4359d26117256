package ayatori.cli;

import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ayatori run}: becomes the user's command, with the agent in it. */
@Command(
        name = "run",
        header = "Runs a Java program with thread priorities that the kernel obeys.",
        synopsisHeading = "Usage: ",
        customSynopsis =
                // On one line: AsciiDoc would take a second one that begins with [ for an attribute.
                "ayatori run [OPTION...] [--] COMMAND [ARGUMENT...]",
        description = {
            "",
            "Becomes COMMAND: same process, so exit code, signals, standard streams and terminal are its own.",
            "",
            "If COMMAND is the java of a HotSpot JDK or JRE (8 or later), the agent is put on its command line"
                    + " (-agentpath). Nothing is printed, and JVMs that this one starts are not touched.",
            "",
            "If COMMAND is anything else (a start script, mvn, ...), the agent is added to JAVA_TOOL_OPTIONS, after the"
                    + " user's own value. That reaches every JVM that COMMAND starts, child JVMs included. Each of them"
                    + " says \"Picked up JAVA_TOOL_OPTIONS: ...\" on standard error: that line is HotSpot's own.",
            "",
            "JDK_JAVA_OPTIONS and _JAVA_OPTIONS are left as they are, and work as without ayatori.",
            "",
        },
        footer = {
            "",
            "Exit code: COMMAND's own; 2 if it could not be started.",
            "",
            "The same without this command:",
            "  java -agentpath:DIR/lib/libayatori.so=policy=mixed -jar app.jar",
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class RunCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private PolicyOptions options = new PolicyOptions();

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The program and its arguments.")
    private List<String> command = new ArrayList<>();

    /** Returns only by an exception: on success this process is the command. */
    @Override
    public Integer call() {
        if (command.isEmpty()) {
            throw new UserMistake("no command given");
        }
        // Only how many they are is taken from here: this JVM's own strings have been decoded.
        Invocation invocation = Invocation.ofThisProcess(command.size());
        Optional<HostFile.Program> program = options.program();
        Launch launch = program.flatMap(HostFile.Program::level).isPresent()
                ? ofNative(invocation, program.get())
                : ofJvm(invocation);
        if (options.hasBand()) {
            launch = launch.named(program.map(HostFile.Program::name));
        }
        program.ifPresent(RunCommand::begin);
        throw new UserMistake(ProcessImage.replace(launch, invocation));
    }

    private Launch ofJvm(Invocation invocation) {
        AgentOptions chosen = options.chosen();
        Launch launch = Launch.plan(invocation, chosen, RawText.ofPath(Installation.agent()));
        chosen.check(Installation.agent());
        return launch;
    }

    private Launch ofNative(Invocation invocation, HostFile.Program program) {
        Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(option -> !PolicyOptions.FOR_NATIVE_PROGRAMS.contains(option))
                .findFirst()
                .ifPresent(option -> {
                    throw new UserMistake(option + " is for JVMs, and program " + program.name()
                            + " is a native one: it has Priority= in the host file");
                });
        return Launch.ofNative(invocation);
    }

    /**
     * Takes the level of a native program, which the program then begins with. Without reset-on-fork: that would leave the
     * threads that it starts behind, as well as its processes.
     */
    private static void begin(HostFile.Program program) {
        program.level().ifPresent(level -> {
            try {
                LinuxThread.current().set(level);
            } catch (SchedulingException e) {
                throw new UserMistake("program " + program.name() + ": wanted " + level + ", the kernel refused ("
                        + e.errnoName() + "); " + e.remedy());
            }
        });
    }
}
