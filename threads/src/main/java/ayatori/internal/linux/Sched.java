package ayatori.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Scheduling of any thread of the host by its id: policy and parameters, affinity, nice, resource limits; and who is
 * asking. A thread id of 0 means the calling thread. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7)</a>
 */
public final class Sched {
    // Policies, linux/sched.h.
    public static final int OTHER = 0;
    public static final int FIFO = 1;
    public static final int RR = 2;
    public static final int BATCH = 3;
    public static final int IDLE = 5;
    public static final int DEADLINE = 6;
    public static final int EXT = 7;

    // Flags of sched_setattr(2).
    public static final long RESET_ON_FORK = 0x01;
    public static final long RECLAIM = 0x02;
    public static final long DL_OVERRUN = 0x04;
    public static final long KEEP_POLICY = 0x08;
    public static final long KEEP_PARAMETERS = 0x10;

    // Resource limits, getrlimit(2).
    public static final int RLIMIT_NOFILE = 7;
    public static final int RLIMIT_NICE = 13;
    public static final int RLIMIT_RTPRIO = 14;
    /** RLIM_INFINITY, as a signed number. */
    public static final long UNLIMITED = -1;

    /*
     * struct sched_attr as first published. The kernel takes any size it ever published, and 48 bytes are known to each
     * kernel since 3.14; what came later (utilisation clamps) is not used here.
     *
     *   0      4        8       16     20         24        32         40       48
     *   | size | policy | flags | nice | priority | runtime | deadline | period |
     */
    private static final int ATTR_SIZE = 48;

    private static final long ATTR_POLICY = 4;
    private static final long ATTR_FLAGS = 8;
    private static final long ATTR_NICE = 16;
    private static final long ATTR_PRIORITY = 20;
    private static final long ATTR_RUNTIME = 24;
    private static final long ATTR_DEADLINE = 32;
    private static final long ATTR_PERIOD = 40;

    private static final int PRIO_PROCESS = 0;

    // struct rusage, where a long has eight bytes.
    private static final int RUSAGE_THREAD = 1;
    private static final int RUSAGE_SIZE = 144;
    private static final long RU_NVCSW = 128;
    private static final long RU_NIVCSW = 136;

    /** Bytes of a CPU mask: enough for 8192 CPUs, the largest NR_CPUS that a kernel can be configured with. */
    private static final int CPU_MASK_SIZE = 1024;

    private static final MethodHandle ATTR =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle AFFINITY =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    private static final MethodHandle PRLIMIT =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

    private static final AtomicInteger POLICY_CHANGES = new AtomicInteger();

    private Sched() {}

    /**
     * struct sched_attr.
     *
     * @param policy one of the policies above
     * @param flags of the flags above
     * @param nice −20 to 19, for OTHER and BATCH
     * @param priority 1 to 99 for FIFO and RR, else 0
     * @param runtime nanoseconds, for DEADLINE
     * @param deadline nanoseconds, for DEADLINE
     * @param period nanoseconds, for DEADLINE
     */
    public record Attributes(int policy, long flags, int nice, int priority, long runtime, long deadline, long period) {
        /** What cannot be: the kernel reads without a lock, the policy from before and the numbers from after a change. */
        private boolean torn() {
            return switch (policy) {
                case FIFO, RR -> priority == 0;
                case DEADLINE -> deadline == 0;
                default -> priority != 0 || deadline != 0; // the slice is in runtime
            };
        }
    }

    /** A soft and a hard resource limit; {@link #UNLIMITED} or a number. */
    public record Limit(long soft, long hard) {}

    /** How often this process has set a thread's policy by this library; what Java priorities do under the agent does not count. */
    public static int policyChanges() {
        return POLICY_CHANGES.get();
    }

    /** The agent has set one for the library. */
    public static void policyChanged() {
        POLICY_CHANGES.getAndIncrement();
    }

    /**
     * sched_setattr(2).
     *
     * @return 0 or {@code -errno}
     */
    public static int setAttributes(int tid, Attributes wanted) {
        MemorySegment memory = Syscall.memory();
        MemorySegment attr = Syscall.structure();
        attr.set(ValueLayout.JAVA_INT, 0, ATTR_SIZE);
        attr.set(ValueLayout.JAVA_INT, ATTR_POLICY, wanted.policy);
        attr.set(ValueLayout.JAVA_LONG, ATTR_FLAGS, wanted.flags);
        attr.set(ValueLayout.JAVA_INT, ATTR_NICE, wanted.nice);
        attr.set(ValueLayout.JAVA_INT, ATTR_PRIORITY, wanted.priority);
        attr.set(ValueLayout.JAVA_LONG, ATTR_RUNTIME, wanted.runtime);
        attr.set(ValueLayout.JAVA_LONG, ATTR_DEADLINE, wanted.deadline);
        attr.set(ValueLayout.JAVA_LONG, ATTR_PERIOD, wanted.period);
        try {
            return (int) Syscall.result(
                    (long) ATTR.invokeExact(memory, Syscall.SCHED_SETATTR, (long) tid, attr, 0L, 0L), memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        } finally {
            policyChanged();
        }
    }

    /**
     * sched_getattr(2). What a priority-inheriting futex lends the thread at the moment does not show here.
     *
     * @throws KernelException ESRCH: there is no such thread
     */
    public static Attributes getAttributes(int tid) throws KernelException {
        while (true) {
            Attributes read = readAttributes(tid);
            if (!read.torn()) {
                return read;
            }
        }
    }

    private static Attributes readAttributes(int tid) throws KernelException {
        MemorySegment memory = Syscall.memory();
        MemorySegment attr = Syscall.structure();
        long result;
        try {
            result = Syscall.result(
                    (long) ATTR.invokeExact(memory, Syscall.SCHED_GETATTR, (long) tid, attr, (long) ATTR_SIZE, 0L),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        if (result < 0) {
            throw new KernelException("sched_getattr of thread " + tid, (int) result);
        }
        return new Attributes(
                attr.get(ValueLayout.JAVA_INT, ATTR_POLICY),
                attr.get(ValueLayout.JAVA_LONG, ATTR_FLAGS),
                attr.get(ValueLayout.JAVA_INT, ATTR_NICE),
                attr.get(ValueLayout.JAVA_INT, ATTR_PRIORITY),
                attr.get(ValueLayout.JAVA_LONG, ATTR_RUNTIME),
                attr.get(ValueLayout.JAVA_LONG, ATTR_DEADLINE),
                attr.get(ValueLayout.JAVA_LONG, ATTR_PERIOD));
    }

    /**
     * sched_setaffinity(2).
     *
     * @return 0 or {@code -errno}: EINVAL if none of the CPUs may be used
     */
    public static int setAffinity(int tid, BitSet cpus) {
        byte[] bits = cpus.toByteArray();
        if (bits.length > CPU_MASK_SIZE) {
            return -Errno.EINVAL;
        }
        MemorySegment memory = Syscall.memory();
        try (var arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(CPU_MASK_SIZE, 8);
            MemorySegment.copy(bits, 0, mask, ValueLayout.JAVA_BYTE, 0, bits.length);
            return (int) Syscall.result(
                    (long) AFFINITY.invokeExact(
                            memory, Syscall.SCHED_SETAFFINITY, (long) tid, (long) CPU_MASK_SIZE, mask),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /**
     * sched_getaffinity(2): the CPUs that the thread may run on.
     *
     * @throws KernelException ESRCH: there is no such thread
     */
    public static BitSet getAffinity(int tid) throws KernelException {
        MemorySegment memory = Syscall.memory();
        long result;
        try (var arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(CPU_MASK_SIZE, 8);
            result = Syscall.result(
                    (long) AFFINITY.invokeExact(
                            memory, Syscall.SCHED_GETAFFINITY, (long) tid, (long) CPU_MASK_SIZE, mask),
                    memory);
            if (result >= 0) {
                return BitSet.valueOf(mask.asSlice(0, result).toArray(ValueLayout.JAVA_BYTE));
            }
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        throw new KernelException("sched_getaffinity of thread " + tid, (int) result);
    }

    /**
     * getcpu(2): the CPU that the calling thread runs on, or has run on: it may be moved at any moment.
     *
     * @throws KernelException EPERM: a filter of system calls forbids it
     */
    public static int currentCpu() throws KernelException {
        MemorySegment cpu = Syscall.structure();
        long result = Syscall.call(Syscall.GETCPU, cpu.address(), 0, 0);
        if (result < 0) {
            throw new KernelException("getcpu", (int) result);
        }
        return cpu.get(ValueLayout.JAVA_INT, 0);
    }

    /**
     * getrusage(2) of the calling thread: how often its CPU has gone on with another one, because it slept, gave way or was preempted.
     *
     * @throws KernelException EPERM: a filter of system calls forbids it
     */
    public static long contextSwitches() throws KernelException {
        try (var arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_SIZE, Long.BYTES);
            long result = Syscall.call(Syscall.GETRUSAGE, RUSAGE_THREAD, usage.address(), 0);
            if (result < 0) {
                throw new KernelException("getrusage", (int) result);
            }
            return usage.get(ValueLayout.JAVA_LONG, RU_NVCSW) + usage.get(ValueLayout.JAVA_LONG, RU_NIVCSW);
        }
    }

    /**
     * setpriority(2) for one thread.
     *
     * @param nice −20 to 19; the kernel clamps other values
     * @return 0 or {@code -errno}: EACCES if RLIMIT_NICE forbids it, EPERM for another user's thread
     */
    public static int setNice(int tid, int nice) {
        return (int) Syscall.call(Syscall.SETPRIORITY, PRIO_PROCESS, tid, nice);
    }

    /**
     * getpriority(2) for one thread.
     *
     * @return nice, −20 to 19
     * @throws KernelException ESRCH: there is no such thread
     */
    public static int getNice(int tid) throws KernelException {
        // The system call returns 20 - nice, so that no good answer is negative.
        long result = Syscall.call(Syscall.GETPRIORITY, PRIO_PROCESS, tid, 0);
        if (result < 0) {
            throw new KernelException("getpriority of thread " + tid, (int) result);
        }
        return 20 - (int) result;
    }

    /** The calling Linux thread; for a virtual thread, that of the moment's carrier. */
    public static int gettid() {
        return (int) Syscall.call(Syscall.GETTID, 0, 0, 0);
    }

    public static int getpid() {
        return (int) Syscall.call(Syscall.GETPID, 0, 0, 0);
    }

    /** The number of this process's PID namespace, which no other on the host has; 0 if /proc does not tell. */
    public static long pidNamespace() {
        try { // pid:[4026531836], see namespaces(7)
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return Long.parseLong(link.replaceAll("\\D", ""));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    public static int getuid() {
        return (int) Syscall.call(Syscall.GETUID, 0, 0, 0);
    }

    public static int geteuid() {
        return (int) Syscall.call(Syscall.GETEUID, 0, 0, 0);
    }

    /**
     * prlimit(2): a limit of a process.
     *
     * @param pid 0 for this process
     * @param resource {@link #RLIMIT_NOFILE}, {@link #RLIMIT_NICE} or {@link #RLIMIT_RTPRIO}
     * @throws KernelException ESRCH: no such process; EPERM: another user's
     */
    public static Limit getLimit(int pid, int resource) throws KernelException {
        MemorySegment old = Syscall.structure();
        int result = prlimit(pid, resource, MemorySegment.NULL, old);
        if (result < 0) {
            throw new KernelException("prlimit of process " + pid, result);
        }
        return new Limit(old.get(ValueLayout.JAVA_LONG, 0), old.get(ValueLayout.JAVA_LONG, 8));
    }

    /**
     * prlimit(2): sets a limit of a process.
     *
     * @return 0 or {@code -errno}: EPERM where the hard limit would rise without CAP_SYS_RESOURCE
     */
    public static int setLimit(int pid, int resource, Limit wanted) {
        MemorySegment limit = Syscall.structure();
        limit.set(ValueLayout.JAVA_LONG, 0, wanted.soft);
        limit.set(ValueLayout.JAVA_LONG, 8, wanted.hard);
        return prlimit(pid, resource, limit, MemorySegment.NULL);
    }

    private static int prlimit(int pid, int resource, MemorySegment wanted, MemorySegment old) {
        MemorySegment memory = Syscall.memory();
        try {
            return (int) Syscall.result(
                    (long) PRLIMIT.invokeExact(memory, Syscall.PRLIMIT64, (long) pid, (long) resource, wanted, old),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }
}
