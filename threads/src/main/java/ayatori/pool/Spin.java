package ayatori.pool;

/**
 * Short waits without the kernel: where the other side answers within a microsecond, falling asleep and being woken costs
 * more than the answer.
 */
final class Spin {
    /** On one CPU nobody can answer while we spin. */
    static final boolean WORTHWHILE = Runtime.getRuntime().availableProcessors() > 1;

    private static final int GET_SPINS = Integer.getInteger("ayatori.pool.getSpins", 200);

    private Spin() {}

    /** If the task was done within a short while. */
    static boolean untilDone(TaskFuture<?> task) {
        if (!WORTHWHILE) {
            return false;
        }
        for (int i = 0; i < GET_SPINS; i++) {
            Thread.onSpinWait();
            if (task.isDone()) {
                return true;
            }
        }
        return false;
    }
}
