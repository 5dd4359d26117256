package ayatori.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The execve(2) that puts a program under the agent. Strings are {@linkplain RawText raw}.
 *
 * @param path the file to execute
 * @param arguments argv, the command's name as the user wrote it first
 * @param environment envp
 */
record Launch(String path, List<String> arguments, List<String> environment) {
    static final String JAVA_TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";

    /** Where a JVM takes arguments from besides its command line. */
    private static final List<String> OPTION_VARIABLES =
            List.of(JAVA_TOOL_OPTIONS, "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    Launch {
        arguments = List.copyOf(arguments);
        environment = List.copyOf(environment);
    }

    /**
     * Decides how the agent gets in. A HotSpot launcher gets it as its first argument, which prints nothing and reaches
     * this JVM alone. Anything else (a start script, a build tool) gets it through JAVA_TOOL_OPTIONS, which reaches
     * every JVM that it starts and of which each of them tells on standard error.
     *
     * @param library the raw path of libayatori.so
     * @throws UserMistake if the command is no program, is a Java launcher of another VM than HotSpot, or loads the
     *     agent already
     */
    static Launch plan(Invocation invocation, AgentOptions options, String library) {
        List<String> command = invocation.command();
        List<String> environment = invocation.environment();
        ProgramFile program = ProgramFile.find(command.getFirst(), environment);
        refuseSecondAgent(command, environment);
        String argument = options.argument(library);
        Optional<JavaLauncher> launcher = program.path().flatMap(JavaLauncher::of);
        if (launcher.isEmpty()) {
            return new Launch(program.raw(), command, withToolOption(environment, argument));
        }
        if (!launcher.get().hotSpot()) {
            throw new UserMistake(
                    "the Java at " + launcher.get().home() + " is not HotSpot (OpenJ9): use a JDK with the HotSpot VM");
        }
        List<String> arguments = new ArrayList<>(command);
        arguments.add(1, argument);
        return new Launch(program.raw(), arguments, environment);
    }

    /**
     * A native program is started as it is.
     *
     * @throws UserMistake if the command is no program, or a java
     */
    static Launch ofNative(Invocation invocation) {
        List<String> command = invocation.command();
        ProgramFile program = ProgramFile.find(command.getFirst(), invocation.environment());
        if (program.path().flatMap(JavaLauncher::of).isPresent()) {
            throw new UserMistake("'" + RawText.display(command.getFirst())
                    + "' is a JVM, which no single value is for: give the program Band= in place of Priority=");
        }
        return new Launch(program.raw(), command, invocation.environment());
    }

    /** The same for a program of the host file; for none, it bears no name of one that started it. */
    Launch named(Optional<String> program) {
        return new Launch(path, arguments, ProgramName.put(environment, program));
    }

    private static void refuseSecondAgent(List<String> command, List<String> environment) {
        if (command.stream().skip(1).anyMatch(AgentOptions::loadedBy)) {
            throw new UserMistake("the command line loads " + AgentOptions.LIBRARY + " already: drop its -agentpath, or"
                    + " run it without 'ayatori run'");
        }
        for (String variable : OPTION_VARIABLES) {
            if (ToolOptions.split(value(environment, variable)).stream().anyMatch(AgentOptions::loadedBy)) {
                throw new UserMistake(variable + " loads " + AgentOptions.LIBRARY
                        + " already: one 'ayatori run' around the outermost command is enough");
            }
        }
    }

    /** The value of the first variable of that name, as getenv(3) finds it; empty if there is none. */
    private static String value(List<String> environment, String name) {
        return environment.stream()
                .filter(v -> v.startsWith(name + "="))
                .findFirst()
                .map(v -> v.substring(name.length() + 1))
                .orElse("");
    }

    private static List<String> withToolOption(List<String> environment, String argument) {
        String variable = JAVA_TOOL_OPTIONS + "=" + ToolOptions.append(value(environment, JAVA_TOOL_OPTIONS), argument);
        List<String> changed = new ArrayList<>(environment);
        changed.removeIf(v -> v.startsWith(JAVA_TOOL_OPTIONS + "="));
        changed.add(variable);
        return changed;
    }
}
