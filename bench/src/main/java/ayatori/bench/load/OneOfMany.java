package ayatori.bench.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A JVM of many that begin the same work at the same moment: {@code VM ready}, {@code VM done TIME_NS CPU_NS}, as {@code all_to_all.erl} of
 * the paper on aggregation has it.
 *
 * @param vm the number of the VM of which this JVM is, or is a part
 * @param gate a file, with which it begins
 */
record OneOfMany(String vm, Path gate) {
    private static final int NAP_MILLIS = 10;

    /** Some work, so many times. */
    @FunctionalInterface
    interface Work {
        void run(int times) throws InterruptedException;
    }

    /**
     * Does it when the others do, and prints how long it took. Once before, so that the classes are there: where files come slowly, it is
     * not their time that is measured.
     */
    void doTogether(Work work, int times) throws InterruptedException {
        work.run(1);
        System.out.println(vm + " ready");
        while (!Files.exists(gate)) {
            Thread.sleep(NAP_MILLIS);
        }
        long before = cpuNanos();
        work.run(times);
        long now = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
        System.out.println(vm + " done " + now + " " + (cpuNanos() - before));
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("this kernel does not say what a process ran"))
                .toNanos();
    }
}
