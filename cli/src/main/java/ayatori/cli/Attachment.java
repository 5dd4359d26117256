package ayatori.cli;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import sun.tools.attach.HotSpotVirtualMachine;

/**
 * HotSpot's attach mechanism. It sees to PID and mount namespaces itself, and takes only the JVM's own user and root. Ask
 * {@link JvmProcess#silentBecause} before.
 */
public final class Attachment {
    /** A JVM that cannot reach a safepoint never answers. */
    private static final long PATIENCE_SECONDS = 12;

    private Attachment() {}

    /** What to do with a JVM that has answered. */
    @FunctionalInterface
    public interface Work<T> {
        /** Does it. */
        T with(HotSpotVirtualMachine jvm) throws IOException, AgentLoadException, AgentInitializationException;
    }

    /**
     * Attaches, does the work, detaches.
     *
     * @throws IOException if the JVM does not answer; what else was thrown is its cause's cause
     */
    public static <T> T with(int pid, Work<T> work) throws IOException {
        FutureTask<T> answer = new FutureTask<>(() -> attach(pid, work));
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

    private static <T> T attach(int pid, Work<T> work)
            throws IOException, AttachNotSupportedException, AgentLoadException, AgentInitializationException {
        VirtualMachine jvm = VirtualMachine.attach(Integer.toString(pid));
        try {
            return work.with((HotSpotVirtualMachine) jvm);
        } finally {
            jvm.detach();
        }
    }
}
