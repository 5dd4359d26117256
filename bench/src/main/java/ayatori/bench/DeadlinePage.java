package ayatori.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;

/**
 * The plots of the deadline experiment, as the paper's figures 3 and 4: one file that draws its raw results, which it
 * carries with it. Chart.js (MIT licence, which is kept inside the page) is on the driver's class path.
 */
final class DeadlinePage {
    private static final String TEMPLATE = "deadline.html";
    private static final String LIBRARY = "chartjs/chart.umd.min.js";
    private static final String LICENCE = "chartjs/LICENSE.md";

    private DeadlinePage() {}

    /** Writes NAME.html beside NAME.csv. */
    static void write(RunFolder folder, String name, Jdk jdk, int factor) throws IOException {
        String note = "JDK " + jdk.version() + ", " + DeadlineMisses.COLLECTOR + " collector, one CPU; " + factor
                + " Strings for each of the paper's objects";
        // Library last: its text must not be searched for the other marks.
        folder.write(
                name + ".html",
                resource(TEMPLATE)
                        .replace("/*NOTE*/", note)
                        .replace("/*CSV*/", folder.read(name + ".csv"))
                        .replace("/*LICENCE*/", resource(LICENCE).replace("*/", ""))
                        .replace("/*CHART-JS*/", resource(LIBRARY).replace("//# sourceMappingURL=", "// ")));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = DeadlinePage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("bench/target lacks " + name + ": build it again");
            }
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
