package ayatori.pool;

import java.util.function.BooleanSupplier;

/**
 * Short waits without the kernel: where the other side answers within some microseconds, falling asleep and being woken costs
 * more than the answer. Now and then the CPU is offered to others: the other side may be waiting for just this one.
 */
final class Spin {
    private static final int ROUNDS = 6;
    private static final int LOOKS = 40;

    private Spin() {}

    /** If a condition came true within a short while; pointless on one CPU, where nobody can answer meanwhile. */
    @SuppressWarnings("ThreadPriorityCheck") // to give way, not to come before others
    static boolean until(BooleanSupplier condition) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int look = 0; look < LOOKS; look++) {
                if (condition.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            Thread.yield();
        }
        return condition.getAsBoolean();
    }
}
