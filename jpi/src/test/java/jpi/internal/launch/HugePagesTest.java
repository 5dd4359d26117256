package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HugePagesTest {
    @TempDir
    Path folder;

    private Path kernel(String words) throws IOException {
        return Files.writeString(folder.resolve("enabled"), words + "\n");
    }

    private static int count(List<String> chosen, Path kernel) {
        return HugePages.options(chosen, kernel).size();
    }

    @ParameterizedTest
    @CsvSource({"[always] madvise never,1", "always [madvise] never,1", "always madvise [never],0"})
    void theKernelSaysIfItLendsThem(String words, int options) throws IOException {
        assertEquals(options, count(List.of("-Xmx1g"), kernel(words)));
    }

    @Test
    void aKernelMayHaveNone() {
        assertEquals(0, count(List.of(), folder.resolve("enabled")));
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:-UseTransparentHugePages,0",
        "-XX:+UseLargePages,0",
        "-XX:LargePageSizeInBytes=2m,0",
        "-XX:+UseZGC,0",
        "-XX:+UseSerialGC,1"
    })
    void whatTheUserHasChosenCounts(String option, int options) throws IOException {
        assertEquals(options, count(List.of("-Xmx1g", option), kernel("always [madvise] never")));
    }
}
