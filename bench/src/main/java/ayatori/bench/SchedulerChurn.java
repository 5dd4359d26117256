package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

    /** All kernels at the same time: a guest is one thread of this host. */
    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        int seconds = bench.count(SECONDS, SHORT_SECONDS) / KERNELS.size();
        try (Csv csv = bench.folder().csv("churn", "kernel,seed,seconds,actions,loads,processes,longest_wait_s");
                ExecutorService guests = Executors.newFixedThreadPool(KERNELS.size())) {
            List<Callable<Boolean>> runs = KERNELS.stream()
                    .map(kernel ->
                            (Callable<Boolean>) () -> run(kernel, seconds, System.nanoTime(), bench.folder(), csv))
                    .toList();
            boolean held = true;
            for (Future<Boolean> run : guests.invokeAll(runs)) {
                held &= run.get();
            }
            return held;
        } catch (ExecutionException e) {
            throw new IOException("a guest's run ended early", e.getCause());
        }
    }

    private static boolean run(String kernel, int seconds, long seed, RunFolder folder, Csv csv)
            throws IOException, InterruptedException {
        Bench.say("%s: %d s of real time, seed %d", kernel, seconds, seed);
        Path built = Bench.root().resolve("native/build/aggregate");
        Process guest = new ProcessBuilder(
                        Bench.root().resolve("native/aggregate/guest/boot").toString(),
                        "-r",
                        "-k",
                        kernel,
                        "-t",
                        "" + (seconds + AROUND_SECONDS),
                        "-l",
                        folder.file("churn-" + kernel + "-kernel.log").toString(),
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
                Bench.say("%s: %s", kernel, line);
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
        Bench.say(
                "%s: asked: no thread lost, no stall, no ejection, no complaint of the kernel's: %s",
                kernel, Bench.held(held));
        return held;
    }
}
