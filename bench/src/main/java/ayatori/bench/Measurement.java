package ayatori.bench;

import java.io.IOException;

/** One of the words that bench/run takes. */
@FunctionalInterface
interface Measurement {
    /**
     * Measures, prints both sides and the ratio, and keeps the raw results.
     *
     * @return whether what was asked is held
     */
    boolean run(Bench bench) throws IOException, InterruptedException;
}
