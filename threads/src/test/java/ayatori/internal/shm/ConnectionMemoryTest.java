package ayatori.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Futex;
import ayatori.internal.linux.Sched;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the two sides do to a slot, one step after the other. */
@Timeout(60)
class ConnectionMemoryTest {
    private static final int SLOT = 3;
    private static final int PI_WORDS = 8;
    private static final int ROUNDS = 200;
    private static final int PARKED = 8;

    // Where the slot's state is, and the areas.
    private static final long SLOT_AT = 4096 + 256L * SLOT;
    private static final long STATE = 16;
    private static final long AREAS = 4096 + 256L * ConnectionMemory.SLOTS;

    private final ConnectionMemory memory;

    ConnectionMemoryTest() throws IOException {
        memory = ConnectionMemory.create("slots", 4096);
    }

    private void submit() {
        memory.fill(SLOT, new Descriptor(5, ConnectionMemory.LENDS, 0, 64, 64));
        memory.submit(SLOT, 0);
    }

    private void answer() {
        memory.answer(SLOT, new Answer(ConnectionMemory.RESULT, 64, ""));
    }

    private int phase() {
        return ConnectionMemory.phase(memory.state(SLOT));
    }

    @Test
    void whatIsGivenUpStaysTheServersUntilItHasAnswered() {
        submit();
        int submitted = memory.state(SLOT);
        assertTrue(memory.abandon(SLOT, () -> true));
        assertEquals(ConnectionMemory.ABANDONED, phase());
        assertFalse(memory.take(SLOT, submitted, 0));
        answer();
        assertEquals(ConnectionMemory.ANSWERED, phase());
        assertFalse(memory.abandon(SLOT, () -> true));
    }

    /** The kernel refuses to wake them as it wakes others. */
    @Test
    void whoIsToLendToWhoeverTakesTheRequestIsWokenIfNobodyDoes() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            submit();
            int submitted = memory.state(SLOT);
            FutureTask<Integer> waiting =
                    new FutureTask<>(() -> memory.awaitLending(SLOT, submitted, Sched.gettid(), Futex.FOREVER));
            Thread.ofPlatform().start(waiting);
            Waiting.until("about to sleep", () -> memory.hasStateWaiter(SLOT));
            answer();
            memory.wakeStateWaiters(SLOT);
            var _ = waiting.get();
            memory.free(SLOT);
        }
    }

    /** A client's threads that are parked there are no work of the server's. */
    @Test
    void anAnswerWakesOneOfThoseWhoSleepForTheSlot() throws Exception {
        submit();
        int submitted = memory.state(SLOT);
        List<FutureTask<Integer>> parked = new ArrayList<>();
        for (int i = 0; i < PARKED; i++) {
            CompletableFuture<Path> call = new CompletableFuture<>();
            parked.add(new FutureTask<>(() -> {
                call.complete(Path.of("/proc/self/task/" + Sched.gettid() + "/syscall"));
                return memory.awaitChange(SLOT, submitted, Futex.FOREVER);
            }));
            Thread.ofPlatform().start(parked.getLast());
            String state = Long.toHexString(memory.area(0, 1, Arena.ofAuto()).address() - AREAS + SLOT_AT + STATE);
            Waiting.until(
                    "asleep on the state", () -> Files.readString(call.get()).contains("0x" + state + " "));
        }
        answer();
        memory.wakeStateWaiter(SLOT);
        Waiting.until("one awake", () -> parked.stream().anyMatch(FutureTask::isDone));
        MemorySegment state = memory.area(SLOT_AT + STATE - AREAS, 4, Arena.ofAuto());
        assertEquals(PARKED - 1, Futex.wake(state, Integer.MAX_VALUE, Futex.Scope.SHARED));
        for (FutureTask<Integer> each : parked) {
            assertEquals(0, each.get());
        }
    }

    /** While one who gives up is preempted, its request is answered, and so are others in the same slot, with each of the words. */
    @Test
    void whoGivesUpTooLateDoesNotGiveUpAnothersRequest() {
        submit();
        Iterator<Boolean> ours = List.of(true, false).iterator();
        assertFalse(memory.abandon(SLOT, () -> {
            boolean first = ours.next();
            for (int i = 0; first && i < PI_WORDS; i++) {
                answer();
                memory.free(SLOT);
                submit();
            }
            return first;
        }));
        assertEquals(ConnectionMemory.SUBMITTED, phase());
    }
}
