package ayatori.cli.doctor;

import ayatori.cli.DiagnosticCommand;
import ayatori.cli.JvmProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a JVM for its version and flags, by attaching as jcmd does; nothing in it is changed. */
final class JvmReader {
    /** A line of {@code VM.flags -all}: {@code bool AlwaysPreTouch = false {product} {default}}. */
    private static final Pattern FLAG = Pattern.compile("\\s*\\S+\\s+(\\w+)\\s+:?=\\s*([^\\s{]*)\\s.*");

    private static final Pattern OPTION = Pattern.compile("-XX:([+-])(\\w+)");

    /** Of {@code VM.version}: the line {@code JDK 25.0.3}. */
    private static final Pattern VERSION = Pattern.compile("(?m)^JDK (?:1\\.)?(\\d+)");

    private JvmReader() {}

    /** @throws IOException if the process has ended */
    static JvmFacts read(JvmProcess process) throws IOException {
        String commandLine = process.commandLine();
        boolean agent = process.hasAgent();
        Optional<String> refusal = process.refusesAttach();
        Optional<String> silent = process.silentBecause();
        if (silent.isEmpty()) {
            try {
                Map<String, String> flags = flags(DiagnosticCommand.ask(process.pid(), "VM.flags -all"));
                int feature = feature(DiagnosticCommand.ask(process.pid(), "VM.version"));
                return new JvmFacts(commandLine, agent, silent, refusal, feature, flags);
            } catch (IOException e) {
                silent = Optional.of("it does not answer (" + e.getMessage() + ")");
            }
        }
        return new JvmFacts(commandLine, agent, silent, refusal, 0, options(commandLine));
    }

    static Map<String, String> flags(String answer) {
        Map<String, String> flags = new HashMap<>();
        answer.lines()
                .map(FLAG::matcher)
                .filter(Matcher::matches)
                .forEach(line -> flags.put(line.group(1), line.group(2)));
        return flags;
    }

    static int feature(String answer) {
        Matcher version = VERSION.matcher(answer);
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }

    /** What the command line says, where the JVM cannot be asked: of an option given twice the last counts. */
    static Map<String, String> options(String commandLine) {
        Map<String, String> flags = new HashMap<>();
        OPTION.matcher(commandLine)
                .results()
                .forEach(option -> flags.put(
                        option.group(2), Boolean.toString(option.group(1).equals("+"))));
        return flags;
    }
}
