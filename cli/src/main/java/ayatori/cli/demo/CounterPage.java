package ayatori.cli.demo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The reading side of the page that the counting JVM writes: the twin of ayatori.load.counters.CounterPage, which
 * explains the layout. Any thread may read at any time; a value that is not there yet is 0.
 */
final class CounterPage {
    private static final long MAGIC = 0x3154_4e55_4f43_5941L;
    private static final int HEADER_SIZE = 256;
    private static final int THREAD_SIZE = 512;
    private static final int OPENED_OFFSET = 8;
    private static final int ALL_ENDED_OFFSET = 16;
    private static final int RECORD_OFFSET = 256;
    private static final int STARTED_OFFSET = RECORD_OFFSET;
    private static final int ENDED_OFFSET = RECORD_OFFSET + 8;
    private static final int CPU_OFFSET = RECORD_OFFSET + 16;
    private static final int RUN_DELAY_OFFSET = RECORD_OFFSET + 24;
    private static final int NATIVE_ID_OFFSET = RECORD_OFFSET + 32;
    private static final int SNAPSHOT_OFFSET = RECORD_OFFSET + 64;

    private final ByteBuffer bytes;
    private final int threads;

    private CounterPage(ByteBuffer bytes, int threads) {
        this.bytes = bytes.order(ByteOrder.nativeOrder());
        this.threads = threads;
    }

    /** Makes the file and maps it; the counting JVM maps the same. */
    static CounterPage create(Path file, int threads) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer bytes =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER_SIZE + (long) threads * THREAD_SIZE);
            return new CounterPage(bytes, threads);
        }
    }

    int threads() {
        return threads;
    }

    /** Whether all threads wait at the gate. */
    boolean ready() {
        return bytes.getLong(0) == MAGIC;
    }

    /** When the gate was opened, CLOCK_MONOTONIC nanoseconds, as all times here. */
    long opened() {
        return bytes.getLong(OPENED_OFFSET);
    }

    /** When the counting JVM had seen the last end; from then on the page does not change. */
    long allEnded() {
        return bytes.getLong(ALL_ENDED_OFFSET);
    }

    long counter(int thread) {
        return bytes.getLong(base(thread));
    }

    long started(int thread) {
        return bytes.getLong(base(thread) + STARTED_OFFSET);
    }

    long ended(int thread) {
        return bytes.getLong(base(thread) + ENDED_OFFSET);
    }

    /** Nanoseconds on a CPU between start and end. */
    long cpu(int thread) {
        return bytes.getLong(base(thread) + CPU_OFFSET);
    }

    /** Nanoseconds ready but not on a CPU between start and end. */
    long runDelay(int thread) {
        return bytes.getLong(base(thread) + RUN_DELAY_OFFSET);
    }

    int nativeId(int thread) {
        return (int) bytes.getLong(base(thread) + NATIVE_ID_OFFSET);
    }

    /** Where {@code other}'s counter stood when {@code thread} ended. */
    long snapshot(int thread, int other) {
        return bytes.getLong(base(thread) + SNAPSHOT_OFFSET + 8 * other);
    }

    private int base(int thread) {
        return HEADER_SIZE + thread * THREAD_SIZE;
    }
}
