package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How soon the runaway guard acts, from the first turn of a loop at priority 10 until the kernel has its thread as an
 * ordinary one, and what it takes of a CPU before that: the agent's own thread with the guard and without, beside 200
 * real-time threads and an ordinary one that keeps a CPU busy, so that the guard has to look at them all each time.
 */
final class GuardCost implements Measurement {
    private static final int THREADS = 200;
    private static final int LIMIT = 5;
    private static final double LATEST = 1.2 * LIMIT;
    private static final double COST = 0.001;
    private static final long WAIT_SECONDS = 60;

    private record Run(double share, double acted) {}

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        int seconds = bench.count(20, 2);
        Bench.say(
                "runaway guard with a limit of %d s; asked: acts within %.1f s, costs < %.1f %% of a CPU",
                LIMIT, LATEST, COST * 100);
        try (Csv csv = bench.folder().csv("guard", "jdk,limit_s,cpu_share,acted_s")) {
            for (Jdk jdk : bench.jdks()) {
                Run without = run(jdk, 0, seconds);
                Run with = run(jdk, LIMIT, seconds);
                csv.row(jdk.version(), 0, without.share(), "");
                csv.row(jdk.version(), LIMIT, with.share(), with.acted());
                double cost = with.share() - without.share();
                boolean good = with.acted() <= LATEST && cost < COST;
                held &= bench.shortened() ? with.acted() <= 2 * LATEST : good;
                Bench.say(
                        "JDK %s: acted after %.2f s; %.4f %% of a CPU (the agent's thread %.4f %% with it, %.4f %% without) %s",
                        jdk.label(),
                        with.acted(),
                        cost * 100,
                        with.share() * 100,
                        without.share() * 100,
                        bench.shortened() ? "" : Bench.held(good));
            }
        }
        return held;
    }

    /** Without a limit it is not waited for. */
    private static Run run(Jdk jdk, int limit, int seconds) throws IOException, InterruptedException {
        Load load = Load.of(jdk, "Runaway", THREADS, seconds + 2)
                .withJvm("-Xmx64m", "-XX:+UseSerialGC")
                .withAgent("policy=mixed,runaway-limit=" + limit);
        Path output = Files.createTempFile("ayatori-bench", ".out");
        Process process = load.start(output);
        try {
            await(process, output, "ready");
            LinuxThread agent = thread(process, "ayatori");
            long cpu = agent.statistics().cpuNanos();
            long begun = System.nanoTime();
            TimeUnit.SECONDS.sleep(seconds);
            double share = (double) (agent.statistics().cpuNanos() - cpu) / (System.nanoTime() - begun);
            double acted = Double.NaN;
            if (limit > 0) {
                await(process, output, "loops");
                long looping = System.nanoTime();
                awaitOrdinary(thread(process, "runaway"));
                acted = (System.nanoTime() - looping) / 1e9;
            }
            return new Run(share, acted);
        } finally {
            process.destroyForcibly().waitFor();
            Files.delete(output);
        }
    }

    private static void await(Process process, Path output, String key) throws IOException, InterruptedException {
        for (long i = 0; i < WAIT_SECONDS * 1000; i++) {
            if (Load.outcome(true, 0, output).values(key, 1).length > 0) {
                return;
            }
            if (process.waitFor(1, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new IOException("no \"" + key + "\" from the load: " + Files.readString(output));
    }

    private static LinuxThread thread(Process process, String name) throws IOException {
        Optional<LinuxThread> found = LinuxThread.ofProcess((int) process.pid()).stream()
                .filter(thread -> thread.name().equals(name))
                .findFirst();
        return found.orElseThrow(() -> new IOException("no thread " + name + " in " + process));
    }

    private static void awaitOrdinary(LinuxThread thread) throws IOException, InterruptedException {
        try {
            for (long i = 0; i < WAIT_SECONDS * 1000; i++) {
                if (!thread.get().policy().isRealTime()) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        } catch (SchedulingException e) {
            throw new IOException(e);
        }
        throw new IOException("the guard did not act within " + WAIT_SECONDS + " s");
    }
}
