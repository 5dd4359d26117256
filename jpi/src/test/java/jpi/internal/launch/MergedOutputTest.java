package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MergedOutputTest {
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

    @Test
    void everyByteComesThrough() {
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        merged.pass(new ByteArrayInputStream(bytes));
        assertArrayEquals(bytes, target.toByteArray());
    }

    @Test
    void linesOfSeveralStayWhole() throws InterruptedException {
        List<Thread> pumps = new ArrayList<>();
        for (char name = 'a'; name < 'e'; name++) {
            String text = (String.valueOf(name).repeat(19) + "\n").repeat(500);
            pumps.add(merged.pump(new InPieces(text.getBytes(ISO_8859_1), name), "pump-" + name));
        }
        for (Thread pump : pumps) {
            pump.join();
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
        merged.pass(new ByteArrayInputStream("one\ntwo".getBytes(ISO_8859_1)));
        assertEquals("one\ntwo", target.toString(ISO_8859_1));
    }

    @Test
    void aLineWithoutEndIsNotHeldForEver() throws IOException {
        byte[] bytes = new byte[3 * MergedOutput.LONGEST_LINE];
        List<Integer> heldBack = new ArrayList<>();
        try (InputStream source = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                heldBack.add(pos - target.size());
                return super.read(to, offset, length);
            }
        }) {
            merged.pass(source);
        }
        assertEquals(bytes.length, target.size());
        assertEquals(
                List.of(),
                heldBack.stream()
                        .filter(held -> held > MergedOutput.LONGEST_LINE)
                        .toList());
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
        new MergedOutput(closed, troubles::add).pass(source);
        assertEquals(0, source.available());
        assertEquals("Broken pipe", troubles.getFirst().getMessage());
    }
}
