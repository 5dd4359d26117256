package ayatori.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A JVM on this host, as /proc shows it.
 *
 * @param pid in this command's PID namespace
 * @param user its effective user id
 */
record JvmProcess(int pid, int user) {
    private static final Path PROC = Path.of("/proc");
    private static final int ROOT = 0;

    /**
     * The JVM that the user named.
     *
     * @throws UserMistake if there is no such process, it is another user's, or no JVM
     */
    static JvmProcess named(String word) {
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
                throw new UserMistake("process " + pid + " is no JVM");
            }
            return process;
        } catch (IOException e) {
            throw new UserMistake("there is no process " + pid);
        }
    }

    /** All JVMs but this one, in order of their ids, other users' too. */
    static List<JvmProcess> all() {
        List<JvmProcess> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                int pid = Integer.parseInt(entry.getFileName().toString());
                try {
                    if (pid != ProcessHandle.current().pid() && isJvm(pid)) {
                        found.add(new JvmProcess(pid, effectiveUser(pid)));
                    }
                } catch (IOException e) {
                    continue; // it has ended meanwhile
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list /proc", e);
        }
        found.sort(Comparator.comparingInt(JvmProcess::pid));
        return found;
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
    boolean permitted() {
        int self = Sched.geteuid();
        return self == ROOT || self == user;
    }

    /** For messages: the user's name if it has one, else the id. */
    String owner() {
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
    String commandLine() throws IOException {
        return new String(Files.readAllBytes(PROC.resolve(pid + "/cmdline")), UTF_8)
                .replace('\0', ' ')
                .strip();
    }

    /** Why a thread dump must not be asked of it, or empty: asking is a signal, SIGQUIT, and an answer by the JVM. */
    Optional<String> silentBecause() throws IOException {
        if (commandLine().contains("-XX:+DisableAttachMechanism")) {
            return Optional.of("it has -XX:+DisableAttachMechanism");
        }
        return new TaskFiles(pid).stopped() ? Optional.of("it is stopped") : Optional.empty();
    }
}
