package ayatori.cli.top;

import ayatori.cli.JvmProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Samples one JVM, or all of this host that this user may look into. Not thread-safe. */
final class Watch implements AutoCloseable {
    /** Between two searches for new JVMs. */
    private static final long SEARCH_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** After so many searches what was no JVM is looked at again: it may have become one by exec. */
    private static final int FORGETFUL = 6;

    private final ProcFiles files = new ProcFiles();
    private final Map<Integer, WatchedJvm> jvms = new TreeMap<>();
    private final boolean all;

    private final Set<Integer> noJvms = new HashSet<>();
    private List<JvmProcess> others = List.of();
    private long searched;
    private int searches;

    private Watch(boolean all) {
        this.all = all;
    }

    /**
     * A sample.
     *
     * @param jvms by process id
     * @param others JVMs of other users, which are not shown
     */
    record Frame(List<Jvm> jvms, List<LiveRow> rows, List<JvmProcess> others) {}

    /**
     * A JVM in a sample.
     *
     * @param summary the policy in force, or where names and priorities come from
     */
    record Jvm(int pid, String commandLine, String summary) {}

    /** @throws IOException if it has ended */
    static Watch of(JvmProcess process) throws IOException {
        Watch watch = new Watch(false);
        watch.jvms.put(process.pid(), new WatchedJvm(process, watch.files));
        return watch;
    }

    static Watch ofAll() {
        return new Watch(true);
    }

    boolean isOfAll() {
        return all;
    }

    /** Waits until names are known: for one sample only. */
    void awaitNames() throws IOException {
        search();
        for (WatchedJvm jvm : jvms.values()) {
            try {
                jvm.awaitNames();
            } catch (IOException e) {
                ended(jvm, e);
            }
        }
    }

    /**
     * Takes a sample.
     *
     * @throws IOException if the one JVM has ended; one of all just is not there any more
     */
    Frame sample() throws IOException {
        search();
        List<LiveRow> rows = new ArrayList<>();
        List<Jvm> shown = new ArrayList<>();
        for (Iterator<WatchedJvm> each = jvms.values().iterator(); each.hasNext(); ) {
            WatchedJvm jvm = each.next();
            try {
                rows.addAll(jvm.sample());
                shown.add(new Jvm(jvm.pid(), jvm.commandLine(), jvm.summary()));
            } catch (IOException e) {
                ended(jvm, e);
                each.remove();
            }
        }
        return new Frame(shown, rows, others);
    }

    private void ended(WatchedJvm jvm, IOException cause) throws IOException {
        if (!all) {
            throw cause;
        }
        jvm.close();
    }

    private void search() {
        long now = System.nanoTime();
        if (!all || (searches > 0 && now - searched < SEARCH_NANOS)) {
            return;
        }
        searched = now;
        if (searches++ % FORGETFUL == 0) {
            noJvms.clear();
        }
        Set<Integer> pids = JvmProcess.processes();
        noJvms.retainAll(pids);
        pids.removeAll(noJvms);
        pids.removeAll(jvms.keySet());
        List<JvmProcess> hidden = new ArrayList<>();
        for (JvmProcess found : JvmProcess.among(pids)) {
            pids.remove(found.pid());
            if (!found.permitted()) {
                hidden.add(found);
            } else {
                WatchedJvm jvm = watched(found);
                if (jvm != null) {
                    jvms.put(found.pid(), jvm);
                }
            }
        }
        noJvms.addAll(pids);
        others = hidden;
    }

    private @Nullable WatchedJvm watched(JvmProcess process) {
        try {
            return new WatchedJvm(process, files);
        } catch (IOException e) {
            return null; // it has ended meanwhile
        }
    }

    @Override
    public void close() throws IOException {
        for (WatchedJvm jvm : jvms.values()) {
            jvm.close();
        }
    }
}
