package ayatori.bench.files;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.IoPriority;
import ayatori.internal.linux.IoPriority.Kind;
import ayatori.server.Request;
import ayatori.server.RequestHandler;
import java.io.IOException;

/**
 * DK of the paper: reads and writes blocks on the disk. If it is to, with an I/O priority that follows the request: where the
 * disk's scheduler heeds that, an urgent read goes before those of others that are queued there.
 */
final class DiskServer implements RequestHandler<BlockRequest, Block> {
    private final BlockDevice device;
    private final boolean ioPriorities;
    /** What the thread has, so that the kernel is told of changes only. */
    private final ThreadLocal<IoPriority> own = ThreadLocal.withInitial(() -> new IoPriority(Kind.NONE, 0));

    DiskServer(BlockDevice device, boolean ioPriorities) {
        this.device = device;
        this.ioPriorities = ioPriorities;
    }

    @Override
    public void handle(Request<BlockRequest, Block> request) throws IOException {
        if (ioPriorities) {
            follow(of(request.level()));
        }
        BlockRequest asked = request.body();
        switch (asked.operation()) {
            case READ -> request.reply(device.read(asked.number()));
            case WRITE -> {
                device.write(asked.number(), asked.content());
                request.reply(Block.NONE);
            }
            case FORGET -> request.reply(Block.NONE);
        }
    }

    private void follow(IoPriority wanted) throws IOException {
        if (!wanted.equals(own.get())) {
            int result = wanted.set(0);
            if (result < 0) {
                throw new IOException("I/O priority " + wanted + " of the disk server: " + Errno.name(result)
                        + "; run as root, or grant CAP_SYS_NICE");
            }
            own.set(wanted);
        }
    }

    /** Above 5 the class that goes before all others, highest priority first; from 5 on the ordinary one, lowest last. */
    static IoPriority of(int javaPriority) {
        return javaPriority > Thread.NORM_PRIORITY
                ? new IoPriority(Kind.REAL_TIME, Thread.MAX_PRIORITY - javaPriority)
                : new IoPriority(Kind.BEST_EFFORT, Math.min(9 - javaPriority, IoPriority.MAX_LEVEL));
    }
}
