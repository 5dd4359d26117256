package ayatori.cli;

import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingException;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One look at a JVM.
 *
 * @param header the ledger's, empty without the agent
 * @param note where names and priorities come from if not from the ledger, and why
 * @param rows its threads in ladder order
 */
record JvmView(JvmProcess process, Optional<LedgerPage.Header> header, Optional<String> note, List<ThreadRow> rows) {
    /** The ledger and the kernel are read one after the other: what changed between them is looked at again. */
    private static final int LOOKS = 3;

    /** What the JVM itself says of a thread; by its id in the JVM's PID namespace. */
    private record Known(
            String name,
            ThreadKind kind,
            int javaPriority,
            Optional<SchedulingParameters> wanted,
            int dues,
            int errno) {}

    /**
     * Looks.
     *
     * @throws IOException if the process has ended
     */
    static JvmView of(JvmProcess process) throws IOException {
        String why;
        try (LedgerPage ledger = LedgerPage.open(process.pid()).orElse(null)) {
            if (ledger != null) {
                return ofLedger(process, ledger);
            }
            why = "no agent in this JVM";
        } catch (AccessDeniedException e) {
            why = "this JVM has privileges that you have not, so its ledger cannot be read (root can)";
        } catch (LedgerPage.Unreadable e) {
            why = String.valueOf(e.getMessage());
        }
        return ofDump(process, why);
    }

    private static JvmView ofLedger(JvmProcess process, LedgerPage ledger) throws IOException {
        LedgerPage.Header header = ledger.header();
        List<ThreadRow> rows = List.of();
        for (int look = 0; look < LOOKS; look++) {
            Map<Integer, Known> known = new HashMap<>();
            for (LedgerPage.Entry e : ledger.entries()) {
                known.put(
                        e.tid(),
                        new Known(e.name(), e.kind(), e.javaPriority(), wanted(e, header), e.dues(), e.errno()));
            }
            rows = rows(process.pid(), known);
            if (rows.stream().noneMatch(row -> row.mismatched() && row.errno() == 0)) {
                break;
            }
        }
        return new JvmView(process, Optional.of(header), Optional.empty(), rows);
    }

    /** Under `none` the agent leaves a thread alone that nobody owes anything: HotSpot's own nice values are no mismatch. */
    private static Optional<SchedulingParameters> wanted(LedgerPage.Entry entry, LedgerPage.Header header) {
        boolean leftAlone = header.policy().equals(Optional.of(PriorityLadder.Policy.NONE))
                && entry.dues() == 0
                && entry.wanted().equals(header.launch());
        return leftAlone ? Optional.empty() : entry.wanted();
    }

    private static JvmView ofDump(JvmProcess process, String why) throws IOException {
        Map<Integer, Known> known = new HashMap<>();
        String note = why + ": names and priorities are from a thread dump";
        Optional<String> silent = process.silentBecause();
        if (silent.isPresent()) {
            note = why + ", and no thread dump, because " + silent.get() + ": names are the kernel's";
        } else {
            try {
                for (ThreadDump.Entry e : AttachedDump.of(process.pid())) {
                    ThreadKind kind = ThreadKind.ofName(e.name(), e.javaPriority() > 0);
                    int priority = e.javaPriority();
                    known.put(e.tid(), new Known(e.name(), kind, priority, Optional.empty(), 0, 0));
                }
            } catch (IOException e) {
                note = why + ", and no thread dump (" + e.getMessage() + "): names are the kernel's";
            }
        }
        return new JvmView(process, Optional.empty(), Optional.of(note), rows(process.pid(), known));
    }

    private static List<ThreadRow> rows(int pid, Map<Integer, Known> known) throws IOException {
        List<ThreadRow> rows = new ArrayList<>();
        for (int tid : TaskFiles.tids(pid)) {
            try {
                rows.add(row(tid, known));
            } catch (IOException | SchedulingException e) {
                continue; // the thread has ended meanwhile
            }
        }
        if (rows.isEmpty()) {
            throw new NoSuchFileException("/proc/" + pid);
        }
        rows.sort(ThreadRow.LADDER_ORDER);
        return rows;
    }

    private static ThreadRow row(int tid, Map<Integer, Known> known) throws IOException {
        TaskFiles files = new TaskFiles(tid);
        LinuxThread thread = LinuxThread.of(tid);
        // Ids by PID namespace, the innermost last: what the JVM itself calls the thread.
        String ids = files.status("NSpid").orElse(Integer.toString(tid));
        Known it = known.get(Integer.valueOf(ids.substring(ids.lastIndexOf('\t') + 1)));
        if (it == null) {
            String comm = files.comm();
            it = new Known(comm, ThreadKind.ofName(comm, false), 0, Optional.empty(), 0, 0);
        }
        return new ThreadRow(
                tid,
                it.name,
                it.kind,
                it.javaPriority,
                it.wanted,
                it.dues,
                it.errno,
                thread.get(),
                thread.effectivePriority(),
                files.lastCpu(),
                thread.statistics());
    }
}
