package ayatori.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/**
 * What a program left behind.
 *
 * @param rawOut standard output, one char for each byte
 */
public record Finished(int exit, String rawOut, String err) {
    public String out() {
        return new String(rawOut.getBytes(ISO_8859_1), UTF_8);
    }

    public List<String> lines() {
        return out().lines().toList();
    }
}
