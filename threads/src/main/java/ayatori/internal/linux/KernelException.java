package ayatori.internal.linux;

import java.io.IOException;

/** The kernel has refused a call. */
public final class KernelException extends IOException {
    private static final long serialVersionUID = 1;

    private final int errno;

    /**
     * A refusal.
     *
     * @param call what was called, and on what
     * @param errno the error; its sign does not matter
     */
    public KernelException(String call, int errno) {
        super(call + ": " + Errno.name(errno));
        this.errno = Math.abs(errno);
    }

    /** The error, positive; see {@link Errno}. */
    public int errno() {
        return errno;
    }
}
