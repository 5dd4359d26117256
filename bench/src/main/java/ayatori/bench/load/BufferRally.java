package ayatori.bench.load;

import java.util.Arrays;
import jpi.JBuffer;
import jpi.JComm;
import org.jspecify.annotations.Nullable;

/** Out of ranges of one array into ranges of another: the same again and again, or all in turn, more than caches hold. */
final class BufferRally extends CommRally {
    /** Of each array. */
    private static final int AREA_BYTES = 64 << 20;

    private static final int MOST_BUFFERS = 4096;
    private static final int ALIGNMENT = 64;
    /** In HotSpot what an array holds begins 16 bytes after the array, and that of a large one with a page: as C has it. */
    private static final int FIRST = 4096 - 16;

    private final byte[] outArea = new byte[FIRST + AREA_BYTES];
    private final byte[] inArea = new byte[FIRST + AREA_BYTES];
    private final boolean varied;
    private int bytes;
    private int step;
    private int count;
    private int next;
    private int last;
    private JBuffer out;
    private JBuffer in;

    BufferRally(JComm comm, @Nullable Line line, boolean varied) {
        super(comm, line);
        this.varied = varied;
    }

    @Override
    void size(int bytes) {
        this.bytes = bytes;
        step = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        count = varied ? Math.min(AREA_BYTES / step, MOST_BUFFERS) : 1;
        next = 0;
        take();
    }

    private int place(int number) {
        return FIRST + number * step;
    }

    private void advance() {
        last = next;
        if (varied) {
            next = next + 1 == count ? 0 : next + 1;
            take();
        }
    }

    private void take() {
        out = JBuffer.of(outArea, place(next), bytes);
        in = JBuffer.of(inArea, place(next), bytes);
    }

    @Override
    void begin(int times) {
        for (int i = 0; i < times; i++) {
            comm.send(out, other, MESSAGES);
            var _ = comm.recv(in, other, MESSAGES);
            advance();
        }
    }

    @Override
    void answer(int times) {
        for (int i = 0; i < times; i++) {
            var _ = comm.recv(in, other, MESSAGES);
            comm.send(out, other, MESSAGES);
            advance();
        }
    }

    @Override
    void write(int seed) {
        byte[] contents = new byte[bytes];
        fill(contents, seed);
        System.arraycopy(contents, 0, outArea, place(next), bytes);
    }

    @Override
    boolean isRead(int seed) {
        return isFilled(Arrays.copyOfRange(inArea, place(last), place(last) + bytes), seed);
    }
}
