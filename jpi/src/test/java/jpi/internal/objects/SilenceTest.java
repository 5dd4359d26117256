package jpi.internal.objects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.fory.Fory;
import org.junit.jupiter.api.Test;

/** Neither the codec nor Fory writes anything in a JVM that is started as workers are. */
class SilenceTest {
    /** Runs in a JVM of its own, on the class path. */
    static final class Program {
        private Program() {}

        /** Sends something to itself both ways; prints what comes back. */
        @SuppressWarnings("SystemOut") // its output is looked at
        public static void main(String[] args) {
            for (Serialisation serialisation : Serialisation.values()) {
                ObjectCodec codec = new ObjectCodec(new AllowedTypes(Samples.class, ""), serialisation);
                byte[] bytes = Samples.encode(codec, List.of("object", 1));
                System.out.println(codec.decode(bytes, 0, bytes.length));
            }
            ObjectCodec codec = new ObjectCodec(new AllowedTypes(Samples.class, ""), Serialisation.FORY);
            byte[] bytes = Samples.encode(codec, new Samples.Five(1, 2, 3, "4", Samples.Mode.DOUBLED));
            System.out.println(codec.decode(bytes, 0, bytes.length));
        }
    }

    private static String placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @Test
    void nothingIsWritten() throws Exception {
        String main = placeOf(ObjectCodec.class);
        String tests = Path.of(main).resolveSibling("test-classes").toString();
        String path = String.join(File.pathSeparator, main, tests, placeOf(Fory.class));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        path,
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        assertEquals("""
                [object, 1]
                [object, 1]
                Five[number=1, large=2, fraction=3.0, name=4, mode=DOUBLED]
                """, output);
    }
}
