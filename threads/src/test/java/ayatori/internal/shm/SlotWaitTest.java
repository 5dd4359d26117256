package ayatori.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.sched.Waiting;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for a slot, also where the other side does not play along. */
@Timeout(60)
class SlotWaitTest {
    private static final int KERNEL_THREAD = 2;

    private static ConnectionMemory submitted(int thread) throws Exception {
        ConnectionMemory memory = ConnectionMemory.create("slots", 4096);
        memory.closeDescriptor();
        memory.fill(0, new Descriptor(5, ConnectionMemory.LENDS, 0, 64, 64));
        memory.submit(0, thread);
        return memory;
    }

    @Test
    void whoWaitsForATakerHearsOfAnAnswerWithoutOne() throws Exception {
        ConnectionMemory memory = submitted(0);
        int state = memory.state(0);
        FutureTask<Integer> wait = new FutureTask<>(
                () -> memory.awaitLending(0, state, Sched.gettid(), System.nanoTime() + TimeUnit.SECONDS.toNanos(40)));
        Thread thread = Thread.ofPlatform().start(wait);
        Waiting.until("asleep", () -> memory.hasStateWaiter(0));
        memory.answer(0, new Answer(ConnectionMemory.REJECTION, 0, "no"));
        Waiting.until("woken", () -> {
            memory.wakeStateWaiters(0);
            return wait.isDone();
        });
        thread.join();
        assertTrue(wait.get() == 0 || wait.get() == -Errno.EAGAIN, () -> "result " + wait.resultNow());
    }

    /** The words are the other side's too: a client that tried a spoilt one again and again would keep its CPU. */
    @Test
    void aWordThatCannotBeWaitedForIsWaitedBesides() throws Exception {
        ConnectionMemory memory = submitted(KERNEL_THREAD);
        int state = memory.state(0);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
        assertEquals(-Errno.ETIMEDOUT, memory.awaitLending(0, state, Sched.gettid(), deadline));
    }
}
