package ayatori.internal.linux;

/**
 * At what priority the kernel queues the reads and writes of a thread where the block device's scheduler heeds that:
 * {@code mq-deadline} heeds the class, {@code bfq} the level too, {@code none} and {@code kyber} neither. It counts from the
 * next read or write on; writes that the page cache makes later have that of whoever writes them back. Thread-safe.
 *
 * @param kind the class
 * @param level 0, the most important, to 7; 0 for {@link Kind#NONE} and {@link Kind#IDLE}, which have no levels
 * @see <a href="https://man7.org/linux/man-pages/man2/ioprio_set.2.html">ioprio_set(2)</a>
 */
public record IoPriority(Kind kind, int level) {
    /** Classes. */
    public enum Kind {
        /** Nothing has been said: as the scheduling policy has it, so that real-time threads read and write as REAL_TIME. */
        NONE(0),
        REAL_TIME(1),
        BEST_EFFORT(2),
        /** When nobody else reads or writes. */
        IDLE(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        private boolean hasLevels() {
            return this == REAL_TIME || this == BEST_EFFORT;
        }

        private static Kind of(int number) {
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw new IllegalStateException("I/O priority class " + number + " of the kernel: none of 0 to 3");
        }
    }

    /** The least important level. */
    public static final int MAX_LEVEL = 7;

    /** IOPRIO_WHO_PROCESS; the name is misleading, the id is a thread's. */
    private static final int WHO_THREAD = 1;

    private static final int KIND_SHIFT = 13;
    private static final int LEVEL_MASK = 7;
    private static final int KIND_MASK = 7;

    /** Refuses what the kernel does not have. */
    public IoPriority {
        int most = kind.hasLevels() ? MAX_LEVEL : 0;
        if (level < 0 || level > most) {
            throw new IllegalArgumentException(
                    "I/O priority level " + level + " of " + kind + ": must be 0 to " + most);
        }
    }

    /**
     * ioprio_set(2) for one thread.
     *
     * @param tid 0: the calling thread
     * @return 0 or {@code -errno}: EPERM for REAL_TIME without CAP_SYS_NICE (before Linux 5.14 CAP_SYS_ADMIN), or for another
     *     user's thread; ESRCH: there is no such thread
     */
    public int set(int tid) {
        return (int) Syscall.call(Syscall.IOPRIO_SET, WHO_THREAD, tid, ((long) kind.number << KIND_SHIFT) | level);
    }

    /**
     * ioprio_get(2) of one thread: what was set, not what follows from its scheduling policy.
     *
     * @param tid 0: the calling thread
     * @throws KernelException ESRCH: there is no such thread
     */
    public static IoPriority get(int tid) throws KernelException {
        long result = Syscall.call(Syscall.IOPRIO_GET, WHO_THREAD, tid, 0);
        if (result < 0) {
            throw new KernelException("ioprio_get of thread " + tid, (int) result);
        }
        Kind kind = Kind.of((int) (result >> KIND_SHIFT) & KIND_MASK);
        // Older kernels put a level beside NONE.
        return new IoPriority(kind, kind.hasLevels() ? (int) result & LEVEL_MASK : 0);
    }
}
