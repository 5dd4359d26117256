package ayatori.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** A question to a JVM, as {@code jcmd PID COMMAND} asks it. */
public final class DiagnosticCommand {
    private DiagnosticCommand() {}

    /**
     * Asks.
     *
     * @param command as in {@code jcmd PID help}
     * @return the JVM's answer
     * @throws IOException if the JVM does not answer
     */
    public static String ask(int pid, String command) throws IOException {
        return Attachment.with(pid, jvm -> {
            try (InputStream stream = jvm.executeJCmd(command)) {
                // Not readAllBytes: it may ask for 0 bytes, which this stream of the JDK answers with its end.
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                stream.transferTo(bytes);
                return bytes.toString(UTF_8);
            }
        });
    }
}
