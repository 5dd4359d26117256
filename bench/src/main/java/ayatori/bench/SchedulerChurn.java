package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whatever can happen to the scheduler of {@code ayatori aggregate}, at random, on kernels of its own, in QEMU guests: asked is that
 * no thread is lost, the kernel does not throw the scheduler out, and has nothing to complain of.
 */
final class SchedulerChurn implements Measurement {
    private static final List<String> KERNELS = List.of("6.18", "7.2");
    /** Of both together. */
    private static final int SECONDS = 3600;

    private static final int SHORT_SECONDS = 60;
    /** To boot, and to end what runs. */
    private static final int AROUND_SECONDS = 120;

    private static final Pattern PROGRESS =
            Pattern.compile("churn (\\d+) s: (\\d+) actions, .* (\\d+) times, (\\d+) processes; .* (\\d+) s at most");

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        try (Csv csv = bench.folder().csv("churn", "kernel,seed,seconds,actions,loads,processes,longest_wait_s")) {
            for (String kernel : KERNELS) {
                held &= run(kernel, bench.count(SECONDS, SHORT_SECONDS) / KERNELS.size(), System.nanoTime(), csv);
            }
        }
        return held;
    }

    private static boolean run(String kernel, int seconds, long seed, Csv csv)
            throws IOException, InterruptedException {
        Bench.say("kernel %s, %d s of real time, seed %d", kernel, seconds, seed);
        Path built = Bench.root().resolve("native/build/aggregate");
        Process guest = new ProcessBuilder(
                        Bench.root().resolve("native/aggregate/guest/boot").toString(),
                        "-r",
                        "-k",
                        kernel,
                        "-t",
                        "" + (seconds + AROUND_SECONDS),
                        built.resolve("churn").toString(),
                        "" + seconds,
                        "" + seed,
                        Bench.command()
                                .resolve("../../lib/ayatori-aggregate")
                                .normalize()
                                .toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = guest.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Bench.say("  %s", line);
                Matcher progress = PROGRESS.matcher(line);
                if (progress.matches()) {
                    csv.row(
                            kernel,
                            seed,
                            progress.group(1),
                            progress.group(2),
                            progress.group(3),
                            progress.group(4),
                            progress.group(5));
                }
            }
        }
        boolean held = guest.waitFor() == 0;
        Bench.say("  asked: no thread lost, no stall, no ejection, no complaint of the kernel's: %s", Bench.held(held));
        return held;
    }
}
