package ayatori.cli.why;

import ayatori.cli.JvmProcess;
import ayatori.cli.Roster;
import ayatori.cli.ThreadTable;
import ayatori.cli.UserMistake;
import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The thread that the user means.
 *
 * @param tid in this command's PID namespace
 * @param ownId in that of its JVM
 * @param level the kernel's policy and value when the watch began
 * @param priority what the kernel went by, field 18 of stat
 */
record WatchedThread(JvmProcess process, int tid, int ownId, Roster.Known known, String level, int priority) {
    /** How many names a message holds. */
    private static final int NAMED = 4;

    /**
     * Finds it.
     *
     * @param word a thread id, a name, or a glob with * and ?
     * @throws UserMistake if it means none, or several
     * @throws IOException if the process has ended
     */
    static WatchedThread named(JvmProcess process, Roster.Reading roster, String word) throws IOException {
        Map<Integer, WatchedThread> threads = threads(process, roster);
        WatchedThread byId = word.matches("\\d{1,9}") ? threads.get(Integer.valueOf(word)) : null;
        if (byId != null) {
            return byId;
        }
        List<WatchedThread> found = matching(threads, Pattern.quote(word));
        if (found.isEmpty()) {
            found = matching(threads, glob(word));
        }
        if (found.isEmpty()) {
            throw new UserMistake("no thread '" + word + "' in JVM " + process.pid() + ": ayatori ps " + process.pid()
                    + " shows all");
        }
        if (found.size() > 1) {
            throw new UserMistake("'" + word + "' means " + found.size() + " threads of JVM " + process.pid() + ": "
                    + list(found) + ": name one, or give its id");
        }
        return found.getFirst();
    }

    private static Map<Integer, WatchedThread> threads(JvmProcess process, Roster.Reading roster) throws IOException {
        Map<Integer, WatchedThread> threads = new TreeMap<>();
        for (int tid : TaskFiles.tids(process.pid())) {
            try {
                int ownId = Roster.ownId(tid);
                Roster.Known known = roster.threads().get(ownId);
                String level = ThreadTable.level(LinuxThread.of(tid).get());
                Roster.Known named = known == null ? Roster.Known.byKernel(tid) : known;
                int priority = new TaskFiles(tid).priority();
                threads.put(tid, new WatchedThread(process, tid, ownId, named, level, priority));
            } catch (IOException | SchedulingException e) {
                continue; // it has ended meanwhile
            }
        }
        return threads;
    }

    private static List<WatchedThread> matching(Map<Integer, WatchedThread> threads, String regex) {
        Pattern pattern = Pattern.compile(regex, Pattern.DOTALL);
        List<WatchedThread> found = new ArrayList<>(threads.values());
        found.removeIf(thread -> !pattern.matcher(thread.known.name()).matches());
        return found;
    }

    private static String glob(String word) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)));
        }
        return regex.toString();
    }

    private static String list(List<WatchedThread> threads) {
        List<String> names = new ArrayList<>();
        for (WatchedThread thread : threads.subList(0, Math.min(NAMED, threads.size()))) {
            names.add(thread.known.name() + " (" + thread.tid + ")");
        }
        return String.join(", ", names) + (threads.size() > NAMED ? " and " + (threads.size() - NAMED) + " more" : "");
    }
}
