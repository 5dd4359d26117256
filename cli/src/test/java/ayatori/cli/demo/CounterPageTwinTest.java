package ayatori.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the load's CounterPage writes is what the command's reads. */
class CounterPageTwinTest {
    private static final int THREADS = 3;
    private static final Path LOAD_CLASSES = Path.of("target", "load-classes");

    @Test
    void eachFieldIsReadWhereItWasWritten(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("page");
        CounterPage reader = CounterPage.create(file, THREADS);
        assertFalse(reader.ready());
        URI classes = URI.create(
                LOAD_CLASSES.toUri() + (LOAD_CLASSES.toUri().toString().endsWith("/") ? "" : "/"));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                URLClassLoader loader = new URLClassLoader(new URL[] {classes.toURL()}, null)) {
            Class<?> type = loader.loadClass("ayatori.load.counters.CounterPage");
            int size = (int) type.getMethod("size", int.class).invoke(null, THREADS);
            assertEquals(channel.size(), size);
            Object writer = type.getConstructor(ByteBuffer.class, int.class)
                    .newInstance(channel.map(FileChannel.MapMode.READ_WRITE, 0, size), THREADS);
            type.getMethod("setMagic").invoke(writer);
            type.getMethod("setOpened", long.class).invoke(writer, 11L);
            type.getMethod("setAllEnded", long.class).invoke(writer, 12L);
            for (int thread = 0; thread < THREADS; thread++) {
                type.getMethod("setCounter", int.class, long.class).invoke(writer, thread, 100L + thread);
                type.getMethod("setStarted", int.class, long.class).invoke(writer, thread, 200L + thread);
                type.getMethod("setEnded", int.class, long.class).invoke(writer, thread, 300L + thread);
                type.getMethod("setAccount", int.class, long.class, long.class)
                        .invoke(writer, thread, 400L + thread, 500L + thread);
                type.getMethod("setNativeId", int.class, long.class).invoke(writer, thread, 600L + thread);
            }
            type.getMethod("takeSnapshot", int.class).invoke(writer, 1);
        }
        assertTrue(reader.ready());
        assertEquals(11, reader.opened());
        assertEquals(12, reader.allEnded());
        for (int thread = 0; thread < THREADS; thread++) {
            assertEquals(100 + thread, reader.counter(thread));
            assertEquals(200 + thread, reader.started(thread));
            assertEquals(300 + thread, reader.ended(thread));
            assertEquals(400 + thread, reader.cpu(thread));
            assertEquals(500 + thread, reader.runDelay(thread));
            assertEquals(600 + thread, reader.nativeId(thread));
            assertEquals(100 + thread, reader.snapshot(1, thread));
            assertEquals(0, reader.snapshot(2, thread));
        }
    }
}
