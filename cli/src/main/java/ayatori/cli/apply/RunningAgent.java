package ayatori.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.cli.AgentOptions;
import ayatori.cli.Attachment;
import ayatori.cli.DiagnosticCommand;
import ayatori.cli.Installation;
import ayatori.cli.JvmProcess;
import ayatori.cli.UserMistake;
import com.sun.tools.attach.AgentInitializationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The agent in a JVM that runs, loaded there or spoken to by HotSpot's attach mechanism. */
final class RunningAgent {
    private static final String LOG_TAGS = "jni+resolve";

    private RunningAgent() {}

    /**
     * What it answered.
     *
     * @param done whether it did what it was told
     * @param said its messages, if not done the reason last
     */
    record Answer(boolean done, List<String> said) {}

    /**
     * Tells it, after loading it if the JVM has none.
     *
     * @param options as after {@code -agentpath:LIB=}, or {@code restore}
     * @throws IOException if the JVM does not answer, takes no agents, or has ended
     */
    static Answer tell(JvmProcess process, String options) throws IOException {
        int pid = process.pid();
        Optional<String> loaded = loadedFrom(pid);
        String library = loaded.isPresent() ? loaded.get() : seenBy(process, Installation.agent());
        Path folder = Path.of("/proc/" + pid + "/root/tmp"); // of the JVM's own mount namespace, as HotSpot itself does
        Path reply = Files.createTempFile(folder, ".ayatori-", ".reply");
        boolean quietened = false;
        try {
            Files.setAttribute(reply, "unix:uid", process.user());
            quietened = loaded.isEmpty() && quieten(pid);
            boolean done = load(pid, library, "reply=/tmp/" + reply.getFileName() + "," + options);
            return new Answer(done, Files.readAllLines(reply, UTF_8));
        } finally {
            Files.deleteIfExists(reply);
            if (quietened) {
                DiagnosticCommand.ask(pid, "VM.log what=" + LOG_TAGS + "=warning");
            }
        }
    }

    private static boolean load(int pid, String library, String options) throws IOException {
        try {
            return Attachment.with(pid, jvm -> {
                jvm.loadAgentPath(library, options);
                return true;
            });
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? null : e.getCause().getCause();
            if (cause instanceof AgentInitializationException) {
                return false; // it has said why
            }
            throw e;
        }
    }

    /** The file that the JVM has the agent from, so that it is not loaded a second time from another. */
    private static Optional<String> loadedFrom(int pid) throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/" + pid + "/maps"))) {
            Optional<String> path = maps.filter(line -> line.contains("/" + AgentOptions.LIBRARY))
                    .map(line -> line.substring(line.indexOf('/')))
                    .findFirst();
            if (path.filter(text -> text.endsWith(" (deleted)")).isPresent()) {
                throw new UserMistake("the agent in process " + pid + " is of an installation that is there no more: "
                        + "restart that JVM");
            }
            return path;
        }
    }

    private static String seenBy(JvmProcess process, Path library) throws IOException {
        Path theirs = Path.of("/proc/" + process.pid() + "/root" + library.toRealPath());
        if (!Files.isReadable(theirs) || !Files.isSameFile(theirs, library)) {
            if (process.ended()) {
                throw new IOException("it has ended");
            }
            throw new UserMistake(
                    "process " + process.pid() + " does not see " + library + ": it has another file system (a "
                            + "container?); unpack the archive in there, and use it from there");
        }
        return library.toRealPath().toString();
    }

    /**
     * HotSpot warns on the program's standard output of each native of java.lang.Thread that is bound to the agent. Not
     * where the user has logging of these tags, which is left alone.
     */
    private static boolean quieten(int pid) throws IOException {
        String toStandardOutput = DiagnosticCommand.ask(pid, "VM.log list")
                .lines()
                .filter(line -> line.strip().startsWith("#0:"))
                .findFirst()
                .orElse("jni"); // JDK 8 has no VM.log, and does not warn
        if (toStandardOutput.contains("jni")) {
            return false;
        }
        DiagnosticCommand.ask(pid, "VM.log what=" + LOG_TAGS + "=off");
        return true;
    }
}
