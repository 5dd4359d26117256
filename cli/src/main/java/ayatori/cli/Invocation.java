package ayatori.cli;

import ayatori.internal.linux.Exec;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the user typed and where, byte for byte, as it was before this JVM started: {@code ayatori run} hands it on.
 * Strings are {@linkplain RawText raw}.
 *
 * @param command the command and its arguments
 * @param environment {@code NAME=value}, in order
 * @param blockedSignals the signal mask, as SigBlk of /proc/PID/status
 * @param ignoredSignals the signals that were ignored, as SigIgn
 */
record Invocation(List<String> command, List<String> environment, long blockedSignals, long ignoredSignals) {
    /**
     * bin/ayatori moves variables that would reach into this JVM out of the way under names with this prefix;
     * they go back to their own names here.
     */
    private static final String SAVED = "AYATORI_SAVED_";

    /** Not a variable of the user's: names of variables that the user did not have and this JVM needed. */
    private static final String SAVED_UNSET = SAVED + "UNSET=";

    /** Not a variable of the user's: the SigIgn line of the shell that started this JVM, see {@link #ignored}. */
    private static final String SAVED_SIGIGN = SAVED + "SIGIGN=";

    Invocation {
        command = List.copyOf(command);
        environment = List.copyOf(environment);
    }

    /**
     * Reads the invocation of this process.
     *
     * @param arguments how many of the last arguments of this process are the command and its arguments
     */
    static Invocation ofThisProcess(int arguments) {
        try {
            List<String> all = RawText.ofAll(Exec.commandLine());
            List<String> environment = RawText.ofAll(Exec.environment());
            long ignoredNow = Long.parseUnsignedLong(
                    new TaskFiles(Sched.getpid()).status("SigIgn").orElse("0"), 16);
            return new Invocation(
                    all.subList(all.size() - arguments, all.size()),
                    restored(environment),
                    Exec.primordialSignalMask(),
                    ignored(environment, ignoredNow));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read this process's own /proc files", e);
        }
    }

    /** The environment with the saved variables under their own names again. */
    static List<String> restored(List<String> environment) {
        List<String> restored = new ArrayList<>();
        List<String> originals = new ArrayList<>();
        Set<String> gone = new HashSet<>();
        for (String variable : environment) {
            if (!variable.startsWith(SAVED)) {
                restored.add(variable);
            } else if (variable.startsWith(SAVED_UNSET)) {
                gone.addAll(List.of(variable.substring(SAVED_UNSET.length()).split(" ")));
            } else if (!variable.startsWith(SAVED_SIGIGN)) {
                String original = variable.substring(SAVED.length());
                originals.add(original);
                gone.add(name(original));
            }
        }
        restored.removeIf(variable -> gone.contains(name(variable)));
        restored.addAll(originals);
        return restored;
    }

    private static String name(String variable) {
        int equals = variable.indexOf('=');
        return equals < 0 ? variable : variable.substring(0, equals);
    }

    /**
     * The signals that were ignored when the user started us. HotSpot puts its own handlers over some of them (SIGPIPE,
     * SIGXFSZ), which execve would then turn into the default: so bin/ayatori notes them before the JVM starts.
     */
    static long ignored(List<String> environment, long now) {
        for (String variable : environment) {
            if (variable.startsWith(SAVED_SIGIGN)) {
                try {
                    return Long.parseUnsignedLong(
                            variable.substring(SAVED_SIGIGN.length()).strip(), 16);
                } catch (NumberFormatException e) {
                    return now;
                }
            }
        }
        return now;
    }
}
