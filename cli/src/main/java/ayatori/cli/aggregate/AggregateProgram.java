package ayatori.cli.aggregate;

import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.cli.Installation;
import ayatori.cli.UserMistake;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** The program ayatori-aggregate, which puts BPF programs into the kernel. */
final class AggregateProgram {
    static final String NAME = "ayatori-aggregate";
    private static final long BETWEEN_SIGNS_MILLIS = 200;

    private AggregateProgram() {}

    /**
     * Runs it to its end. What it says on standard error is passed on.
     *
     * @return what it wrote
     * @throws UserMistake if it did not do what it was told: with what it said last
     */
    static String run(String... words) throws InterruptedException {
        return run(passed -> {}, words);
    }

    /** The same. {@code progress} is told now and then how much time has passed, in nanoseconds. */
    static String run(LongConsumer progress, String... words) throws InterruptedException {
        Path program = Installation.program(NAME);
        List<String> all = new ArrayList<>(List.of(program.toString()));
        all.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(all).start();
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            long begin = System.nanoTime();
            while (!process.waitFor(BETWEEN_SIGNS_MILLIS, TimeUnit.MILLISECONDS)) {
                progress.accept(System.nanoTime() - begin);
            }
            List<String> said = err.join().lines().toList();
            if (process.exitValue() == 0) {
                said.forEach(System.err::println);
                return out.join();
            }
            if (said.isEmpty()) {
                throw new UserMistake(NAME + " ended with " + process.exitValue());
            }
            said.subList(0, said.size() - 1).forEach(System.err::println);
            throw new UserMistake(said.getLast());
        } catch (IOException e) {
            throw new UserMistake(program + " cannot be started (" + e.getMessage() + ")");
        }
    }

    private static CompletableFuture<String> text(InputStream stream) {
        return CompletableFuture.supplyAsync(() -> {
            try (stream) {
                return new String(stream.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
