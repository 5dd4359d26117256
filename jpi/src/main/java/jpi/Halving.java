package jpi;

/**
 * A reduction of which each rank does a part (Rabenseifner): it swaps one half of the values with the rank at distance 1, a quarter with
 * the one at distance 2, and so on, and goes on with what it has reduced. Then the parts are gathered.
 */
final class Halving {
    private final Exchange exchange;
    private final Values.OfBuffers values;
    private final Doubling doubling;
    /** What this rank goes on with: at first what it gives, after the first step what it has reduced. */
    private JBuffer current;
    /** For the result; in between for what this rank has reduced. */
    private final JBuffer held;

    Halving(Values.OfBuffers values, JBuffer send) {
        exchange = values.exchange;
        this.values = values;
        doubling = Doubling.of(exchange);
        held = values.result();
        current = values.given(send);
    }

    /** Part of each participant: from {@code low} to before {@code high}. */
    private JBuffer part(JBuffer buffer, int low, int high) {
        int start = start(low);
        return buffer.slice(start, start(high) - start);
    }

    private int start(int part) {
        return (int) ((long) held.count() * part / doubling.count());
    }

    private void joinNeighbours() {
        if (!doubling.takesPart()) {
            exchange.send(current, exchange.me() + 1);
        } else if (doubling.speaksForTwo()) {
            current = values.fold(values.startResult(current), values.receive(exchange.me() - 1), true);
        }
    }

    /** The result comes to all ranks. */
    void toAll() {
        joinNeighbours();
        if (!doubling.takesPart()) {
            exchange.receive(held, exchange.me() + 1);
            return;
        }
        halve(1, 0, doubling.count(), true);
        if (doubling.speaksForTwo()) {
            exchange.send(held, exchange.me() - 1);
        }
    }

    /** The result comes to one rank. */
    void toOne(int root) {
        joinNeighbours();
        if (doubling.takesPart()) {
            halve(1, 0, doubling.count(), false);
        }
        Exchange.Batch batch = exchange.new Batch();
        if (exchange.me() == root) {
            for (int i = 0; i < doubling.count(); i++) {
                if (i != doubling.me()) {
                    batch.expect(part(held, partOf(i), partOf(i) + 1), doubling.rank(i));
                }
            }
        } else if (doubling.takesPart()) {
            batch.begin(part(held, partOf(doubling.me()), partOf(doubling.me()) + 1), root);
        }
        batch.finish();
    }

    /** The part that a participant ends with: the first step decides about the largest halves. */
    private int partOf(int participant) {
        int bits = Integer.numberOfTrailingZeros(doubling.count());
        return bits == 0 ? 0 : Integer.reverse(participant) >>> (Integer.SIZE - bits);
    }

    /** Has a range of parts reduced, together with those that have the same range. */
    private void halve(int distance, int low, int high, boolean gather) {
        if (distance == doubling.count()) {
            return;
        }
        int partner = doubling.me() ^ distance;
        int rank = doubling.rank(partner);
        int middle = (low + high) >>> 1;
        boolean lower = doubling.me() < partner;
        int myLow = lower ? low : middle;
        int myHigh = lower ? middle : high;
        JBuffer mine = part(held, myLow, myHigh);
        JBuffer others = lower ? part(held, middle, high) : part(held, low, middle);
        JBuffer given = part(current, myLow, myHigh);
        JBuffer sent = lower ? part(current, middle, high) : part(current, low, middle);
        if (current == held) {
            JBuffer incoming = part(values.incoming(), myLow, myHigh);
            exchange.swap(sent, rank, incoming, rank);
            var _ = values.fold(mine, incoming, !lower);
        } else { // there is nothing yet where the result is to be
            exchange.swap(sent, rank, mine, rank);
            var _ = values.fold(mine, given, lower);
            current = held;
        }
        halve(distance << 1, myLow, myHigh, gather);
        if (gather) {
            exchange.swap(mine, rank, others, rank);
        }
    }
}
