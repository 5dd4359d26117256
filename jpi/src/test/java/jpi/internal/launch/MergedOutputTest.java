package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MergedOutputTest {
    /** Longer than a pump reads in vain. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(2500);

    private final ByteArrayOutputStream target = new ByteArrayOutputStream();
    private final List<IOException> troubles = new ArrayList<>();
    private final MergedOutput merged = new MergedOutput(target, troubles::add);

    /** Gives what it has in pieces of random length. */
    private static final class InPieces extends ByteArrayInputStream {
        private final Random random;

        InPieces(byte[] bytes, long seed) {
            super(bytes);
            random = new Random(seed);
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, Math.min(length, 1 + random.nextInt(7)));
        }
    }

    private static void pass(InputStream source, MergedOutput to) {
        new OutputPump(source, to, "pump").pass();
    }

    @Test
    void everyByteComesThrough() {
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        pass(new ByteArrayInputStream(bytes), merged);
        assertArrayEquals(bytes, target.toByteArray());
    }

    @Test
    void linesOfSeveralStayWhole() {
        List<OutputPump> pumps = new ArrayList<>();
        for (char name = 'a'; name < 'e'; name++) {
            String text = (String.valueOf(name).repeat(19) + "\n").repeat(500);
            pumps.add(new OutputPump(new InPieces(text.getBytes(ISO_8859_1), name), merged, "pump-" + name).start());
        }
        while (!pumps.stream().allMatch(OutputPump::isOver)) {
            Thread.onSpinWait();
        }
        List<String> lines = target.toString(ISO_8859_1).lines().toList();
        assertEquals(2000, lines.size());
        Pattern whole = Pattern.compile("([a-d])\\1{18}");
        assertEquals(
                List.of(),
                lines.stream().filter(line -> !whole.matcher(line).matches()).toList());
    }

    @Test
    void theLastLineNeedsNoEnd() {
        pass(new ByteArrayInputStream("one\ntwo".getBytes(ISO_8859_1)), merged);
        assertEquals("one\ntwo", target.toString(ISO_8859_1));
    }

    @Test
    void aLineWithoutEndIsNotHeldForEver() throws IOException {
        byte[] bytes = new byte[3 * OutputPump.LONGEST_LINE];
        List<Integer> heldBack = new ArrayList<>();
        try (InputStream source = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                heldBack.add(pos - target.size());
                return super.read(to, offset, length);
            }
        }) {
            pass(source, merged);
        }
        assertEquals(bytes.length, target.size());
        assertEquals(
                List.of(),
                heldBack.stream().filter(held -> held > OutputPump.LONGEST_LINE).toList());
    }

    @Test
    void whoCannotWriteIsToldAndTheSourceIsReadToItsEnd() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayInputStream source =
                new ByteArrayInputStream("one\ntwo\n".repeat(10_000).getBytes(ISO_8859_1));
        pass(source, new MergedOutput(closed, troubles::add));
        assertEquals(0, source.available());
        assertEquals("Broken pipe", troubles.getFirst().getMessage());
    }

    @Test
    void whoReadsTheOutputMayTakeItsTime() {
        CountDownLatch reads = new CountDownLatch(1);
        OutputStream slow = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                try {
                    reads.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                target.write(b);
            }
        };
        byte[] text = "one\ntwo\n".getBytes(ISO_8859_1);
        OutputPump pump =
                new OutputPump(new ByteArrayInputStream(text), new MergedOutput(slow, troubles::add), "pump").start();
        for (long end = System.nanoTime() + LONG_NANOS; System.nanoTime() < end; ) {
            assertFalse(pump.isOver());
            Thread.onSpinWait();
        }
        reads.countDown();
        while (!pump.isOver()) {
            Thread.onSpinWait();
        }
        assertArrayEquals(text, target.toByteArray());
    }

    @Test
    void aStreamThatAnotherProcessKeepsOpenIsNotWaitedForForEver() throws IOException {
        try (PipedOutputStream process = new PipedOutputStream();
                InputStream source = new PipedInputStream(process)) {
            process.write("one\n".getBytes(ISO_8859_1));
            OutputPump pump = new OutputPump(source, merged, "pump").start();
            while (!pump.isOver()) {
                Thread.onSpinWait();
            }
            assertEquals("one\n", target.toString(ISO_8859_1));
        }
    }
}
