package ayatori.load.counters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** What the kernel has on account for the calling thread: /proc/thread-self/schedstat, see proc(5). */
final class Account {
    private static final Path SELF = Paths.get("/proc/thread-self");

    /** Nanoseconds on a CPU since the thread was born. */
    final long cpuNanos;
    /** Nanoseconds ready to run, but waiting for a CPU. */
    final long runDelayNanos;

    private Account(long cpuNanos, long runDelayNanos) {
        this.cpuNanos = cpuNanos;
        this.runDelayNanos = runDelayNanos;
    }

    static Account read() {
        try {
            byte[] line = Files.readAllBytes(SELF.resolve("schedstat"));
            String[] fields = new String(line, StandardCharsets.US_ASCII).trim().split(" ");
            return new Account(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the kernel's id of the calling thread */
    static long nativeId() {
        try {
            return Long.parseLong(Files.readSymbolicLink(SELF).getFileName().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
