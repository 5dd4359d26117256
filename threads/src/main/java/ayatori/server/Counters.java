package ayatori.server;

import java.util.concurrent.atomic.LongAdder;

/** What an endpoint counts; the words are those of {@link EndpointStatistics}. Thread-safe. */
final class Counters {
    final LongAdder requests = new LongAdder();
    final LongAdder taken = new LongAdder();
    final LongAdder wakes = new LongAdder();
    final LongAdder wakesSkipped = new LongAdder();
    final LongAdder raises = new LongAdder();
    final LongAdder raisesSkipped = new LongAdder();
    private final LongAdder replyWakes = new LongAdder();
    private final LongAdder replyWakesSkipped = new LongAdder();

    /** A request has got its answer; if somebody had to be woken for that. */
    void answered(boolean woken) {
        (woken ? replyWakes : replyWakesSkipped).increment();
    }

    /** As they are, with what is not counted. */
    EndpointStatistics statistics(String name, int waiting, int servers) {
        return new EndpointStatistics(
                name,
                requests.sum(),
                taken.sum(),
                waiting,
                servers,
                wakes.sum(),
                wakesSkipped.sum(),
                raises.sum(),
                raisesSkipped.sum(),
                replyWakes.sum(),
                replyWakesSkipped.sum());
    }
}
