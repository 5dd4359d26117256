package ayatori.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingPolicy;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The agent's ledger as another process reads it: the Java twin of native/include/ledger_page.h, which has the picture.
 * LedgerPageTwinTest compares the constants. Not thread-safe.
 */
final class LedgerPage implements AutoCloseable {
    static final String MEMFD_NAME = "ayatori-ledger";
    static final int MAGIC = 0x4c495241;
    static final int LAYOUT_VERSION = 1;
    static final int HEADER_SIZE = 128;
    static final int RECORD_SIZE = 256;
    static final int NAME_SIZE = 128;

    static final int H_MAGIC = 0;
    static final int H_LAYOUT = 4;
    static final int H_CAPACITY = 8;
    static final int H_USED = 12;
    static final int H_POLICY = 16;
    static final int H_RT_POLICY = 20;
    static final int H_LAUNCH_POLICY = 24;
    static final int H_LAUNCH_VALUE = 28;
    static final int H_UNLISTED = 32;
    static final int H_FOLDED = 36;
    static final int H_BAND_LOW = 40;
    static final int H_BAND_HIGH = 44;
    static final int FOLDED_END = 1;
    static final int FOLDED_RUNAWAY = 2;

    static final int R_VERSION = 0;
    static final int R_TID = 4;
    static final int R_KIND = 8;
    static final int R_JAVA_PRIORITY = 12;
    static final int R_OWN_POLICY = 16;
    static final int R_OWN_VALUE = 20;
    static final int R_WANTED_POLICY = 24;
    static final int R_WANTED_VALUE = 28;
    static final int R_ERRNO = 32;
    static final int R_DUES = 36;
    static final int R_NAME = 40;
    static final int R_RUNTIME = 168;
    static final int R_DEADLINE = 176;
    static final int R_PERIOD = 184;

    /** By LEDGER_POLICY_…. */
    private static final PriorityLadder.Policy[] POLICIES = {
        PriorityLadder.Policy.NONE,
        PriorityLadder.Policy.NICE,
        PriorityLadder.Policy.STATIC,
        PriorityLadder.Policy.MIXED
    };

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** In a copy on the heap. */
    private static final ValueLayout.OfInt UNALIGNED =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final ValueLayout.OfLong UNALIGNED_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle INT_IN_MEMORY = INT.varHandle();

    /** A record that is still being written after so many tries belongs to a JVM that was stopped midway. */
    private static final int READ_TRIES = 10_000;

    private static final Optional<Entry> NONE = Optional.empty();
    /** Of a version that no record has, not even one that is being written for the first time. */
    private static final Read UNREAD = new Read(-1, NONE);

    private final Arena arena;
    private final MemorySegment memory;
    private final List<Read> reads = new ArrayList<>();
    private List<Entry> last = List.of();

    private LedgerPage(Arena arena, MemorySegment memory) {
        this.arena = arena;
        this.memory = memory;
    }

    /** There is a ledger, and this class cannot make sense of it. */
    static final class Unreadable extends IOException {
        private static final long serialVersionUID = 1L;

        Unreadable(String why) {
            super(why);
        }
    }

    /**
     * What the ledger says of the whole JVM.
     *
     * @param policy empty if this command does not know it
     * @param rtPolicy SCHED_RR or SCHED_FIFO
     * @param launch the level that the JVM was launched with
     * @param unlisted threads that found no free record
     * @param folded why all Java threads have been put back, see the constants; 0 if they have not
     * @param band that the JVM was given; empty if it was given none, or has no real-time threads
     */
    record Header(
            Optional<PriorityLadder.Policy> policy,
            int rtPolicy,
            Optional<SchedulingParameters> launch,
            int unlisted,
            int folded,
            Optional<Band> band) {

        /** In one line for people. */
        String summary() {
            boolean realTime = policy.filter(p -> p == PriorityLadder.Policy.STATIC || p == PriorityLadder.Policy.MIXED)
                    .isPresent();
            String rt = level(rtPolicy, 1).map(level -> level.policy().name()).orElse("?");
            return "policy " + policy.map(AgentOptions::label).orElse("?")
                    + (realTime ? " with " + rt : "")
                    + band.map(values -> " in band " + values).orElse("")
                    + ", launched at " + launch.map(ThreadTable::level).orElse("?")
                    + (unlisted == 0 ? "" : ", " + unlisted + " threads found no room in the ledger")
                    + switch (folded) {
                        case FOLDED_END -> ", shutting down: all Java threads are back at the launch level";
                        case FOLDED_RUNAWAY -> ", real-time threads ran away: all Java threads are ordinary ones now";
                        default -> "";
                    };
        }
    }

    /**
     * What the ledger says of a thread.
     *
     * @param tid in the PID namespace of the JVM
     * @param wanted what its own priority and all that it is owed ask for; empty before the agent has decided
     * @param errno of the last attempt to set the wanted level; 0: the kernel took it
     * @param dues how many causes it is owed a level by
     */
    record Entry(
            int tid,
            ThreadKind kind,
            int javaPriority,
            Optional<SchedulingParameters> wanted,
            int errno,
            int dues,
            String name) {}

    /**
     * Opens the ledger of a process through /proc/PID/fd.
     *
     * @return empty if it has none
     * @throws java.nio.file.AccessDeniedException if this user may not look into that process
     * @throws Unreadable if the ledger is of another layout
     * @throws IOException if the process has ended
     */
    static Optional<LedgerPage> open(long pid) throws IOException {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors) {
                if (isLedger(descriptor)) {
                    return Optional.of(map(descriptor));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isLedger(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("/memfd:" + MEMFD_NAME);
        } catch (NoSuchFileException e) {
            return false; // closed between the listing and now
        }
    }

    static LedgerPage map(Path file) throws IOException {
        Arena arena = Arena.ofConfined();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment memory = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            LedgerPage page = new LedgerPage(arena, memory);
            page.refuseOtherLayouts();
            return page;
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private void refuseOtherLayouts() throws Unreadable {
        if (memory.byteSize() < HEADER_SIZE || memory.get(INT, H_MAGIC) != MAGIC) {
            throw new Unreadable("the agent is only starting");
        }
        int layout = memory.get(INT, H_LAYOUT);
        if (layout != LAYOUT_VERSION) {
            throw new Unreadable("the agent's ledger has layout " + layout + " and this ayatori reads " + LAYOUT_VERSION
                    + " (use the one that started the JVM)");
        }
    }

    Header header() {
        return new Header(
                policy(memory.get(INT, H_POLICY)),
                memory.get(INT, H_RT_POLICY),
                level(memory.get(INT, H_LAUNCH_POLICY), memory.get(INT, H_LAUNCH_VALUE)),
                memory.get(INT, H_UNLISTED),
                memory.get(INT, H_FOLDED),
                band(memory.get(INT, H_BAND_LOW), memory.get(INT, H_BAND_HIGH)));
    }

    private static Optional<Band> band(int low, int high) {
        return low == 0 ? Optional.empty() : Optional.of(new Band(low, high));
    }

    /** The records in use, each consistent in itself; the same list as long as no record changes. */
    List<Entry> entries() {
        long room = (memory.byteSize() - HEADER_SIZE) / RECORD_SIZE;
        int used = (int) Math.min(room, (int) INT_IN_MEMORY.getAcquire(memory, (long) H_USED));
        if (readAgain(used)) {
            List<Entry> entries = new ArrayList<>(used);
            for (Read read : reads) {
                read.entry.ifPresent(entries::add);
            }
            last = entries;
        }
        return last;
    }

    /** Whether any record has changed. */
    private boolean readAgain(int used) {
        byte[] copy = new byte[RECORD_SIZE];
        boolean changed = false;
        for (int i = 0; i < used; i++) {
            long offset = HEADER_SIZE + (long) i * RECORD_SIZE;
            if (i == reads.size()) {
                reads.add(UNREAD);
            }
            if (reads.get(i).version != (int) INT_IN_MEMORY.getAcquire(memory, offset + R_VERSION)
                    && readRecord(offset, copy)) {
                MemorySegment record = MemorySegment.ofArray(copy);
                boolean inUse = record.get(UNALIGNED, R_TID) != 0;
                int version = record.get(UNALIGNED, R_VERSION);
                reads.set(i, new Read(version, inUse ? Optional.of(entry(record, copy)) : NONE));
                changed = true;
            }
        }
        return changed;
    }

    /** A record as it was read last: most stay as they are for ever. */
    private record Read(int version, Optional<Entry> entry) {}

    private boolean readRecord(long offset, byte[] copy) {
        for (int i = 0; i < READ_TRIES; i++) {
            int before = (int) INT_IN_MEMORY.getAcquire(memory, offset + R_VERSION);
            if ((before & 1) == 0) {
                MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, copy, 0, RECORD_SIZE);
                VarHandle.loadLoadFence();
                if ((int) INT_IN_MEMORY.getOpaque(memory, offset + R_VERSION) == before) {
                    return true;
                }
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private static Entry entry(MemorySegment record, byte[] copy) {
        byte[] name = Arrays.copyOfRange(copy, R_NAME, R_NAME + NAME_SIZE);
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new Entry(
                record.get(UNALIGNED, R_TID),
                ThreadKind.ofLedger(record.get(UNALIGNED, R_KIND)),
                record.get(UNALIGNED, R_JAVA_PRIORITY),
                wanted(record),
                record.get(UNALIGNED, R_ERRNO),
                record.get(UNALIGNED, R_DUES),
                new String(name, 0, length, UTF_8));
    }

    private static Optional<SchedulingParameters> wanted(MemorySegment record) {
        int policy = record.get(UNALIGNED, R_WANTED_POLICY);
        return policy == SchedulingPolicy.DEADLINE.linuxValue()
                ? deadline(
                        record.get(UNALIGNED_LONG, R_RUNTIME),
                        record.get(UNALIGNED_LONG, R_DEADLINE),
                        record.get(UNALIGNED_LONG, R_PERIOD))
                : level(policy, record.get(UNALIGNED, R_WANTED_VALUE));
    }

    private static Optional<SchedulingParameters> deadline(long runtime, long deadline, long period) {
        try {
            return Optional.of(SchedulingParameters.deadline(
                    Duration.ofNanos(runtime), Duration.ofNanos(deadline), Duration.ofNanos(period)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static Optional<PriorityLadder.Policy> policy(int value) {
        return value >= 0 && value < POLICIES.length ? Optional.of(POLICIES[value]) : Optional.empty();
    }

    /** A level of the ledger: nice for OTHER and BATCH, static priority for FIFO and RR. */
    static Optional<SchedulingParameters> level(int policy, int value) {
        try {
            return switch (SchedulingPolicy.ofLinuxValue(policy)) {
                case OTHER -> Optional.of(SchedulingParameters.other(value));
                case BATCH -> Optional.of(SchedulingParameters.batch(value));
                case RR -> Optional.of(SchedulingParameters.roundRobin(value));
                case FIFO -> Optional.of(SchedulingParameters.fifo(value));
                case IDLE -> Optional.of(SchedulingParameters.idle());
                case DEADLINE, EXT -> Optional.empty(); // no level that a value could say
            };
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
