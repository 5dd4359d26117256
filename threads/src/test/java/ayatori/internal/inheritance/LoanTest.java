package ayatori.internal.inheritance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When work that waits in a queue is put in at another level. */
class LoanTest {
    private final Queued work = new Queued();

    /** Work of priority 2 that nobody takes. */
    private static final class Queued extends Loan {
        /** Where it was put in, and the level that it had then. */
        final List<List<Integer>> raised = new ArrayList<>();

        @Override
        protected int own() {
            return 2;
        }

        @Override
        protected @Nullable Carrier carrier() {
            return null;
        }

        @Override
        protected boolean waits() {
            return true;
        }

        @Override
        protected boolean isDone() {
            return false;
        }

        @Override
        protected void raiseInQueue(int level) {
            raised.add(List.of(level, level()));
        }

        @Override
        protected @Nullable Carrier soonestBelow(int level) {
            return null;
        }
    }

    private Inheritance.Wait await(int priority) throws InterruptedException {
        List<Inheritance.Wait> waits = new ArrayList<>();
        Thread waiter = Thread.ofPlatform()
                .priority(priority)
                .start(() -> waits.add(Inheritance.await(work.own(), () -> work)));
        waiter.join();
        return waits.getFirst();
    }

    @Test
    void itHasRisenBeforeItIsThere() throws Exception {
        await(9).close();
        assertEquals(List.of(List.of(9, 9)), work.raised);
    }

    /** Else who takes work would find it neither where it was nor where it is to be. */
    @Test
    void itIsThereBeforeItFalls() throws Exception {
        Inheritance.Wait nine = await(9);
        Inheritance.Wait eight = await(8);
        nine.close();
        assertEquals(List.of(List.of(9, 9), List.of(8, 9)), work.raised);
        assertEquals(8, work.level());
        eight.close();
        assertEquals(2, work.level());
    }
}
