package ayatori.sched;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A thread as the Linux kernel knows it, of this process or another.
 *
 * <p><b>Identity.</b> Linux gives the id of a thread that has ended to another one sooner or later. Two objects are equal if
 * they mean the same thread: same id, same start. {@link #isAlive} tells them apart; a thread that ends between that
 * question and a {@link #set} is the one case that cannot be excluded, since Linux sets by id.
 *
 * <p><b>Java threads.</b> Java does not tell which Linux thread a {@link Thread} runs on, and neither does /proc: names there
 * are cut to 15 bytes and need not be unique. So {@link #of(Thread)} knows the threads that once called {@link #current},
 * and no others. A virtual thread has none of its own.
 *
 * <p>Instances are immutable, methods may be called by any thread. Whatever the kernel refuses arrives as a
 * {@link SchedulingException}.
 */
public final class LinuxThread {
    private static final ThreadLocal<LinuxThread> CURRENT = ThreadLocal.withInitial(LinuxThread::register);

    /** By {@link Thread#threadId}: not a WeakHashMap, since a subclass of Thread may define equals as it likes. */
    private static final ConcurrentHashMap<Long, LinuxThread> OF_JAVA_THREADS = new ConcurrentHashMap<>();

    private static final ReferenceQueue<Thread> COLLECTED = new ReferenceQueue<>();

    private final int id;
    private final int processId;
    private final long startTime;
    private final @Nullable JavaThread javaThread;

    private LinuxThread(int id, @Nullable JavaThread javaThread) throws IOException {
        TaskFiles files = new TaskFiles(id);
        this.id = id;
        this.startTime = files.startTime();
        this.processId = javaThread != null ? OwnProcess.ID : files.processId();
        this.javaThread = javaThread;
    }

    private static final class OwnProcess {
        static final int ID = Sched.getpid();
    }

    private static final class JavaThread extends WeakReference<Thread> {
        final long threadId;

        JavaThread(Thread thread) {
            super(thread, COLLECTED);
            this.threadId = thread.threadId();
        }
    }

    /**
     * The calling thread.
     *
     * @throws UnsupportedOperationException for a virtual thread, which runs on one carrier now and on another later
     */
    public static LinuxThread current() {
        if (Thread.currentThread().isVirtual()) {
            throw new UnsupportedOperationException("virtual thread \""
                    + Thread.currentThread().getName()
                    + "\" has no Linux thread of its own: what is set for its carrier holds for all that it carries");
        }
        return CURRENT.get();
    }

    /**
     * A thread of any process.
     *
     * @param id as shown by {@code ps -L} (LWP) or {@code nid=} of jstack
     * @throws SchedulingException ESRCH: there is no such thread
     */
    public static LinuxThread of(int id) {
        if (id <= 0) {
            throw new IllegalArgumentException("thread id " + id + ": must be positive");
        }
        try {
            return new LinuxThread(id, null);
        } catch (IOException e) {
            throw SchedulingException.unreadable(id, e);
        }
    }

    /**
     * The Linux thread of a Java thread, if it is the caller or has called {@link #current} before; empty otherwise, for a
     * virtual thread, and for one that has ended.
     */
    public static Optional<LinuxThread> of(Thread thread) {
        if (thread == Thread.currentThread()) {
            return thread.isVirtual() ? Optional.empty() : Optional.of(current());
        }
        return Optional.ofNullable(OF_JAVA_THREADS.get(thread.threadId())).filter(LinuxThread::isAlive);
    }

    /**
     * All threads that a process has at the moment; those that end meanwhile are left out.
     *
     * @throws SchedulingException ESRCH: there is no such process
     */
    public static List<LinuxThread> ofProcess(int processId) {
        List<LinuxThread> threads = new ArrayList<>();
        try {
            for (int id : TaskFiles.tids(processId)) {
                ifStillThere(id).ifPresent(threads::add);
            }
        } catch (NoSuchFileException e) {
            throw SchedulingException.unreadable(processId, new KernelException("/proc/" + processId, Errno.ESRCH));
        } catch (IOException e) {
            throw SchedulingException.unreadable(processId, e);
        }
        return threads;
    }

    /** The kernel's id of the thread. */
    public int id() {
        return id;
    }

    /** The process that the thread belongs to. */
    public int processId() {
        return processId;
    }

    /** The name that the kernel has for the thread, at most 15 bytes. */
    public String name() {
        return read(TaskFiles::comm);
    }

    /** If this thread, and not a later one with its id, still runs. */
    public boolean isAlive() {
        if (javaThread != null) {
            Thread thread = javaThread.get();
            return thread != null && thread.isAlive();
        }
        try {
            TaskFiles files = files();
            return files.startTime() == startTime && !files.ended();
        } catch (IOException e) {
            return false;
        }
    }

    /** What the thread asks of the scheduler; what it inherits at the moment is in {@link #effectiveRank}. */
    public SchedulingParameters get() {
        try {
            return SchedulingParameters.of(Sched.getAttributes(id));
        } catch (KernelException e) {
            throw SchedulingException.unreadable(id, e);
        }
    }

    /**
     * Sets what the thread asks of the scheduler, and reads back what the kernel has then. For threads of this process that
     * may be owed a level at the moment, use {@link PriorityLedger#setOwn}.
     *
     * @throws SchedulingException if the kernel refuses, or has something else afterwards
     */
    public void set(SchedulingParameters wanted) {
        int result = apply(wanted);
        if (result < 0) {
            throw SchedulingException.refused(this, wanted, -result);
        }
        if (!get().equals(wanted)) {
            throw SchedulingException.refused(this, wanted, 0);
        }
    }

    /**
     * The rank at which the kernel runs the thread at the moment, with what it inherits through futexes; as
     * {@link SchedulingParameters#rank}, except that the kernel does not tell IDLE from OTHER here.
     */
    public int effectiveRank() {
        // nice + 20 for OTHER, so 40 - field = 20 - nice; -1 - v for a real-time value v, so 99 - field = 100 + v;
        // -101 for DEADLINE, so 99 - field = 200.
        int field = effectivePriority();
        return field >= 0 ? 40 - field : 99 - field;
    }

    /**
     * The same as the kernel writes it, field 18 of /proc/TID/stat: nice + 20 (0 to 39), −1 − v for a real-time value v
     * (−2 to −100), −101 for DEADLINE.
     */
    public int effectivePriority() {
        return read(TaskFiles::priority);
    }

    /** What the kernel has counted for the thread. */
    public SchedulingStatistics statistics() {
        return read(files -> {
            long[] schedstat = files.schedstat();
            return new SchedulingStatistics(
                    schedstat[0],
                    schedstat[1],
                    schedstat[2],
                    Long.parseLong(files.status("voluntary_ctxt_switches").orElse("0")),
                    Long.parseLong(files.status("nonvoluntary_ctxt_switches").orElse("0")));
        });
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LinuxThread thread && thread.id == id && thread.startTime == startTime;
    }

    @Override
    public int hashCode() {
        return Integer.hashCode(id);
    }

    @Override
    public String toString() {
        return "thread " + id
                + nameForMessages().map(name -> " \"" + name + "\"").orElse("");
    }

    /** Sets without reading back: 0 or {@code -errno}. */
    int apply(SchedulingParameters wanted) {
        return Sched.setAttributes(id, wanted.toAttributes());
    }

    boolean isOfThisProcess() {
        return processId == OwnProcess.ID;
    }

    Optional<String> nameForMessages() {
        try {
            return Optional.of(files().comm());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    TaskFiles files() {
        return new TaskFiles(id);
    }

    private static Optional<LinuxThread> ifStillThere(int id) {
        try {
            return Optional.of(new LinuxThread(id, null));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static LinuxThread register() {
        for (Reference<? extends Thread> gone = COLLECTED.poll(); gone != null; gone = COLLECTED.poll()) {
            OF_JAVA_THREADS.remove(((JavaThread) gone).threadId);
        }
        int id = Sched.gettid();
        try {
            Thread thread = Thread.currentThread();
            LinuxThread current = new LinuxThread(id, new JavaThread(thread));
            OF_JAVA_THREADS.put(thread.threadId(), current);
            return current;
        } catch (IOException e) {
            throw SchedulingException.unreadable(id, e);
        }
    }

    @FunctionalInterface
    private interface Reading<T> {
        T from(TaskFiles files) throws IOException;
    }

    private <T> T read(Reading<T> reading) {
        try {
            return reading.from(files());
        } catch (IOException e) {
            throw SchedulingException.unreadable(id, e);
        }
    }
}
