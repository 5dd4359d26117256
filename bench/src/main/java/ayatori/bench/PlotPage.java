package ayatori.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;

/**
 * Plots: one file that draws raw results, which it carries with it. Chart.js (MIT licence, which is kept inside the page) is
 * on the driver's class path.
 */
final class PlotPage {
    private static final String LIBRARY = "chartjs/chart.umd.min.js";
    private static final String LICENCE = "chartjs/LICENSE.md";

    private PlotPage() {}

    /**
     * Writes NAME.html beside NAME.csv.
     *
     * @param template that draws it, a resource
     * @param note how it was measured
     */
    static void write(RunFolder folder, String template, String name, String note) throws IOException {
        // Library last: its text must not be searched for the other marks.
        folder.write(
                name + ".html",
                resource(template)
                        .replace("/*NOTE*/", note)
                        .replace("/*CSV*/", folder.read(name + ".csv"))
                        .replace("/*LICENCE*/", resource(LICENCE).replace("*/", ""))
                        .replace("/*CHART-JS*/", resource(LIBRARY).replace("//# sourceMappingURL=", "// ")));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = PlotPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("bench/target lacks " + name + ": build it again");
            }
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
