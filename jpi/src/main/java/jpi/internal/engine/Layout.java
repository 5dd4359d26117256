package jpi.internal.engine;

/**
 * Which ranks live in which worker: consecutive ones together, as evenly as can be.
 *
 * @param ranks of the whole program, at least 1
 * @param workers JVMs, 1 to {@code ranks}
 * @param worker this JVM, from 0
 */
public record Layout(int ranks, int workers, int worker) {
    /** Checks. */
    public Layout {
        if (workers < 1 || ranks < workers || worker < 0 || worker >= workers) {
            throw new IllegalArgumentException(ranks + " ranks, " + workers + " workers, this is " + worker);
        }
    }

    /** The first rank of a worker; of one more than there are: the number of ranks. */
    public int first(int someWorker) {
        return (int) ((long) someWorker * ranks / workers);
    }

    /** How many ranks a worker has. */
    public int count(int someWorker) {
        return first(someWorker + 1) - first(someWorker);
    }

    /** The worker in which a rank lives. */
    public int workerOf(int rank) {
        return (int) ((((long) rank + 1) * workers - 1) / ranks);
    }
}
