package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HugePagesTest {
    @ParameterizedTest
    @CsvSource({"[always] madvise never,true", "always [madvise] never,true", "always madvise [never],false"})
    void theKernelSaysIfItLendsThem(String words, boolean lent, @TempDir Path folder) throws IOException {
        assertEquals(lent, HugePages.areLent(Files.writeString(folder.resolve("enabled"), words + "\n")));
    }

    @Test
    void aKernelMayHaveNone(@TempDir Path folder) {
        assertFalse(HugePages.areLent(folder.resolve("enabled")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:-UseTransparentHugePages", "-XX:+UseLargePages", "-XX:+UseZGC"})
    void whatTheUserHasChosenCounts(String option) {
        assertEquals(List.of(), HugePages.options(List.of("-Xmx1g", option)));
    }
}
