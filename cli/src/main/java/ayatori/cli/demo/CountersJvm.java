package ayatori.cli.demo;

import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The counting JVM of one run: a process pinned to its CPUs from its first instruction, ended at the latest by close. */
final class CountersJvm implements AutoCloseable {
    private static final String MAIN = "ayatori.load.counters.Counters";
    private static final long POLL_NANOS = 20_000_000;

    final CounterPage page;
    private final Process process;
    private final Path pageFile;
    private final Path output;
    private final Thread reaper;

    private CountersJvm(CounterPage page, Process process, Path pageFile, Path output) {
        this.page = page;
        this.process = process;
        this.pageFile = pageFile;
        this.output = output;
        // On Ctrl-C nothing real-time is left behind.
        this.reaper = Thread.ofPlatform().unstarted(() -> {
            process.destroyForcibly();
            deleteFiles();
        });
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /**
     * Starts the JVM; its threads then wait at the gate.
     *
     * @param arguments for java itself
     * @param cpus where it may run
     * @param priorities Java priority of each thread, ascending
     */
    static CountersJvm start(
            Experiment experiment, List<String> arguments, BitSet cpus, int target, List<Integer> priorities)
            throws IOException {
        // In memory: the write-back of a file on a disk would stop the counting threads with page faults.
        Path memory = Path.of("/dev/shm");
        Path pageFile = Files.isWritable(memory)
                ? Files.createTempFile(memory, "ayatori-counters", null)
                : Files.createTempFile("ayatori-counters", null);
        Path output = Files.createTempFile("ayatori-counters", ".out");
        CounterPage page = CounterPage.create(pageFile, priorities.size());
        List<String> command = new ArrayList<>();
        command.add(experiment.java().command());
        command.addAll(arguments);
        command.addAll(List.of("-cp", experiment.load().toString(), MAIN));
        command.addAll(List.of(pageFile.toString(), Integer.toString(target)));
        priorities.forEach(priority -> command.add(Integer.toString(priority)));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        return new CountersJvm(page, startOn(cpus, builder), pageFile, output);
    }

    /** A process inherits the CPUs of the thread that makes it. */
    private static Process startOn(BitSet cpus, ProcessBuilder builder) throws IOException {
        BitSet before = Sched.getAffinity(0);
        Sched.setAffinity(0, cpus);
        try {
            return builder.start();
        } finally {
            Sched.setAffinity(0, before);
        }
    }

    long pid() {
        return process.pid();
    }

    void awaitReady(long limitNanos) throws IOException, InterruptedException, TimeoutException {
        await(page::ready, () -> {}, limitNanos, "its threads were not ready");
    }

    /** Opens the gate. */
    void open() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Waits until all threads have ended, and calls {@code meanwhile} some times a second. */
    void awaitEnd(Runnable meanwhile, long limitNanos) throws IOException, InterruptedException, TimeoutException {
        await(() -> page.allEnded() != 0, meanwhile, limitNanos, "its threads had not ended");
    }

    private void await(BooleanSupplier condition, Runnable meanwhile, long limitNanos, String otherwise)
            throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + limitNanos;
        while (!condition.getAsBoolean()) {
            meanwhile.run();
            if (!process.isAlive()) {
                throw new IOException("the counting JVM ended with exit code " + process.exitValue() + ": "
                        + String.join(" | ", messages()));
            }
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("the counting JVM was stopped after "
                        + TimeUnit.NANOSECONDS.toSeconds(limitNanos) + " s: " + otherwise);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** What the kernel has for a counting thread now. */
    String scheduling(int thread) throws IOException {
        Sched.Attributes now = Sched.getAttributes(page.nativeId(thread));
        return switch (now.policy()) {
            case Sched.RR -> "RR " + now.priority();
            case Sched.FIFO -> "FIFO " + now.priority();
            default -> "nice " + now.nice();
        };
    }

    /** Lets the JVM end by itself. */
    void release() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    /** What it has printed so far, without HotSpot's note that the agent registers a native method. */
    List<String> messages() throws IOException {
        return Files.readAllLines(output).stream()
                .filter(line -> !line.contains("[jni,resolve]"))
                .filter(line -> !line.isBlank())
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Runtime.getRuntime().removeShutdownHook(reaper);
        } catch (IllegalStateException e) {
            return; // the command is ending, and the reaper runs
        }
        deleteFiles();
    }

    private void deleteFiles() {
        try {
            Files.deleteIfExists(pageFile);
            Files.deleteIfExists(output);
        } catch (IOException e) {
            System.err.println("ayatori: a temporary file stays behind: " + e.getMessage());
        }
    }
}
