package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages as the agent writes them, in a file of the test's own. */
class LedgerPageTest {
    private static final int RECORDS = 4;
    private static final int RR = 2;

    @TempDir
    Path folder;

    private final ByteBuffer page = ByteBuffer.allocate(LedgerPage.HEADER_SIZE + RECORDS * LedgerPage.RECORD_SIZE)
            .order(ByteOrder.LITTLE_ENDIAN);

    @BeforeEach
    void header() {
        page.putInt(LedgerPage.H_MAGIC, LedgerPage.MAGIC)
                .putInt(LedgerPage.H_LAYOUT, LedgerPage.LAYOUT_VERSION)
                .putInt(LedgerPage.H_CAPACITY, RECORDS)
                .putInt(LedgerPage.H_USED, RECORDS)
                .putInt(LedgerPage.H_POLICY, 3)
                .putInt(LedgerPage.H_RT_POLICY, RR)
                .putInt(LedgerPage.H_LAUNCH_VALUE, 5)
                .putInt(LedgerPage.H_BAND_LOW, 30)
                .putInt(LedgerPage.H_BAND_HIGH, 45);
    }

    private LedgerPage open() throws IOException {
        return LedgerPage.map(Files.write(folder.resolve("page"), page.array()));
    }

    private void record(int index, int version, int tid, String name) {
        int at = LedgerPage.HEADER_SIZE + index * LedgerPage.RECORD_SIZE;
        page.putInt(at + LedgerPage.R_VERSION, version)
                .putInt(at + LedgerPage.R_TID, tid)
                .putInt(at + LedgerPage.R_KIND, 1)
                .putInt(at + LedgerPage.R_JAVA_PRIORITY, 8)
                .putInt(at + LedgerPage.R_WANTED_POLICY, RR)
                .putInt(at + LedgerPage.R_WANTED_VALUE, 17)
                .putInt(at + LedgerPage.R_ERRNO, 1)
                .putInt(at + LedgerPage.R_DUES, 2)
                .put(at + LedgerPage.R_NAME, name.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void saysWhatTheAgentWrote() throws IOException {
        record(1, 2, 4711, "綾取り-1");
        try (LedgerPage ledger = open()) {
            assertEquals(
                    new LedgerPage.Header(
                            Optional.of(PriorityLadder.Policy.MIXED),
                            RR,
                            Optional.of(SchedulingParameters.other(5)),
                            0,
                            0,
                            Optional.of(new Band(30, 45))),
                    ledger.header());
            assertEquals(
                    List.of(new LedgerPage.Entry(
                            4711, ThreadKind.JAVA, 8, Optional.of(SchedulingParameters.roundRobin(17)), 1, 2, "綾取り-1")),
                    ledger.entries());
        }
    }

    @Test
    void aDeadlineThreadHasItsTimes() throws IOException {
        record(1, 2, 4711, "control");
        int at = LedgerPage.HEADER_SIZE + LedgerPage.RECORD_SIZE;
        page.putInt(at + LedgerPage.R_WANTED_POLICY, SchedulingPolicy.DEADLINE.linuxValue())
                .putLong(at + LedgerPage.R_RUNTIME, 2_000_000)
                .putLong(at + LedgerPage.R_DEADLINE, 5_000_000)
                .putLong(at + LedgerPage.R_PERIOD, 10_000_000);
        try (LedgerPage ledger = open()) {
            SchedulingParameters wanted = ledger.entries().getFirst().wanted().orElseThrow();
            assertEquals(
                    SchedulingParameters.deadline(Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(10)),
                    wanted);
            assertEquals("DEADLINE 2ms/5ms/10ms", ThreadTable.level(wanted));
        }
    }

    @Test
    void aRecordThatIsBeingWrittenIsNotBelieved() throws IOException {
        record(0, 3, 1, "half");
        record(1, 4, 2, "whole");
        try (LedgerPage ledger = open()) {
            assertEquals(
                    List.of("whole"),
                    ledger.entries().stream().map(LedgerPage.Entry::name).toList());
        }
    }

    @Test
    void aNameThatFillsItsPlaceEndsThere() throws IOException {
        record(0, 2, 1, "x".repeat(LedgerPage.NAME_SIZE));
        try (LedgerPage ledger = open()) {
            assertEquals(
                    LedgerPage.NAME_SIZE, ledger.entries().getFirst().name().length());
        }
    }

    @Test
    void anotherLayoutIsRefused() {
        page.putInt(LedgerPage.H_LAYOUT, LedgerPage.LAYOUT_VERSION + 1);
        String message = String.valueOf(
                assertThrows(LedgerPage.Unreadable.class, this::open).getMessage());
        assertTrue(message.contains("layout 2 "), message);
    }

    @Test
    void aUsedCountBeyondTheFileIsNotBelieved() throws IOException {
        page.putInt(LedgerPage.H_USED, 1_000_000);
        record(3, 2, 9, "last");
        try (LedgerPage ledger = open()) {
            assertEquals(1, ledger.entries().size());
        }
    }

    @Test
    void aLevelThatCannotBeIsNone() {
        assertEquals(Optional.empty(), LedgerPage.level(RR, 0));
        assertEquals(Optional.empty(), LedgerPage.level(-1, 0));
    }
}
