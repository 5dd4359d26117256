package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLadder.Policy;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A long run of the load Churn under each policy at once, and in a JVM to which policies and rules are applied and restored at random,
 * on each JDK: no crash, every thread at the end where the ladder says by the kernel's own account, and memory and
 * descriptors flat.
 */
final class Soak implements Measurement {
    private static final int SECONDS = 600;
    private static final int SHORT_SECONDS = 15;
    private static final long GRACE_SECONDS = 60;
    private static final long JSTACK_SECONDS = 30;
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int MIN_SAMPLES = 6;
    /** Compiled code, class data and arenas go on growing slowly on the stock JVM too. */
    private static final double GROWTH = 1.05;

    private static final double GROWTH_KB = 8 << 10;
    private static final double DESCRIPTORS = 3;

    /** @param applied it is started without the agent */
    private record Setting(Policy policy, String collector, boolean applied) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting(Policy.MIXED, "G1", false),
            new Setting(Policy.STATIC, "Parallel", false),
            new Setting(Policy.STATIC, "Serial", true));

    /** @param policies what is applied to it meanwhile, and how often; null if it has the agent from its start */
    private record Running(
            Jdk jdk,
            Setting setting,
            Path output,
            Process process,
            @Nullable FutureTask<Integer> policies) {
        String label() {
            return "JDK " + jdk.label() + " " + (setting.applied() ? "APPLIED" : setting.policy()) + " "
                    + setting.collector();
        }
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        int seconds = bench.count(SECONDS, SHORT_SECONDS);
        boolean held = true;
        try (Csv csv = bench.folder()
                .csv("soak", "jdk,policy,collector,sample,births,resident_kb,malloc_kb,descriptors,non_heap_kb")) {
            for (Jdk jdk : bench.jdks()) {
                held &= run(jdk, csv, seconds, bench.folder());
            }
        }
        return held;
    }

    /** All settings at once. One JDK after the other: on few CPUs the storms of four JVMs leave the last ones nothing. */
    private static boolean run(Jdk jdk, Csv csv, int seconds, RunFolder folder)
            throws IOException, InterruptedException {
        List<Running> all = new ArrayList<>();
        boolean held = true;
        try {
            for (Setting setting : SETTINGS) {
                all.add(start(jdk, setting, seconds));
            }
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds + GRACE_SECONDS);
            for (Running running : all) {
                held &= judge(running, csv, limit, folder);
            }
        } finally {
            for (Running running : all) {
                running.process().destroyForcibly().waitFor();
                Files.delete(running.output());
            }
        }
        return held;
    }

    private static Running start(Jdk jdk, Setting setting, int seconds) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "-Xms64m",
                "-Xmx64m",
                "-XX:+AlwaysPreTouch",
                "-XX:ErrorFile=" + Bench.crashFile(),
                "-XX:+Use" + setting.collector() + "GC",
                "-Xss512k"));
        if (jdk.feature() >= 22) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        Load load = Load.of(jdk, "Churn", seconds, 1)
                .withJvm(options.toArray(String[]::new))
                .withAgent(setting.applied() ? null : PolicyChurn.options(setting.policy()));
        Path output = Files.createTempFile("ayatori-bench", ".out");
        Process process = load.start(output);
        return new Running(
                jdk,
                setting,
                output,
                process,
                setting.applied() ? applyAtRandom(process.pid(), output, seconds) : null);
    }

    private static FutureTask<Integer> applyAtRandom(long pid, Path output, int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        FutureTask<Integer> task = new FutureTask<>(() -> {
            while (Files.size(output) == 0 && System.nanoTime() < end) {
                Thread.sleep(100); // until the JVM is up
            }
            try (PolicyChurn churn = new PolicyChurn(pid, 1)) {
                while (System.nanoTime() < end) {
                    churn.step();
                }
                return churn.count();
            }
        });
        Thread.ofPlatform().daemon().name("policies").start(task);
        return task;
    }

    private static boolean judge(Running running, Csv csv, long limit, RunFolder folder)
            throws IOException, InterruptedException {
        Load.Outcome outcome = Load.outcome(true, 0, running.output());
        while (outcome.values("counts", 1).length == 0 && running.process().isAlive() && System.nanoTime() < limit) {
            Thread.sleep(200);
            outcome = Load.outcome(true, 0, running.output());
        }
        if (outcome.values("counts", 1).length == 0) {
            boolean alive = running.process().isAlive();
            Bench.say(
                    "%s: %s",
                    running.label(),
                    alive ? "hung" : "died, exit code " + running.process().exitValue());
            outcome.messages().stream().limit(20).forEach(line -> Bench.say("  %s", line));
            if (alive) {
                keepThreads(running, folder);
            }
            return false;
        }
        keep(running, csv, outcome);
        if (running.policies() != null) {
            Bench.say("%s: applied or restored %d times", running.label(), timesApplied(running.policies()));
            PolicyChurn.apply(
                    running.process().pid(),
                    PolicyChurn.options(running.setting().policy()));
        }
        List<String> wrong = wrongLevels(running, outcome);
        if (running.policies() != null) {
            PolicyChurn.apply(running.process().pid(), PolicyChurn.RESTORE);
            wrong.addAll(elsewhere(running.process().pid()));
        }
        running.process().getOutputStream().close();
        boolean ended = running.process().waitFor(10, TimeUnit.SECONDS)
                && running.process().exitValue() == 0;
        boolean residentFlat = isFlat(running, outcome, 2, "resident KB", GROWTH, GROWTH_KB);
        boolean mallocFlat = isFlat(running, outcome, 3, "malloc KB", GROWTH, GROWTH_KB / 2);
        boolean descriptorsFlat = isFlat(running, outcome, 4, "descriptors", 1, DESCRIPTORS);
        boolean flat = residentFlat && mallocFlat && descriptorsFlat;
        double misborn = outcome.value("counts", 6);
        boolean good = ended
                && wrong.isEmpty()
                && flat
                && misborn == 0
                && outcome.messages().stream().noneMatch(line -> line.startsWith("ayatori:"));
        Bench.say(
                "%s: %.0f starts, %.0f setPriority, %.0f collections, %.0f processes (%.0f not born as launched), %.0f threads "
                        + "attached; %d threads at the end, %d not where the ladder says; %s; %s",
                running.label(),
                outcome.value("counts", 1),
                outcome.value("counts", 2),
                outcome.value("counts", 3),
                outcome.value("counts", 4),
                misborn,
                outcome.value("counts", 5),
                outcome.values("thread", 2).length,
                wrong.size(),
                ended ? "ended well" : "did not end well",
                Bench.held(good));
        wrong.forEach(line -> Bench.say("  %s", line));
        outcome.messages().forEach(line -> Bench.say("  %s", line));
        return good;
    }

    private static int timesApplied(FutureTask<Integer> policies) throws IOException, InterruptedException {
        try {
            return policies.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** What hangs is killed, and then nobody can look any more. */
    private static void keepThreads(Running running, RunFolder folder) throws IOException, InterruptedException {
        Path dump = folder.file("hung-" + running.label().replace(' ', '-') + ".txt");
        Process jstack = new ProcessBuilder(
                        running.jdk().home().resolve("bin/jstack").toString(),
                        Long.toString(running.process().pid()))
                .redirectErrorStream(true)
                .redirectOutput(dump.toFile())
                .start();
        boolean ended = jstack.waitFor(JSTACK_SECONDS, TimeUnit.SECONDS);
        jstack.destroyForcibly();
        Bench.say("  its threads: %s%s", dump, ended ? "" : ", cut off: it does not answer jstack");
    }

    private static void keep(Running running, Csv csv, Load.Outcome outcome) throws IOException {
        int sample = 0;
        for (List<String> fields : outcome.results()) {
            if (fields.get(0).equals("sample")) {
                csv.row(
                        running.jdk().version(),
                        running.setting().policy(),
                        running.setting().collector(),
                        sample++,
                        fields.get(1),
                        fields.get(2),
                        fields.get(3),
                        fields.get(4),
                        fields.get(5));
            }
        }
    }

    /** What a thread was raised to for a moment may still be about to be taken back. */
    private static List<String> wrongLevels(Running running, Load.Outcome outcome) throws InterruptedException {
        LevelCheck check = new LevelCheck(
                running.process().pid(), PriorityLadder.of(running.setting().policy()), outcome.results());
        long end = System.nanoTime() + SETTLE_NANOS;
        List<String> wrong = check.wrong();
        while (!wrong.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(50);
            wrong = check.wrong();
        }
        return wrong;
    }

    /** Who is not where an ordinary launch puts it. */
    private static List<String> elsewhere(long pid) {
        return LinuxThread.ofProcess((int) pid).stream()
                .filter(thread -> !thread.get().equals(SchedulingParameters.other(0)))
                .map(thread -> "thread " + thread.id() + " \"" + thread.name() + "\": restored to " + thread.get())
                .toList();
    }

    /** The last third against the first third of the samples; the first tenth is warm-up. */
    private static boolean isFlat(
            Running running, Load.Outcome outcome, int column, String what, double factor, double addend) {
        double[] all = outcome.values("sample", column);
        double[] values = Arrays.copyOfRange(all, all.length / 10, all.length);
        if (values.length < MIN_SAMPLES || values[0] < 0) {
            return values.length >= MIN_SAMPLES;
        }
        double first = Statistics.median(Arrays.copyOf(values, values.length / 3));
        double last = Statistics.median(Arrays.copyOfRange(values, values.length * 2 / 3, values.length));
        boolean flat = last <= first * factor + addend;
        Bench.say(
                "%s: %s: first third %.0f, last third %.0f %s",
                running.label(), what, first, last, flat ? "flat" : "GREW");
        return flat;
    }
}
