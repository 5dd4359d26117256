package ayatori.cli.demo;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotPageTest {
    private static final String TRICKY = "a \"quoted\" \\ </script> name";

    private static String page() {
        Summary summary = new Summary(
                List.of(
                        SyntheticRun.shared(Configuration.STOCK, 1),
                        SyntheticRun.strict(Configuration.STATIC, 1),
                        SyntheticRun.onTwoCpus(Configuration.STATIC)),
                List.of());
        return PlotPage.text(Map.of("JVM", TRICKY), summary, List.of("mixed: not to be had here"));
    }

    @Test
    void drawsAPlotForEachConfigurationThatRan(@TempDir Path folder) throws Exception {
        Chromium.need();
        Chromium.assertDraws(page(), 3, folder);
    }

    @Test
    void asksNothingOfTheNetwork() {
        String page = page();
        assertFalse(page.contains("src="), "a script or picture from elsewhere");
        assertFalse(page.contains("<link"), "a style sheet from elsewhere");
        assertFalse(page.contains("sourceMappingURL"));
        assertTrue(page.contains("Permission is hereby granted"), "Chart.js's licence");
    }
}
