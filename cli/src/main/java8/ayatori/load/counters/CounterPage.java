package ayatori.load.counters;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The file that the counting JVM and the command that watches it both map (its reader there is
 * ayatori.cli.demo.CounterPage, compared with this one by CounterPageTwinTest): the watcher sees every counter without a
 * system call, a lock or a thread inside the JVM under test, also while real-time threads hold that JVM's CPU.
 *
 * <pre>
 *   0             256                                                256 + threads * 512
 *   +-------------+------------------------+------------------------+ …
 *   | header      | thread 0               | thread 1               |
 *   +-------------+------------------------+------------------------+ …
 *                 | counter | pad to 256   |
 *                 |  + 256: record         |
 * </pre>
 *
 * All fields are 8-byte signed integers in the machine's byte order, 8-byte aligned, so that each is written and read
 * in one piece. A thread's counter has its cache lines to itself: no false sharing between the threads. Times are
 * {@link System#nanoTime()} of the counting JVM, which on Linux is CLOCK_MONOTONIC in every process.
 */
public final class CounterPage {
    /** "AYCOUNT1" in little-endian memory, also the version of this layout. */
    public static final long MAGIC = 0x3154_4e55_4f43_5941L;

    static final int HEADER_SIZE = 256;
    static final int THREAD_SIZE = 512;

    private static final int MAGIC_OFFSET = 0;
    private static final int OPENED_OFFSET = 8;
    private static final int ALL_ENDED_OFFSET = 16;
    private static final int COUNTER_OFFSET = 0;
    private static final int RECORD_OFFSET = 256;
    private static final int STARTED_OFFSET = RECORD_OFFSET;
    private static final int ENDED_OFFSET = RECORD_OFFSET + 8;
    private static final int CPU_OFFSET = RECORD_OFFSET + 16;
    private static final int RUN_DELAY_OFFSET = RECORD_OFFSET + 24;
    private static final int NATIVE_ID_OFFSET = RECORD_OFFSET + 32;
    private static final int SNAPSHOT_OFFSET = RECORD_OFFSET + 64;

    private final ByteBuffer bytes;
    private final int threads;

    /** @param bytes at least {@link #size} bytes; its byte order is set to the machine's */
    public CounterPage(ByteBuffer bytes, int threads) {
        this.bytes = bytes.order(ByteOrder.nativeOrder());
        this.threads = threads;
    }

    /** @return bytes that a page for so many threads needs */
    public static int size(int threads) {
        return HEADER_SIZE + threads * THREAD_SIZE;
    }

    /** Written by the counting JVM when all its threads wait at the gate. */
    public void setMagic() {
        bytes.putLong(MAGIC_OFFSET, MAGIC);
    }

    /** @param nanos when the start gate was opened; 0 until then */
    public void setOpened(long nanos) {
        bytes.putLong(OPENED_OFFSET, nanos);
    }

    /** @param nanos when the last thread's end had been seen; 0 until then */
    public void setAllEnded(long nanos) {
        bytes.putLong(ALL_ENDED_OFFSET, nanos);
    }

    public void setCounter(int thread, long count) {
        bytes.putLong(base(thread) + COUNTER_OFFSET, count);
    }

    public long counter(int thread) {
        return bytes.getLong(base(thread) + COUNTER_OFFSET);
    }

    public void setStarted(int thread, long nanos) {
        bytes.putLong(base(thread) + STARTED_OFFSET, nanos);
    }

    public void setEnded(int thread, long nanos) {
        bytes.putLong(base(thread) + ENDED_OFFSET, nanos);
    }

    /**
     * @param cpuNanos time on a CPU between start and end
     * @param runDelayNanos time ready but not on a CPU between start and end
     */
    public void setAccount(int thread, long cpuNanos, long runDelayNanos) {
        bytes.putLong(base(thread) + CPU_OFFSET, cpuNanos);
        bytes.putLong(base(thread) + RUN_DELAY_OFFSET, runDelayNanos);
    }

    public void setNativeId(int thread, long id) {
        bytes.putLong(base(thread) + NATIVE_ID_OFFSET, id);
    }

    /** @return 0 until the thread has said it */
    public long nativeId(int thread) {
        return bytes.getLong(base(thread) + NATIVE_ID_OFFSET);
    }

    /** Keeps where every thread's counter stands at the moment at which {@code thread} ends. */
    public void takeSnapshot(int thread) {
        for (int other = 0; other < threads; other++) {
            bytes.putLong(base(thread) + SNAPSHOT_OFFSET + 8 * other, counter(other));
        }
    }

    private int base(int thread) {
        return HEADER_SIZE + thread * THREAD_SIZE;
    }
}
