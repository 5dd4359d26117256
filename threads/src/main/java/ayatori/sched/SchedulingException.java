package ayatori.sched;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.KernelException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A thread does not have the scheduling parameters that were wanted, or they cannot be read. The message is one line: the
 * thread, what was wanted, what the kernel kept and why, and what to do about it.
 */
public final class SchedulingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int errno;
    private final int threadId;
    private final String threadName;
    private final @Nullable SchedulingParameters wanted;
    private final @Nullable SchedulingParameters kept;
    private final String remedy;

    private SchedulingException(
            String message,
            int errno,
            int threadId,
            String threadName,
            @Nullable SchedulingParameters wanted,
            @Nullable SchedulingParameters kept,
            String remedy) {
        super(message);
        this.errno = errno;
        this.threadId = threadId;
        this.threadName = threadName;
        this.wanted = wanted;
        this.kept = kept;
        this.remedy = remedy;
    }

    /** The kernel has refused, or with errno 0 it has taken what was wanted but does not have it now. */
    static SchedulingException refused(LinuxThread thread, SchedulingParameters wanted, int errno) {
        SchedulingParameters kept;
        try {
            kept = thread.get();
        } catch (SchedulingException e) {
            kept = null;
        }
        String remedy = Diagnosis.remedy(thread, wanted, kept, errno);
        String message = thread + ": wanted " + wanted + ", "
                + (kept == null ? "not set" : "kernel kept " + kept)
                + (errno == 0 ? "; " : " (" + Errno.name(errno) + "); ") + remedy;
        return new SchedulingException(
                message, errno, thread.id(), thread.nameForMessages().orElse(""), wanted, kept, remedy);
    }

    static SchedulingException unreadable(int threadId, IOException cause) {
        // Files of a thread that ends while they are read fail with ESRCH, which Java gives as a plain IOException.
        int errno = cause instanceof KernelException refusal ? refusal.errno() : Errno.ESRCH;
        String remedy = Diagnosis.remedyOfReading(errno);
        String message = "thread " + threadId + ": cannot be read (" + Errno.name(errno) + "); " + remedy;
        SchedulingException exception = new SchedulingException(message, errno, threadId, "", null, null, remedy);
        exception.initCause(cause);
        return exception;
    }

    /** The kernel's error, errno(3); 0 if it reported none but has something else than what was wanted. */
    public int errno() {
        return errno;
    }

    /** The name of the error, for instance {@code "EPERM"}. */
    public String errnoName() {
        return Errno.name(errno);
    }

    /** The thread's id. */
    public int threadId() {
        return threadId;
    }

    /** The thread's name in the kernel, empty if it could not be read. */
    public String threadName() {
        return threadName;
    }

    /** What was wanted; empty if something was to be read. */
    public Optional<SchedulingParameters> wanted() {
        return Optional.ofNullable(wanted);
    }

    /** What the kernel has; empty if it cannot be read. */
    public Optional<SchedulingParameters> kept() {
        return Optional.ofNullable(kept);
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
