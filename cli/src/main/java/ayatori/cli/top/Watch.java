package ayatori.cli.top;

import ayatori.cli.JvmProcess;
import ayatori.cli.NativeProgram;
import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Samples one JVM, or all of this host that this user may look into, and the native programs that have real-time threads.
 * Not thread-safe.
 */
final class Watch implements AutoCloseable {
    /** Between two searches for new processes. */
    private static final long SEARCH_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** After so many searches what was no JVM is looked at again: it may have become one by exec. */
    private static final int FORGETFUL = 6;

    private final ProcFiles files = new ProcFiles();
    private final Map<Integer, WatchedJvm> jvms = new TreeMap<>();
    private final Map<Integer, WatchedProgram> programs = new TreeMap<>();
    private final boolean ofAll;

    private final Set<Integer> noJvms = new HashSet<>();
    private List<JvmProcess> others = List.of();
    private long searched;
    private int searches;

    private Watch(boolean ofAll) {
        this.ofAll = ofAll;
    }

    /**
     * A sample.
     *
     * @param processes JVMs by process id, then native programs
     * @param others JVMs of other users, which are not shown
     */
    record Frame(List<Shown> processes, List<LiveRow> rows, List<JvmProcess> others) {}

    /**
     * A process in a sample.
     *
     * @param program its name in the host file; empty if it has none, or this user may not look
     * @param summary the policy in force, or where names and priorities come from
     */
    record Shown(int pid, boolean jvm, Optional<String> program, String commandLine, String summary) {}

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
        return ofAll;
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
        List<Shown> shown = new ArrayList<>();
        for (Iterator<WatchedJvm> each = jvms.values().iterator(); each.hasNext(); ) {
            WatchedJvm jvm = each.next();
            try {
                rows.addAll(jvm.sample());
                shown.add(jvm.shown());
            } catch (IOException e) {
                ended(jvm, e);
                each.remove();
            }
        }
        for (Iterator<WatchedProgram> each = programs.values().iterator(); each.hasNext(); ) {
            WatchedProgram program = each.next();
            try {
                rows.addAll(program.sample());
                shown.add(program.shown());
            } catch (IOException e) {
                program.close(); // it has ended, or is real-time no more
                each.remove();
            }
        }
        return new Frame(shown, rows, others);
    }

    private void ended(WatchedJvm jvm, IOException cause) throws IOException {
        if (!ofAll) {
            throw cause;
        }
        jvm.close();
    }

    private void search() throws IOException {
        long now = System.nanoTime();
        if (!ofAll || (searches > 0 && now - searched < SEARCH_NANOS)) {
            return;
        }
        searched = now;
        if (searches++ % FORGETFUL == 0) {
            noJvms.clear();
        }
        Set<Integer> all = JvmProcess.processes();
        Set<Integer> pids = new TreeSet<>(all);
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
        all.removeAll(jvms.keySet());
        hidden.forEach(jvm -> all.remove(jvm.pid()));
        all.remove(Sched.getpid());
        searchPrograms(all);
    }

    /** @param pids of all processes but JVMs */
    private void searchPrograms(Set<Integer> pids) throws IOException {
        for (Iterator<WatchedProgram> each = programs.values().iterator(); each.hasNext(); ) {
            WatchedProgram program = each.next();
            if (!pids.contains(program.shown().pid()) || program.isAnother()) {
                program.close();
                each.remove();
            }
        }
        for (int pid : pids) {
            if (!programs.containsKey(pid) && NativeProgram.isOne(pid)) {
                try {
                    programs.put(pid, new WatchedProgram(new NativeProgram(pid), files));
                } catch (IOException e) {
                    continue; // it has ended meanwhile
                }
            }
        }
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
        for (WatchedProgram program : programs.values()) {
            program.close();
        }
    }
}
