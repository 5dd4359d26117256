package ayatori.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import sun.tools.attach.HotSpotVirtualMachine;

/**
 * The thread dump of a JVM without the agent, by HotSpot's attach mechanism: what {@code jcmd PID Thread.print} does.
 * It stops the JVM's Java threads for an instant (a safepoint), so it is never used where there is a ledger. The
 * mechanism itself sees to PID and mount namespaces, and takes only the JVM's own user and root.
 */
final class AttachedDump {
    /** A JVM that cannot reach a safepoint never answers. */
    private static final long PATIENCE_SECONDS = 12;

    private AttachedDump() {}

    /**
     * Asks for the dump.
     *
     * @throws IOException if the JVM does not answer
     */
    static List<ThreadDump.Entry> of(int pid) throws IOException {
        FutureTask<String> answer = new FutureTask<>(() -> ask(pid));
        Thread.ofPlatform().daemon().name("attach").start(answer);
        try {
            return ThreadDump.parse(answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
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

    private static String ask(int pid) throws IOException, AttachNotSupportedException {
        VirtualMachine jvm = VirtualMachine.attach(Integer.toString(pid));
        try (InputStream dump = ((HotSpotVirtualMachine) jvm).executeJCmd("Thread.print")) {
            // Not readAllBytes: it may ask for 0 bytes, which this stream of the JDK answers with its end.
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            dump.transferTo(bytes);
            return bytes.toString(UTF_8);
        } finally {
            jvm.detach();
        }
    }
}
