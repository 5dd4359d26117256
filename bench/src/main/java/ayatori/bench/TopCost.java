package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What {@code ayatori top} takes of a CPU at one sample a second while it shows a JVM of 500 threads, with the agent and
 * without: user and system time of all its threads, from /proc/PID/stat. Its start (the runtime's, and the first samples)
 * is told apart.
 */
final class TopCost implements Measurement {
    private static final int THREADS = 500;
    private static final double BOUND = 0.01;
    /** USER_HZ: the unit of /proc/PID/stat on every architecture that there is an archive for. */
    private static final double TICKS_A_SECOND = 100;

    private static final long READY_SECONDS = 30;

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Path command = Bench.command();
        boolean held = true;
        Bench.say(
                "ayatori top on a JVM of %d threads, one sample a second; asked: < %.0f %% of a CPU",
                THREADS, BOUND * 100);
        try (Csv csv =
                bench.folder().csv("top", "jdk,agent,every_tenth_wakes_each_ms,start_cpu_s,seconds,cpu_s,share")) {
            for (int millis : new int[] {0, 100}) {
                held &= measure(bench, csv, command, true, millis);
            }
            held &= measure(bench, csv, command, false, 0);
        }
        return held;
    }

    private static boolean measure(Bench bench, Csv csv, Path command, boolean agent, int millis)
            throws IOException, InterruptedException {
        Jdk jdk = bench.newest();
        Load load = Load.of(jdk, "Sleepers", THREADS, millis)
                .withJvm("-Xmx64m", "-XX:+UseSerialGC")
                .withAgent(agent ? "policy=mixed" : null);
        Path output = Files.createTempFile("ayatori-bench", ".out");
        Process target = load.start(output);
        try {
            awaitReady(target, output);
            return measure(bench, csv, command, agent, millis, target.pid());
        } finally {
            target.destroyForcibly().waitFor();
            Files.delete(output);
        }
    }

    private static void awaitReady(Process target, Path output) throws IOException, InterruptedException {
        for (int i = 0; i < READY_SECONDS * 10; i++) {
            if (Load.outcome(true, 0, output).values("ready", 1).length > 0) {
                return;
            }
            if (target.waitFor(100, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new IOException("the JVM to look at did not start: " + Files.readString(output));
    }

    private static boolean measure(Bench bench, Csv csv, Path command, boolean agent, int millis, long pid)
            throws IOException, InterruptedException {
        String shell = "stty cols 160 rows 50; exec '" + command + "' top " + pid;
        // script(1) gives it a terminal.
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", shell, "/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TERM", "xterm-256color");
        Process script = builder.start();
        try {
            TimeUnit.SECONDS.sleep(bench.count(20, 3));
            long top = script.descendants()
                    .reduce((first, last) -> last)
                    .orElseThrow(() -> new IOException("top has ended at once"))
                    .pid();
            double start = cpuSeconds(top);
            long begun = System.nanoTime();
            TimeUnit.SECONDS.sleep(bench.count(20, 3));
            double spent = cpuSeconds(top) - start;
            double seconds = (System.nanoTime() - begun) / 1e9;
            double share = spent / seconds;
            script.getOutputStream().write('q');
            script.getOutputStream().flush();
            boolean good = script.waitFor(10, TimeUnit.SECONDS) && script.exitValue() == 0 && share < BOUND;
            csv.row(bench.newest().version(), agent ? "mixed" : "none", millis, start, seconds, spent, share);
            Bench.say(
                    "JDK %s, %s, %s: %.2f %% of a CPU over %.0f s %s; start and the %d s before: %.2f s of CPU time",
                    bench.newest().label(),
                    agent ? "agent" : "no agent",
                    millis == 0 ? "all asleep" : "every tenth wakes each " + millis + " ms",
                    share * 100,
                    seconds,
                    bench.shortened() ? "" : Bench.held(good),
                    bench.count(20, 3),
                    start);
            return good || bench.shortened();
        } finally {
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
        }
    }

    private static double cpuSeconds(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
        List<String> fields = List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
        // utime and stime are the 14th and 15th of proc_pid_stat(5); the first here is the third.
        return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) / TICKS_A_SECOND;
    }
}
