package ayatori.cli.why;

import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.internal.linux.DetachedMount;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's scheduler trace: all switches of the host, and what concerns one thread besides. It is an instance of
 * tracefs of its own, so that it and other tracers do not see each other. Where tracefs is not mounted it is mounted for
 * this process alone. Only {@link #close} may be called by another thread than the one that reads.
 */
final class SchedulerTrace implements AutoCloseable {
    private static final List<Path> MOUNTED =
            List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));
    private static final String NAME = "ayatori-";
    /** What proc_ns(5) shows for the PID namespace that the kernel begins with, and that the trace has its ids of. */
    private static final String FIRST_NAMESPACE = "pid:[4026531836]";
    /** Of each CPU: some 15,000 switches, which no CPU does between two readings. */
    private static final String BUFFER_KIB = "1024";

    private static final String ROOT_REMEDY = "run it as root: sudo ayatori why PID THREAD";

    private final @Nullable DetachedMount mount;
    private final Path folder;
    private final FileInputStream pipe;
    private final Thread atEnd = new Thread(this::remove, "remove-trace");
    private final TraceParser parser = new TraceParser(this::received);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[1 << 14];
    private Consumer<TraceEvent> sink = event -> {};
    private final ReadingMark mark = new ReadingMark();
    private boolean removed;

    private SchedulerTrace(@Nullable DetachedMount mount, Path folder) throws IOException {
        this.mount = mount;
        this.folder = folder;
        this.pipe = new FileInputStream(folder.resolve("trace_pipe").toFile());
        Runtime.getRuntime().addShutdownHook(atEnd);
    }

    /**
     * Begins to trace.
     *
     * @param tid the thread of which it shall tell more than switches
     * @throws TraceRefusal if this user, or this place, may not
     */
    static SchedulerTrace of(int tid) throws TraceRefusal {
        requireFirstNamespace();
        Path mounted = MOUNTED.stream()
                .filter(each -> Files.exists(each.resolve("instances")))
                .findFirst()
                .orElse(null);
        DetachedMount mount = mounted == null ? mount() : null;
        Path root = mounted == null && mount != null ? mount.root() : mounted;
        if (root == null) {
            throw new TraceRefusal("tracefs is not there", ROOT_REMEDY);
        }
        Path folder =
                root.resolve("instances").resolve(NAME + ProcessHandle.current().pid());
        SchedulerTrace trace;
        try {
            removeLeftovers(root.resolve("instances"));
            Files.createDirectory(folder);
            trace = new SchedulerTrace(mount, folder);
        } catch (IOException e) {
            removeQuietly(folder);
            if (mount != null) {
                mount.close();
            }
            throw refused(e);
        }
        try {
            begin(folder, tid); // only now, so that whoever sees it trace can count on its end
            return trace;
        } catch (IOException e) {
            trace.close();
            throw refused(e);
        }
    }

    private static void requireFirstNamespace() throws TraceRefusal {
        try {
            if (!Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().equals(FIRST_NAMESPACE)) {
                throw new TraceRefusal(
                        "this is a PID namespace (a container), and the trace has the host's thread ids",
                        "run it on the host, as root");
            }
        } catch (IOException e) {
            throw new TraceRefusal("/proc/self/ns/pid cannot be read", "mount /proc");
        }
    }

    private static DetachedMount mount() throws TraceRefusal {
        if (Sched.geteuid() != 0) {
            // Where it is mounted for root only, its folders cannot be seen either.
            throw new TraceRefusal("the kernel's scheduler trace (tracefs) is for root", ROOT_REMEDY);
        }
        try {
            return DetachedMount.of("tracefs");
        } catch (KernelException e) {
            throw new TraceRefusal(
                    "tracefs is not mounted, and mounting it is refused (" + Errno.name(e.errno()) + ")",
                    e.errno() == Errno.EPERM
                            ? "run it on the host, or grant CAP_SYS_ADMIN (a container: --privileged --pid=host)"
                            : "a kernel with CONFIG_FTRACE, Linux 5.2 or later");
        }
    }

    private static TraceRefusal refused(IOException e) {
        String said =
                e instanceof FileSystemException file && file.getReason() != null ? file.getReason() : e.toString();
        return new TraceRefusal(
                "the kernel's scheduler trace (tracefs) is refused: " + said,
                Sched.geteuid() == 0
                        ? "a kernel that is not locked down (/sys/kernel/security/lockdown), and /sys writable"
                        : ROOT_REMEDY);
    }

    private static void begin(Path folder, int tid) throws IOException {
        write(folder.resolve("trace_clock"), "mono");
        write(folder.resolve("buffer_size_kb"), BUFFER_KIB);
        Path events = folder.resolve("events/sched");
        for (String event : List.of("sched_waking", "sched_wakeup", "sched_migrate_task")) {
            write(events.resolve(event).resolve("filter"), "pid==" + tid);
            write(events.resolve(event).resolve("enable"), "1");
        }
        write(events.resolve("sched_switch").resolve("enable"), "1");
    }

    /** Of commands that were killed. */
    private static void removeLeftovers(Path instances) throws IOException {
        Predicate<String> alive = pid -> Files.exists(Path.of("/proc", pid));
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(instances, NAME + "*")) {
            for (Path folder : folders) {
                String pid = folder.getFileName().toString().substring(NAME.length());
                if (!alive.test(pid)) {
                    removeQuietly(folder);
                }
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }

    /**
     * Hands on what has happened since the last time.
     *
     * @return until when all has been handed on, System.nanoTime
     */
    synchronized long read(Consumer<TraceEvent> to) throws IOException {
        if (removed) {
            return mark.nanos(); // this command is about to end by a signal
        }
        sink = to;
        // The kernel would wait for the next event, and wake this thread for each: a mark of our own ends the reading.
        write(folder.resolve("trace_marker"), mark.next(System.nanoTime()));
        while (!mark.passed()) {
            int count = pipe.read(buffer);
            if (count < 0) {
                throw new IOException("the trace was ended by another program");
            }
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    parser.line(line.toString(UTF_8));
                    line.reset();
                } else {
                    line.write(buffer[i]);
                }
            }
        }
        return mark.nanos();
    }

    /** How many lines could not be read. */
    long unread() {
        return parser.unread();
    }

    private void received(TraceEvent event) {
        mark.see(event);
        sink.accept(event);
    }

    private synchronized void remove() {
        removed = true;
        try {
            write(folder.resolve("tracing_on"), "0");
            pipe.close(); // an instance in use cannot be removed
        } catch (IOException e) {
            // It is gone already.
        }
        removeQuietly(folder);
        if (mount != null) {
            mount.close();
        }
    }

    private static void removeQuietly(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // The next one to be started tries again.
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atEnd);
        remove();
    }
}
