package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabelledLinesTest {
    private final ByteArrayOutputStream target = new ByteArrayOutputStream();
    private final LabelledLines lines = new LabelledLines(target);
    private final PrintStream out = lines.printStream(UTF_8);

    private static void asRank(int rank, Runnable body) throws InterruptedException {
        Thread.ofPlatform()
                .start(() -> {
                    LabelledLines.printFor(rank);
                    body.run();
                })
                .join();
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachLineHasTheRankThatPrintedIt() throws InterruptedException {
        asRank(3, () -> out.print("ä\n\nb\n"));
        asRank(12, () -> out.println(4));
        out.println("of no rank");
        assertEquals("[3] ä\n[3] \n[3] b\n[12] 4\nof no rank\n", target.toString(UTF_8));
    }

    @Test
    void unfinishedLinesOfRanksDoNotMix() throws InterruptedException {
        asRank(0, () -> out.print("zero "));
        asRank(1, () -> out.print("one "));
        out.print("none ");
        asRank(0, () -> out.println("ends"));
        out.println("ends");
        asRank(1, () -> out.println("ends"));
        assertEquals("[0] zero ends\nnone ends\n[1] one ends\n", target.toString(UTF_8));
    }

    @Test
    void threadsThatARankStartsPrintForIt() throws InterruptedException {
        asRank(5, () -> {
            joined(Thread.ofPlatform().start(() -> out.println("platform")));
            joined(Thread.ofVirtual().start(() -> joined(Thread.ofVirtual().start(() -> out.println("virtual")))));
        });
        assertEquals("[5] platform\n[5] virtual\n", target.toString(UTF_8));
    }

    /** They would come again with each that follows, and be kept for it. */
    @Test
    void linesThatCannotBeWrittenAreGone() throws InterruptedException {
        List<String> tried = new ArrayList<>();
        LabelledLines refused = new LabelledLines(new OutputStream() {
            @Override
            public void write(int b) {
                throw new UnsupportedOperationException("whole lines are written");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                tried.add(new String(bytes, offset, length, UTF_8));
                throw new IOException("No space left on device");
            }
        });
        PrintStream stream = refused.printStream(UTF_8);
        asRank(2, () -> {
            stream.print("one\n");
            stream.print("two\n");
        });
        refused.finish();
        assertEquals(List.of("[2] one\n", "[2] two\n"), tried);
    }

    @Test
    void theEndFinishesLines() throws InterruptedException {
        asRank(7, () -> out.print("no end"));
        lines.finish();
        lines.finish();
        assertEquals("[7] no end\n", target.toString(UTF_8));
    }
}
