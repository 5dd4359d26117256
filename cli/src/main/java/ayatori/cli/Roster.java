package ayatori.cli;

import ayatori.internal.linux.TaskFiles;
import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM itself says of its threads: by the agent's ledger, else by a thread dump. A roster from a ledger is for one
 * thread, the one that opened it; one without may be read by any.
 */
public final class Roster implements AutoCloseable {
    private final JvmProcess process;
    private final @Nullable LedgerPage ledger;
    private final String why;
    /** Of the last look at the ledger: most of the time nothing has changed since. */
    private @Nullable Look last;

    private record Look(LedgerPage.Header header, List<LedgerPage.Entry> entries, Reading reading) {}

    private Roster(JvmProcess process, @Nullable LedgerPage ledger, String why) {
        this.process = process;
        this.ledger = ledger;
        this.why = why;
    }

    /** What the JVM says of a thread. */
    public record Known(
            String name,
            ThreadKind kind,
            int javaPriority,
            Optional<SchedulingParameters> wanted,
            int dues,
            int errno) {

        /** What the kernel alone says: a name of 15 bytes. */
        public static Known byKernel(int tid) throws IOException {
            String comm = new TaskFiles(tid).comm();
            return new Known(comm, ThreadKind.ofName(comm, false), 0, Optional.empty(), 0, 0);
        }

        /** The same of a thread of a process that is no JVM. */
        public Known ofNativeProgram() {
            return new Known(name, ThreadKind.NATIVE, javaPriority, wanted, dues, errno);
        }
    }

    /**
     * All that the JVM says at a moment.
     *
     * @param summary one line: the policy in force, or where names and priorities come from if not from a ledger
     * @param threads by their ids in the JVM's PID namespace, see {@link #ownId}
     */
    public record Reading(String summary, Map<Integer, Known> threads) {}

    /**
     * Opens the ledger if there is one for this user to read.
     *
     * @throws IOException if the process has ended
     */
    public static Roster open(JvmProcess process) throws IOException {
        try {
            LedgerPage ledger = LedgerPage.open(process.pid()).orElse(null);
            return new Roster(process, ledger, "no agent in this JVM");
        } catch (AccessDeniedException e) {
            String why = "this JVM has privileges that you have not, so its ledger cannot be read (root can)";
            return new Roster(process, null, why);
        } catch (LedgerPage.Unreadable e) {
            return new Roster(process, null, String.valueOf(e.getMessage()));
        }
    }

    /** The band that the agent in a process was given; empty if it was given none, or this user may not look into it. */
    public static Optional<Band> band(int pid) {
        try (LedgerPage ledger = LedgerPage.open(pid).orElse(null)) {
            return ledger == null ? Optional.empty() : ledger.header().band();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What the JVM calls a thread: ids by PID namespace, the innermost last. */
    public static int ownId(int tid) throws IOException {
        String ids = new TaskFiles(tid).status("NSpid").orElse(Integer.toString(tid));
        return Integer.parseInt(ids.substring(ids.lastIndexOf('\t') + 1));
    }

    /** Whether reading is memory alone, which the JVM does not notice; else it is a safepoint there. */
    public boolean hasLedger() {
        return ledger != null;
    }

    /**
     * Reads. Without a ledger this may take seconds.
     *
     * @throws IOException if the process has ended
     */
    public Reading read() throws IOException {
        return ledger == null ? readDump() : readLedger(ledger);
    }

    @SuppressWarnings("ReferenceEquality") // the page gives the same list as long as it is the same
    private Reading readLedger(LedgerPage page) {
        LedgerPage.Header header = page.header();
        List<LedgerPage.Entry> entries = page.entries();
        Look before = last;
        if (before != null && before.entries == entries && before.header.equals(header)) {
            return before.reading;
        }
        Map<Integer, Known> known = new HashMap<>();
        for (LedgerPage.Entry e : entries) {
            known.put(e.tid(), new Known(e.name(), e.kind(), e.javaPriority(), wanted(e, header), e.dues(), e.errno()));
        }
        Reading reading = new Reading(header.summary(), known);
        last = new Look(header, entries, reading);
        return reading;
    }

    /** Under `none` the agent leaves a thread alone that nobody owes anything: HotSpot's own nice values are no mismatch. */
    private static Optional<SchedulingParameters> wanted(LedgerPage.Entry entry, LedgerPage.Header header) {
        boolean leftAlone = header.policy().equals(Optional.of(PriorityLadder.Policy.NONE))
                && entry.dues() == 0
                && entry.wanted().equals(header.launch());
        return leftAlone ? Optional.empty() : entry.wanted();
    }

    private Reading readDump() throws IOException {
        Map<Integer, Known> known = new HashMap<>();
        Optional<String> silent = process.silentBecause();
        if (silent.isPresent()) {
            return new Reading(
                    why + ", and no thread dump, because " + silent.get() + ": names are the kernel's", known);
        }
        try {
            for (ThreadDump.Entry e : AttachedDump.of(process.pid())) {
                ThreadKind kind = ThreadKind.ofName(e.name(), e.javaPriority() > 0);
                known.put(e.tid(), new Known(e.name(), kind, e.javaPriority(), Optional.empty(), 0, 0));
            }
            return new Reading(why + ": names and priorities are from a thread dump", known);
        } catch (IOException e) {
            return new Reading(why + ", and no thread dump (" + e.getMessage() + "): names are the kernel's", known);
        }
    }

    @Override
    public void close() {
        if (ledger != null) {
            ledger.close();
        }
    }
}
