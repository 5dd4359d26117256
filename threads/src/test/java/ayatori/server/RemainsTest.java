package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.internal.inheritance.Inheritance;
import ayatori.sched.Waiting;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left of clients is given back in order, and of one client whatever another one's takes. */
@Timeout(60)
class RemainsTest {
    private final Queue<String> given = new ConcurrentLinkedQueue<>();

    @Test
    void whatIsStuckHoldsUpWhatIsTheSameClientsOnly() {
        CountDownLatch stuck = new CountDownLatch(1);
        Remains one = new Remains();
        one.giveBack(() -> Inheritance.awaitUninterruptibly(stuck));
        one.giveBack(() -> given.add("last"));
        Remains other = new Remains();
        other.giveBack(() -> given.add("first"));
        Waiting.until("the other's", () -> other.size() == 0);
        assertEquals(List.of("first"), List.copyOf(given));
        assertEquals(2, one.size());
        stuck.countDown();
        Waiting.until("all", () -> one.size() == 0);
        assertEquals(List.of("first", "last"), List.copyOf(given));
    }

    /** As Thread::start says it. */
    @Test
    void whereNoThreadCanBeMadeThereIsOne() {
        Remains remains = new Remains(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        remains.giveBack(() -> given.add("part"));
        Waiting.until("given back", () -> remains.size() == 0);
        assertEquals(List.of("part"), List.copyOf(given));
    }
}
