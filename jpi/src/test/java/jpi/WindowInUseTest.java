package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A window that is closed while the JDK, which cannot be disturbed in that, reads into it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WindowInUseTest {
    private static final long LOOK_NANOS = 1_000_000;

    private static long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("jpi-window")).count();
        }
    }

    private static void read(Pipe pipe, ByteBuffer into) {
        try {
            var _ = pipe.source().read(into);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean reads(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(call -> call.getMethodName().equals("read0"));
    }

    @Test
    void itsMemoryGoesLater() {
        Ranks.run(1, handle -> {
            long before = mappings();
            Pipe pipe = Pipe.open();
            JWindow window = handle.COMM_WORLD.window(JType.BYTE, 1);
            ByteBuffer part = window.memory().asByteBuffer();
            Thread reader = Thread.ofPlatform().daemon().start(() -> read(pipe, part));
            while (!reads(reader)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            window.close();
            assertEquals(before + 1, mappings());
            handle.COMM_WORLD.window(JType.BYTE, 1).close();
            assertEquals(before + 1, mappings());
            assertEquals(1, pipe.sink().write(ByteBuffer.allocate(1)));
            reader.join();
            handle.COMM_WORLD.window(JType.BYTE, 1).close();
            assertEquals(before, mappings());
            assertTrue(!part.hasRemaining(), "it has been read");
        });
    }
}
