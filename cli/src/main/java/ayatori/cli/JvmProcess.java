package ayatori.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A JVM on this host, as /proc shows it.
 *
 * @param pid in this command's PID namespace
 * @param user its effective user id
 */
public record JvmProcess(int pid, int user) {
    private static final Path PROC = Path.of("/proc");
    private static final int ROOT = 0;
    private static final String NO_ATTACH = "-XX:+DisableAttachMechanism";
    private static final List<String> OPTION_VARIABLES =
            List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    /**
     * The JVM that the user named.
     *
     * @throws UserMistake if there is no such process, it is another user's, or no JVM
     */
    public static JvmProcess named(String word) {
        int pid;
        try {
            pid = Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw new UserMistake("'" + word + "' is no process id");
        }
        try {
            TaskFiles files = new TaskFiles(pid);
            if (files.processId() != pid) {
                throw new UserMistake(pid + " is a thread of process " + files.processId() + ": name that one");
            }
            JvmProcess process = new JvmProcess(pid, effectiveUser(pid));
            if (!process.permitted()) {
                throw new UserMistake("process " + pid + " is of " + process.owner() + ": only that user and root may"
                        + " look into it");
            }
            if (!isJvm(pid)) {
                if (process.ended()) {
                    throw new UserMistake("process " + pid + " has ended");
                }
                throw new UserMistake("process " + pid + " is no JVM");
            }
            return process;
        } catch (IOException e) {
            throw new UserMistake("there is no process " + pid);
        }
    }

    /** The ids of all processes that this user can see. */
    public static Set<Integer> processes() {
        Set<Integer> pids = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                pids.add(Integer.valueOf(entry.getFileName().toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list /proc", e);
        }
        return pids;
    }

    /** The JVMs among processes, without this one, in their order; other users' too. */
    public static List<JvmProcess> among(Collection<Integer> pids) {
        List<JvmProcess> found = new ArrayList<>();
        for (int pid : pids) {
            try {
                if (pid != ProcessHandle.current().pid() && isJvm(pid)) {
                    found.add(new JvmProcess(pid, effectiveUser(pid)));
                }
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        return found;
    }

    /** Whether it is a JVM still: a process can become another program by exec. */
    public boolean isJvm() throws IOException {
        return isJvm(pid);
    }

    /** Whether it is there no more, or only waits for its parent to take note of its end. */
    public boolean ended() {
        try {
            return new TaskFiles(pid).ended();
        } catch (IOException e) {
            return true;
        }
    }

    private static int effectiveUser(int pid) throws IOException {
        String users = new TaskFiles(pid).status("Uid").orElseThrow(() -> new IOException("no line Uid"));
        return Integer.parseUnsignedInt(users.split("\\s+")[1]); // real, effective, saved, file system
    }

    /** Every HotSpot of JDK 9 and later has a thread of this name, for all to see. JDK 8 does not name its threads. */
    private static boolean isJvm(int pid) throws IOException {
        for (int tid : TaskFiles.tids(pid)) {
            try {
                if (new TaskFiles(tid).comm().equals("VM Thread")) {
                    return true;
                }
            } catch (IOException e) {
                continue; // the thread has ended meanwhile
            }
        }
        try {
            return Files.readString(PROC.resolve(pid + "/maps"), ISO_8859_1).contains("/libjvm.so\n");
        } catch (IOException e) {
            return false; // not for this user to see
        }
    }

    /** Whether this user may look into the process. */
    public boolean permitted() {
        int self = Sched.geteuid();
        return self == ROOT || self == user;
    }

    /** For messages: the user's name if it has one, else the id. */
    public String owner() {
        try {
            Path folder = PROC.resolve(Integer.toString(pid));
            // The folder of a process that may not be dumped is root's.
            boolean users = Files.getAttribute(folder, "unix:uid").equals(user);
            return "user " + (users ? Files.getOwner(folder).getName() : Integer.toUnsignedString(user));
        } catch (IOException | UnsupportedOperationException e) {
            return "user " + Integer.toUnsignedString(user);
        }
    }

    /** Its command line in one line, arguments separated by spaces. */
    public String commandLine() throws IOException {
        return new TaskFiles(pid).commandLine();
    }

    /**
     * Why the JVM must not be asked anything by attaching, or empty: asking is a signal, SIGQUIT, which a JVM that refuses
     * answers with a thread dump on its own standard output.
     *
     * @throws IOException if the process has ended
     */
    public Optional<String> silentBecause() throws IOException {
        Optional<String> refusal = refusesAttach();
        if (refusal.isPresent()) {
            return refusal.map(said -> "it has " + said);
        }
        return new TaskFiles(pid).stopped() ? Optional.of("it is stopped") : Optional.empty();
    }

    /**
     * The option by which the JVM refuses to be attached to, and the variable that it stands in if it is in one; empty if
     * it refuses nothing, as far as can be seen from outside.
     *
     * @throws IOException if the process has ended
     */
    public Optional<String> refusesAttach() throws IOException {
        if (commandLine().contains(NO_ATTACH)) {
            return Optional.of(NO_ATTACH);
        }
        return OPTION_VARIABLES.stream()
                .filter(variable -> environment(variable).contains(NO_ATTACH))
                .map(variable -> NO_ATTACH + " in " + variable)
                .findFirst();
    }

    /** The value of a variable of the environment that it was started with; empty if there is none, or it is hidden. */
    private String environment(String variable) {
        try {
            String start = variable + "=";
            return Arrays.stream(Files.readString(PROC.resolve(pid + "/environ"), ISO_8859_1)
                            .split("\0", -1))
                    .filter(each -> each.startsWith(start))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * If the agent is in it. Of a JVM with privileges that this user has not, only the command line tells.
     *
     * @throws IOException if the process has ended
     */
    public boolean hasAgent() throws IOException {
        try (LedgerPage ledger = LedgerPage.open(pid).orElse(null)) {
            return ledger != null;
        } catch (AccessDeniedException e) {
            return commandLine().contains(AgentOptions.LIBRARY);
        } catch (LedgerPage.Unreadable e) {
            return true; // that of another release
        }
    }
}
