package ayatori.bench.load;

import ayatori.bench.load.PcjTimes.Shared;
import org.pcj.PCJ;

/** By PCJ: each puts an array into a variable of the other, who waits for that. */
final class PcjRally extends Rally {
    private final PcjTimes shared;
    private final int other;
    private byte[] out = {};

    PcjRally(PcjTimes shared, int other) {
        this.shared = shared;
        this.other = other;
    }

    private void put(Object value, Shared variable) {
        var _ = PCJ.asyncPut(value, other, variable);
    }

    private static void await(Shared variable) {
        var _ = PCJ.waitFor(variable);
    }

    /** The next order would take the place of one that has not been read yet. */
    @Override
    void tell() {
        put(order, Shared.order);
        await(Shared.heard);
    }

    @Override
    void hear() {
        await(Shared.order);
        System.arraycopy(shared.order, 0, order, 0, order.length);
        put(true, Shared.heard);
    }

    @Override
    void size(int bytes) {
        out = new byte[bytes];
    }

    @Override
    void begin(int times) {
        for (int i = 0; i < times; i++) {
            put(out, Shared.message);
            await(Shared.message);
        }
    }

    @Override
    void answer(int times) {
        for (int i = 0; i < times; i++) {
            await(Shared.message);
            put(out, Shared.message);
        }
    }

    @Override
    void write(int seed) {
        fill(out, seed);
    }

    @Override
    boolean isRead(int seed) {
        return shared.message.length == out.length && isFilled(shared.message, seed);
    }
}
