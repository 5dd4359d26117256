package ayatori.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The terminal that standard output goes to, if it does. */
public final class Terminal {
    /** Descriptors of a process. */
    public static final int INPUT = 0;

    public static final int OUTPUT = 1;
    public static final int ERROR = 2;
    private static final int STTY_PATIENCE_SECONDS = 2;

    private Terminal() {}

    /** Whether a descriptor of this process is a terminal. */
    public static boolean is(int descriptor) {
        try {
            String device = Files.readSymbolicLink(file(descriptor)).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException e) {
            return false; // closed
        }
    }

    private static Path file(int descriptor) {
        return Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    /** Its columns; {@link Integer#MAX_VALUE} if output goes elsewhere or the terminal does not tell. */
    public static int columns() {
        try {
            if (!is(OUTPUT)) {
                return Integer.MAX_VALUE;
            }
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(file(OUTPUT).toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (var answer = stty.getInputStream()) {
                if (!stty.waitFor(STTY_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    stty.destroyForcibly();
                    return Integer.MAX_VALUE;
                }
                return columns(new String(answer.readAllBytes(), US_ASCII), System.getenv("COLUMNS"));
            }
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Integer.MAX_VALUE;
        }
    }

    /**
     * The columns that {@code stty size} and the environment say.
     *
     * @param size rows and columns; 0 0 where nobody told the terminal its size
     * @param variable COLUMNS, which wins, as with ps(1); may be null
     */
    static int columns(String size, @org.jspecify.annotations.Nullable String variable) {
        for (String word :
                new String[] {variable == null ? "" : variable, size.strip().replaceFirst(".* ", "")}) {
            try {
                int columns = Integer.parseInt(word);
                if (columns > 0) {
                    return columns;
                }
            } catch (NumberFormatException e) {
                continue;
            }
        }
        return Integer.MAX_VALUE;
    }

    /** What stands where a text was cut: one cell. */
    public static char cutMark(Charset charset) {
        return charset.newEncoder().canEncode('…') ? '…' : '~';
    }
}
