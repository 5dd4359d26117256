package ayatori.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import sun.tools.attach.HotSpotVirtualMachine;

/**
 * A question to a JVM by HotSpot's attach mechanism, as {@code jcmd PID COMMAND} asks it. The mechanism itself sees to PID
 * and mount namespaces, and takes only the JVM's own user and root. Ask {@link JvmProcess#silentBecause} before.
 */
public final class DiagnosticCommand {
    /** A JVM that cannot reach a safepoint never answers. */
    private static final long PATIENCE_SECONDS = 12;

    private DiagnosticCommand() {}

    /**
     * Asks.
     *
     * @param command as in {@code jcmd PID help}
     * @return the JVM's answer
     * @throws IOException if the JVM does not answer
     */
    public static String ask(int pid, String command) throws IOException {
        FutureTask<String> answer = new FutureTask<>(() -> attach(pid, command));
        Thread.ofPlatform().daemon().name("attach").start(answer);
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + PATIENCE_SECONDS + " s", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException(cause == null ? "no answer" : String.valueOf(cause.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String attach(int pid, String command) throws IOException, AttachNotSupportedException {
        VirtualMachine jvm = VirtualMachine.attach(Integer.toString(pid));
        try (InputStream stream = ((HotSpotVirtualMachine) jvm).executeJCmd(command)) {
            // Not readAllBytes: it may ask for 0 bytes, which this stream of the JDK answers with its end.
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            stream.transferTo(bytes);
            return bytes.toString(UTF_8);
        } finally {
            jvm.detach();
        }
    }
}
