package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jpi.TraceReading;
import jpi.internal.engine.Timeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFileTest {
    @TempDir
    private Path folder;

    @Test
    void whatWorkersHaveNoRoomForIsCounted() throws IOException {
        Path path = folder.resolve("t");
        TraceFile file = TraceFile.open(path, 2);
        file.add(0, new Timeline.Part(",{\"a\":1}", 0));
        file.add(1, new Timeline.Part(",{\"b\":2}", 3));
        file.add(1, new Timeline.Part("", 5));
        assertEquals("the timeline " + path + " is full: 5 slices are not in it", file.missing());
        file.finish();
        file.add(0, new Timeline.Part(",{\"late\":1}", 0));
        file.finish();
        assertEquals(
                3, TraceReading.of(Files.readString(path)).events().size(), "the name of the process, and two parts");
    }

    @Test
    void anEarlierOneStaysUntilTheProgramBegins() throws IOException {
        Path path = folder.resolve("t");
        Files.writeString(
                path, "an earlier one, which is much longer than what comes to be there afterwards".repeat(9));
        TraceFile.open(path, 1).finish();
        assertTrue(Files.readString(path).startsWith("an earlier one"), "nothing was run");
        TraceFile file = TraceFile.open(path, 1);
        file.begin();
        file.finish();
        assertEquals(1, TraceReading.of(Files.readString(path)).events().size(), "the name of the process");
    }

    @ParameterizedTest
    @CsvSource({
        "/dev/full, No space left on device",
        "/nowhere/t, there is no such folder",
        "/dev, it is a folder",
        "/dev/null/t, Not a directory"
    })
    void aFileThatTakesNothingIsRefused(Path file, String why) {
        String sentence =
                assertThrows(UserMistake.class, () -> TraceFile.open(file, 1)).sentence();
        assertEquals("-trace " + file + " cannot be written (" + why + "): name another file", sentence);
    }
}
