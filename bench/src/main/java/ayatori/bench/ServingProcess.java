package ayatori.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that serves others until it is closed, and prints a line {@code result,ready,1} from when on it does. */
final class ServingProcess implements AutoCloseable {
    private static final long START_SECONDS = 20;
    private static final long END_SECONDS = 5;

    private final Process process;
    private final Path output;
    /** If it is strace that has been started, and the program by that. */
    private final boolean traced;

    private ServingProcess(Process process, Path output, boolean traced) {
        this.process = process;
        this.output = output;
        this.traced = traced;
    }

    /** Starts it, and does not wait until it serves. */
    static ServingProcess start(List<String> command) throws IOException {
        Path output = Files.createTempFile("ayatori-bench", ".out");
        try {
            return new ServingProcess(
                    Load.start(command, output), output, command.getFirst().equals("strace"));
        } catch (IOException e) {
            Files.delete(output);
            throw e;
        }
    }

    /** Waits until it serves; false: it has ended, or takes too long. */
    boolean awaitReady() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < end) {
            boolean ended = process.waitFor(1, TimeUnit.MILLISECONDS);
            if (Load.outcome(true, 0, output).values("ready", 1).length > 0) {
                return true;
            }
            if (ended) {
                return false;
            }
        }
        return false;
    }

    /** What it has printed so far, as that of a load that has not ended well. */
    Load.Outcome printed() throws IOException {
        return Load.outcome(false, 1, output);
    }

    /** Ends it by SIGTERM, so that it may tidy up; what does not heed that is killed, and so it is if the caller is in a hurry. */
    @Override
    public void close() throws IOException {
        if (traced) { // strace tells of what it has counted once that has ended
            process.descendants().forEach(ProcessHandle::destroy);
        } else {
            process.destroy();
        }
        boolean ended = false;
        try {
            ended = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().onExit().join();
            }
            Files.delete(output);
        }
    }
}
