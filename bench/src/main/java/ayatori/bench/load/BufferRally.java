package ayatori.bench.load;

import jpi.JBuffer;
import jpi.JComm;

/** Out of arrays into arrays that are there: the same again and again, or many in turn, more than caches hold. */
final class BufferRally extends CommRally {
    /** Of varied arrays, for each direction. */
    private static final int AREA_BYTES = 64 << 20;

    private static final int MOST_BUFFERS = 4096;
    private static final int LEAST_STEP = 64;

    private final boolean varied;
    private byte[][] outArrays = {};
    private byte[][] inArrays = {};
    private JBuffer[] out = {};
    private JBuffer[] in = {};
    private int next;
    private int last;

    BufferRally(JComm comm, boolean varied) {
        super(comm);
        this.varied = varied;
    }

    @Override
    void size(int bytes) {
        int count = varied ? Math.min(AREA_BYTES / Math.max(bytes, LEAST_STEP), MOST_BUFFERS) : 1;
        outArrays = new byte[count][bytes];
        inArrays = new byte[count][bytes];
        out = buffers(outArrays);
        in = buffers(inArrays);
        next = 0;
    }

    private static JBuffer[] buffers(byte[][] arrays) {
        JBuffer[] buffers = new JBuffer[arrays.length];
        for (int i = 0; i < arrays.length; i++) {
            buffers[i] = JBuffer.of(arrays[i]);
        }
        return buffers;
    }

    private void advance() {
        last = next;
        next = next + 1 == out.length ? 0 : next + 1;
    }

    @Override
    void begin(int times) {
        for (int i = 0; i < times; i++) {
            comm.send(out[next], other, MESSAGES);
            var _ = comm.recv(in[next], other, MESSAGES);
            advance();
        }
    }

    @Override
    void answer(int times) {
        for (int i = 0; i < times; i++) {
            var _ = comm.recv(in[next], other, MESSAGES);
            comm.send(out[next], other, MESSAGES);
            advance();
        }
    }

    @Override
    void write(int seed) {
        fill(outArrays[next], seed);
    }

    @Override
    boolean isRead(int seed) {
        return isFilled(inArrays[last], seed);
    }
}
