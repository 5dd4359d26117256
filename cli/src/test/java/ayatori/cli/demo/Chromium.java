package ayatori.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A browser without a window, to see that a page of plots really draws. */
final class Chromium {
    private static final int PATIENCE_SECONDS = 60;

    /** Added to the page: which share of each canvas is not blank. */
    private static final String INK = """
            <script>
            document.documentElement.dataset.inked = [...document.querySelectorAll("canvas")].filter(canvas => {
              const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
              let coloured = 0;
              for (let i = 0; i < pixels.length; i += 4) {
                if (pixels[i + 3] > 0 && Math.max(pixels[i], pixels[i + 1], pixels[i + 2])
                    - Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) > 60) coloured++;
              }
              return coloured > 100;
            }).length;
            </script>
            """;

    private Chromium() {}

    /** Skips the test where there is no Chromium. */
    static void need() {
        boolean found = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "chromium")));
        assumeTrue(found, "SKIP: needs chromium");
    }

    /** Opens the page and asserts that so many plots have coloured lines and no script failed. */
    static void assertDraws(String page, int plots, Path folder) throws IOException, InterruptedException {
        Path copy = Files.writeString(folder.resolve("inspected.html"), page.replace("</body>", INK + "</body>"));
        Path dom = folder.resolve("dom.html");
        Process browser = new ProcessBuilder(
                        "chromium",
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=1680,1500",
                        "--dump-dom",
                        copy.toUri().toString())
                .redirectOutput(dom.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean ended = browser.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        browser.descendants().forEach(ProcessHandle::destroyForcibly);
        browser.destroyForcibly();
        assertTrue(ended, "chromium did not end");
        String text = Files.readString(dom, StandardCharsets.UTF_8);
        assertEquals("none", attribute(text, "error"));
        assertEquals(Integer.toString(plots), attribute(text, "drawn"));
        assertEquals(Integer.toString(plots), attribute(text, "inked"));
    }

    private static String attribute(String dom, String name) {
        Matcher matcher =
                Pattern.compile("<html[^>]* data-" + name + "=\"([^\"]*)\"").matcher(dom);
        return matcher.find() ? matcher.group(1) : "none";
    }
}
