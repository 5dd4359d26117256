package jpi;

/** How all ranks wait for each other. */
final class Barrier {
    /** What they say to each other. */
    static final JBuffer NOTHING = JBuffer.of(new byte[0]);

    private Barrier() {}

    static void pass(Exchange exchange) {
        Together together = Together.of(exchange, NOTHING);
        if (together != null) {
            together.barrier();
        } else {
            passByMessages(exchange);
        }
    }

    /** The same as one step of several of an operation. */
    static void passByMessages(Exchange exchange) {
        if (exchange.isCrowded()) {
            throughOne(exchange);
            return;
        }
        int size = exchange.size();
        int me = exchange.me();
        for (int distance = 1; distance < size; distance <<= 1) {
            exchange.swap(NOTHING, (int) (((long) me + distance) % size), NOTHING, (me - distance + size) % size);
        }
    }

    private static void throughOne(Exchange exchange) {
        if (exchange.me() == 0) {
            for (int i = 1; i < exchange.size(); i++) {
                exchange.receive(NOTHING, i);
            }
        } else {
            exchange.send(NOTHING, 0);
        }
        Broadcast.straight(exchange, NOTHING, 0);
    }
}
