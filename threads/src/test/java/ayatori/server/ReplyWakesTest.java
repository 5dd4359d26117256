package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.internal.linux.Futex;
import ayatori.internal.linux.Sched;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which answers wake somebody at the client's: the mirror image of the paper's conditions, on the counters. */
@Timeout(60)
class ReplyWakesTest {
    private static final int SLOT_BYTES = 256;
    private static final int HELD = 7;

    @TempDir
    private Path directory;

    private final Semaphore gate = new Semaphore(0);
    private final Endpoint<Integer, Integer> here =
            Endpoint.<Integer, Integer>builder().name("here").build();
    private final Endpoint<Area, Area> shared =
            Endpoint.<Area, Area>builder().name("shared").build();
    private EndpointStatistics then = here.statistics();

    @AfterEach
    void close() {
        gate.release(100);
        here.close();
        shared.close();
    }

    /** Since the last time, once as many answers have been given. */
    private void assertAnswers(Endpoint<?, ?> endpoint, int wakes, int skipped) {
        Waiting.until("answers counted", () -> {
            EndpointStatistics now = endpoint.statistics();
            return now.replyWakes() + now.replyWakesSkipped()
                    >= then.replyWakes() + then.replyWakesSkipped() + wakes + skipped;
        });
        EndpointStatistics now = endpoint.statistics();
        assertEquals(wakes, now.replyWakes() - then.replyWakes(), "answers that woke somebody");
        assertEquals(skipped, now.replyWakesSkipped() - then.replyWakesSkipped(), "answers that needed not");
        then = now;
    }

    @Test
    void anAnswerWakesWhoWaitsForItAndNobodyElse() throws Exception {
        here.serve(1, request -> {
            gate.acquire();
            if (request.body() < 0) {
                throw new IllegalStateException("negative");
            }
            request.reply(request.body());
        });
        Reply<Integer> first = here.send(1);
        Reply<Integer> second = here.send(2);
        gate.release(2);
        Waiting.until("answered", () -> first.isDone() && second.isDone());
        assertAnswers(here, 0, 2);

        for (int body : new int[] {3, -3}) {
            FutureTask<Integer> call = new FutureTask<>(() -> here.call(body));
            Thread caller = Thread.ofPlatform().start(call);
            Waiting.until("the caller asleep", () -> caller.getState() == Thread.State.WAITING);
            gate.release();
            assertAnswers(here, 1, 0);
            caller.join();
        }

        Reply<Integer> late = here.send(4);
        assertThrows(TimeoutException.class, () -> late.get(1, TimeUnit.MILLISECONDS));
        gate.release();
        assertAnswers(here, 0, 1);
    }

    private static void submit(RawClient client, int slot, int flags) {
        client.submit(slot, new Descriptor(5, flags, 0, 64, 64));
    }

    /** Where other processes reach it; an answer is held if the first number of the area says so. */
    private RawClient serveShared() throws IOException {
        Path path = directory.resolve("shared");
        shared.serve(1, request -> {
            if (request.body().segment().get(ValueLayout.JAVA_INT, 0) == HELD) {
                gate.acquire();
            }
            request.reply(request.body());
        });
        var _ = PublishedEndpoint.at(path).publish(shared);
        return new RawClient(path);
    }

    @Test
    void betweenProcessesTheFirstAnswerThatHasNotBeenLookedAtWakes() throws Exception {
        try (RawClient client = serveShared()) {
            for (int slot = 0; slot < 3; slot++) {
                submit(client, slot, ConnectionMemory.ASYNCHRONOUS);
                assertAnswers(shared, slot == 0 ? 1 : 0, slot == 0 ? 0 : 1);
            }
            assertEquals(0b111, client.memory.takeReturned());
            submit(client, 3, ConnectionMemory.ASYNCHRONOUS);
            assertAnswers(shared, 1, 0);
            assertEquals(0b1000, client.memory.takeReturned());
            submit(client, 4, 0);
            assertAnswers(shared, 0, 1);
            assertEquals(0, client.memory.takeReturned(), "announced, though whoever wants it waits itself");
        }
    }

    @Test
    void betweenProcessesWhoSleepsForAnAnswerIsWokenInEitherWay() throws Exception {
        try (RawClient client = serveShared()) {
            client.area().set(ValueLayout.JAVA_INT, 0, HELD);
            ConnectionMemory memory = client.memory;
            for (int flags : new int[] {0, ConnectionMemory.LENDS}) {
                int slot = flags;
                long taken = shared.statistics().taken();
                submit(client, slot, flags);
                Waiting.until("taken", () -> shared.statistics().taken() > taken);
                int state = memory.state(slot);
                FutureTask<Integer> wait = new FutureTask<>(() -> flags == 0
                        ? memory.awaitChange(slot, state, Futex.FOREVER)
                        : memory.awaitLending(slot, state, Sched.gettid(), Futex.FOREVER));
                Thread.ofPlatform().start(wait);
                Waiting.until("asleep", () -> flags == 0 ? memory.hasStateWaiter(slot) : isWaitedFor(client, slot));
                gate.release();
                assertAnswers(shared, 1, 0);
                var _ = wait.get();
            }
        }
    }

    /** If the kernel knows of one who waits for a word of the slot as for a lock. */
    private static boolean isWaitedFor(RawClient client, int slot) {
        boolean waited = false;
        for (int word = 0; word < 4; word++) {
            waited |= client.slots.get(ValueLayout.JAVA_INT, (long) SLOT_BYTES * slot + 4L * word) < 0;
        }
        return waited;
    }
}
