package ayatori.bench.load;

import ayatori.bench.load.Bursts.Timing;

/**
 * Two processes or threads send each other messages in turn, in bursts. One leads: it orders what comes next, so that the other
 * knows how many messages to expect. Does what {@code bench/src/main/c/message_pingpong.c} does, step by step. The loops over
 * messages are the subclasses' own, so that the compiler takes none for another's.
 */
abstract class Rally {
    // What comes next; the second word says how many, or a seed.
    private static final int END = 0;
    private static final int SIZE = 1;
    private static final int BURST = 2;
    private static final int CHECK = 3;
    private static final int LINE = 4;

    private static final int BURSTS_BETWEEN_CHECKS = 16;
    /** Of the time for a size, in the warm-up. */
    static final int WARM_UP_PART = 10;

    /** What comes next. */
    final int[] order = new int[2];

    private int bursts;

    /** Sends the order to the other, by the one who leads. */
    abstract void tell();

    /** Waits for an order, by the other. */
    abstract void hear();

    /** From now on messages are of this size. */
    abstract void size(int bytes);

    /** Sends a message and receives one, so many times. */
    abstract void begin(int times);

    /** Receives a message and sends one, so many times. */
    abstract void answer(int times);

    /** Makes the next message one that differs from those before. */
    abstract void write(int seed);

    /** If the message that was received last is what the other has written with this seed. */
    abstract boolean isRead(int seed);

    /** What a {@link Line} takes, by both at the same time; NaN: that is not measured. */
    double lineNanos() {
        return Double.NaN;
    }

    /** Where results go. */
    @FunctionalInterface
    interface Results {
        void add(int bytes, Timing timing, double lineNanos);
    }

    /**
     * By the one who leads.
     *
     * @param warmUpNanos goes through all sizes again and again before, at least once, for about so long
     */
    void lead(int[] sizes, long budgetNanos, long warmUpNanos, Results results) {
        long warm = System.nanoTime() + warmUpNanos;
        do {
            for (int bytes : sizes) {
                var _ = time(bytes, budgetNanos / WARM_UP_PART);
                var _ = line();
            }
        } while (System.nanoTime() < warm);
        for (int bytes : sizes) {
            Line.Beside<Timing> result = Line.beside(this::line, () -> time(bytes, budgetNanos));
            results.add(bytes, result.measured(), result.nanos());
        }
        order(END, 0);
    }

    private double line() {
        order(LINE, 0);
        return lineNanos();
    }

    private Timing time(int bytes, long budgetNanos) {
        order(SIZE, bytes);
        size(bytes);
        bursts = 0;
        return Bursts.time(budgetNanos, this::burst).dividedBy(2);
    }

    private long burst(int times) {
        if (bursts++ % BURSTS_BETWEEN_CHECKS == 0) {
            order(CHECK, bursts);
            check(true, bursts);
        }
        order(BURST, times);
        long start = System.nanoTime();
        begin(times);
        return System.nanoTime() - start;
    }

    private void order(int what, int number) {
        order[0] = what;
        order[1] = number;
        tell();
    }

    /** By the other. */
    void follow() {
        while (true) {
            hear();
            switch (order[0]) {
                case SIZE -> size(order[1]);
                case BURST -> answer(order[1]);
                case CHECK -> check(false, order[1]);
                case LINE -> {
                    var _ = lineNanos();
                }
                default -> {
                    return;
                }
            }
        }
    }

    private void check(boolean leads, int seed) {
        write(leads ? seed : seed + 1);
        if (leads) {
            begin(1);
        } else {
            answer(1);
        }
        if (!isRead(leads ? seed + 1 : seed)) {
            throw new IllegalStateException(
                    (leads ? "who leads" : "who follows") + " received something else than was sent");
        }
    }

    /** Contents of a message. */
    static void fill(byte[] array, int seed) {
        for (int i = 0; i < array.length; i++) {
            array[i] = (byte) (seed + i);
        }
    }

    /** If they are. */
    static boolean isFilled(byte[] array, int seed) {
        boolean good = true;
        for (int i = 0; i < array.length; i++) {
            good &= array[i] == (byte) (seed + i);
        }
        return good;
    }
}
