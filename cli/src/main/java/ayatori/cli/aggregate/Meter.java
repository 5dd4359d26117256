package ayatori.cli.aggregate;

import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.cli.Installation;
import ayatori.cli.UserMistake;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** The program ayatori-aggregate, which puts the meter into the kernel. */
final class Meter {
    static final String PROGRAM = "ayatori-aggregate";
    private static final long BETWEEN_SIGNS_MILLIS = 200;

    private Meter() {}

    /**
     * Counts for a while.
     *
     * @param progress is told now and then how much has passed, in nanoseconds
     * @throws UserMistake if the kernel does not let it: with what it says
     */
    static MeterReading read(long nanos, LongConsumer progress) throws InterruptedException {
        Path program = Installation.program(PROGRAM);
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        try {
            Process process = new ProcessBuilder(List.of(program.toString(), "meter", Long.toString(millis))).start();
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            long begin = System.nanoTime();
            while (!process.waitFor(BETWEEN_SIGNS_MILLIS, TimeUnit.MILLISECONDS)) {
                progress.accept(Math.min(System.nanoTime() - begin, nanos));
            }
            if (process.exitValue() != 0) {
                throw new UserMistake("the kernel does not take the meter: "
                        + err.join().lines().findFirst().orElse(PROGRAM + " ended with " + process.exitValue()));
            }
            return MeterReading.parse(out.join());
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
