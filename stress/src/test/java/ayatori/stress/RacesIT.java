package ayatori.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every race of this module, for a moment each; {@code stress/run} gives them longer. */
class RacesIT {
    private static final Pattern SUMS =
            Pattern.compile("(\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");
    private static final int LIMIT_SECONDS = 240;

    @TempDir
    Path folder = Path.of("unset");

    @Test
    void noneHasAnOutcomeThatIsForbidden() throws IOException, InterruptedException {
        Process races = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("ayatori.root"), "stress", "run")
                                .toString(),
                        "-f",
                        "1",
                        "-iters",
                        "1",
                        "-time",
                        "300",
                        "-sc",
                        "false",
                        "-r",
                        folder.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        races.getOutputStream().close();
        String output = new String(races.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(races.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), output);
        Matcher sums = SUMS.matcher(output);
        int passed = 0;
        while (sums.find()) {
            passed = Integer.parseInt(sums.group(1));
            assertEquals("0 0 0", sums.group(2) + " " + sums.group(3) + " " + sums.group(4), output);
        }
        assertEquals(0, races.exitValue(), output);
        assertTrue(passed >= 12, output);
    }
}
