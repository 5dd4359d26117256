package ayatori.bench.load;

import ayatori.bench.load.Bursts.Timing;
import org.apache.fory.Fory;
import org.apache.fory.config.ForyBuilder;
import org.apache.fory.logging.LoggerFactory;
import org.apache.fory.memory.MemoryBuffer;

/** What Apache Fory takes to encode and decode a record of five fields, with nobody else at work. */
final class RecordTimes {
    private final Fory registered;
    private final Fory named;
    private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1024);
    private Object decoded = "none yet";

    /** The record. */
    record Sample(long time, int sensor, double value, boolean valid, String unit) {}

    /** Where results go. */
    @FunctionalInterface
    interface Results {
        void add(String mode, Timing timing);
    }

    RecordTimes() {
        LoggerFactory.disableLogging();
        registered = Fory.builder().withXlang(false).withCompatible(false).build();
        registered.register(Sample.class);
        ForyBuilder byName = Fory.builder()
                .withXlang(false)
                .withCompatible(false)
                .withRefTracking(true)
                .requireClassRegistration(false)
                .withTypeChecker((_, name) -> name.equals(Sample.class.getName()));
        named = byName.build();
    }

    static Sample sample(int seed) {
        return new Sample(1_790_000_000_000L + seed, seed, 0.5 * seed, true, "kelvin");
    }

    /** About as many as JPI sends: the name of the class, and what the record holds. */
    int encodedBytes() {
        return named.serialize(sample(1)).length;
    }

    /** With the class known by number and no care for identity, Fory's quickest way; and by its name, with identity. */
    void time(long budgetNanos, long warmUpNanos, Results results) {
        Object sample = sample(1);
        Bursts.Burst byNumber = times -> roundTrips(registered, sample, times);
        Bursts.Burst byName = times -> roundTrips(named, sample, times);
        var _ = Bursts.time(warmUpNanos / 4, byNumber);
        var _ = Bursts.time(warmUpNanos / 4, byName);
        results.add("fory", Bursts.time(budgetNanos, byNumber));
        results.add("fory-named", Bursts.time(budgetNanos, byName));
        if (!decoded.equals(sample)) {
            throw new IllegalStateException("Fory made " + decoded + " of " + sample);
        }
    }

    private long roundTrips(Fory fory, Object sample, int times) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            buffer.writerIndex(0);
            fory.serialize(buffer, sample);
            buffer.readerIndex(0);
            decoded = fory.deserialize(buffer);
        }
        return System.nanoTime() - start;
    }
}
