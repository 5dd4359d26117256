package ayatori.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Arguments and environment are bytes to the kernel, and {@code ayatori run} hands them on as they are. Java would
 * decode them by the locale and lose what the locale cannot say. Here they travel as strings of which each char is one
 * byte (ISO 8859-1); only what is looked up in the file system is decoded as Java decodes paths.
 */
final class RawText {
    private static final Charset PATH_CHARSET = Charset.forName(
            System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));

    private RawText() {}

    static String of(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    static List<String> ofAll(List<byte[]> strings) {
        return strings.stream().map(RawText::of).toList();
    }

    static List<byte[]> bytesOfAll(List<String> raw) {
        return raw.stream().map(RawText::bytes).toList();
    }

    static byte[] bytes(String raw) {
        return raw.getBytes(ISO_8859_1);
    }

    static String ofPath(Path path) {
        return encode(path.toString());
    }

    /** Text of this JVM, paths in it, as the kernel is given it. */
    static String encode(String text) {
        return of(text.getBytes(PATH_CHARSET));
    }

    /** The file that a raw path names, or empty if Java cannot name it in this locale. */
    static Optional<Path> toPath(String raw) {
        byte[] bytes = bytes(raw);
        String decoded = new String(bytes, PATH_CHARSET);
        if (!Arrays.equals(bytes, decoded.getBytes(PATH_CHARSET))) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(decoded));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** For messages: decoded as far as the locale goes. */
    static String display(String raw) {
        return new String(bytes(raw), PATH_CHARSET);
    }
}
