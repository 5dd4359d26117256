package ayatori.internal.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Locale;

/**
 * syscall(2): handles for it, the numbers of the calls that this package makes, and the memory each thread needs to make
 * one.
 */
@SuppressWarnings("restricted")
final class Syscall {
    private static final boolean AARCH64 = aarch64();

    static final long CLOSE = number(3, 57);
    static final long MMAP = number(9, 222);
    static final long MUNMAP = number(11, 215);
    static final long RT_SIGACTION = number(13, 134);
    static final long RT_SIGPROCMASK = number(14, 135);
    static final long MADVISE = number(28, 233);
    static final long GETPID = number(39, 172);
    static final long SOCKET = number(41, 198);
    static final long CONNECT = number(42, 203);
    static final long SENDMSG = number(46, 211);
    static final long RECVMSG = number(47, 212);
    static final long SHUTDOWN = number(48, 210);
    static final long BIND = number(49, 200);
    static final long LISTEN = number(50, 201);
    static final long SETSOCKOPT = number(54, 208);
    static final long GETSOCKOPT = number(55, 209);
    static final long EXECVE = number(59, 221);
    static final long FCNTL = number(72, 25);
    static final long FLOCK = number(73, 32);
    static final long FTRUNCATE = number(77, 46);
    static final long FCHMOD = number(91, 52);
    static final long GETRUSAGE = number(98, 165);
    static final long GETUID = number(102, 174);
    static final long GETEUID = number(107, 175);
    static final long FSTATFS = number(138, 44);
    static final long GETPRIORITY = number(140, 141);
    static final long SETPRIORITY = number(141, 140);
    static final long GETTID = number(186, 178);
    static final long FUTEX = number(202, 98);
    static final long SCHED_SETAFFINITY = number(203, 122);
    static final long SCHED_GETAFFINITY = number(204, 123);
    static final long CLOCK_NANOSLEEP = number(230, 115);
    static final long IOPRIO_SET = number(251, 30);
    static final long IOPRIO_GET = number(252, 31);
    static final long OPENAT = number(257, 56);
    static final long PPOLL = number(271, 73);
    static final long ACCEPT4 = number(288, 242);
    static final long PRLIMIT64 = number(302, 261);
    static final long GETCPU = number(309, 168);
    static final long FSOPEN = number(430, 430);
    static final long FSCONFIG = number(431, 431);
    static final long FSMOUNT = number(432, 432);
    static final long SCHED_SETATTR = number(314, 274);
    static final long SCHED_GETATTR = number(315, 275);
    static final long MEMFD_CREATE = number(319, 279);
    static final long FALLOCATE = number(285, 47);
    static final long FUTEX_WAITV = number(449, 449);

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemorySegment SYSCALL =
            LINKER.defaultLookup().find("syscall").orElseThrow(() -> new LinkageError("no syscall() in the C library"));

    /** Calls whose arguments are all numbers. */
    private static final MethodHandle NUMBERS =
            handle(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private static final MethodHandle OPEN =
            handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private static final long AT_FDCWD = -100;
    private static final long OWNER_ONLY = 0600;

    /*
     * Memory of each thread, for arguments and for errno, so that a call allocates nothing:
     *
     *   0            16           32                          96
     *   | errno      | timespec   | a structure of the caller |
     */
    private static final long TIMESPEC = 16;
    private static final long STRUCTURE = 32;
    static final long STRUCTURE_SIZE = 64;

    private static final ThreadLocal<MemorySegment> MEMORY =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STRUCTURE + STRUCTURE_SIZE, 16));

    private Syscall() {}

    private static boolean aarch64() {
        String os = System.getProperty("os.name", "");
        String arch = System.getProperty("os.arch", "");
        boolean aarch64 = arch.equals("aarch64");
        if (!os.toLowerCase(Locale.ROOT).equals("linux") || !(aarch64 || arch.equals("amd64"))) {
            throw new UnsupportedOperationException(
                    "Ayatori needs Linux on x86_64 or aarch64, and this is " + os + " on " + arch);
        }
        return aarch64;
    }

    static long number(int x8664, int aarch64) {
        return AARCH64 ? aarch64 : x8664;
    }

    /**
     * A handle for syscall(2) with arguments of these layouts. Invoke it with {@link #memory}, the number of the call and
     * the arguments; give what comes back to {@link #result}.
     */
    static MethodHandle handle(MemoryLayout... arguments) {
        FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG)
                .appendArgumentLayouts(arguments);
        // Only `number` is declared: syscall is variadic.
        try {
            return LINKER.downcallHandle(
                    SYSCALL, type, Linker.Option.firstVariadicArg(1), Linker.Option.captureCallState("errno"));
        } catch (IllegalCallerException e) { // --illegal-native-access=deny
            Module module = Syscall.class.getModule();
            String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            throw new IllegalCallerException(
                    "Ayatori may not make system calls in this JVM: start it with --enable-native-access=" + name, e);
        }
    }

    /** This thread's memory; errno is captured at its start. */
    static MemorySegment memory() {
        return MEMORY.get();
    }

    /** This thread's place for a structure of at most {@link #STRUCTURE_SIZE} bytes. */
    static MemorySegment structure() {
        return MEMORY.get().asSlice(STRUCTURE, STRUCTURE_SIZE);
    }

    /** This thread's struct timespec, filled in. */
    static MemorySegment timespec(long nanos) {
        MemorySegment timespec = MEMORY.get().asSlice(TIMESPEC, 16);
        timespec.set(ValueLayout.JAVA_LONG, 0, Math.floorDiv(nanos, 1_000_000_000L));
        timespec.set(ValueLayout.JAVA_LONG, 8, Math.floorMod(nanos, 1_000_000_000L));
        return timespec;
    }

    /** What the call returned, or {@code -errno}. */
    static long result(long returned, MemorySegment memory) {
        return returned == -1 ? -memory.get(ValueLayout.JAVA_INT, 0) : returned;
    }

    /** A call with up to three numbers. */
    static long call(long number, long first, long second, long third) {
        MemorySegment memory = memory();
        try {
            return result((long) NUMBERS.invokeExact(memory, number, first, second, third), memory);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * openat(2), from the working directory; what it makes is this user's only.
     *
     * @return a descriptor, or {@code -errno}
     */
    static int open(Path path, long flags) {
        MemorySegment memory = memory();
        try (Arena call = Arena.ofConfined()) {
            return (int) result(
                    (long) OPEN.invokeExact(
                            memory, OPENAT, AT_FDCWD, call.allocateFrom(path.toString()), flags, OWNER_ONLY),
                    memory);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A downcall throws nothing of its own: whatever arrives is an error of the virtual machine or a closed arena. */
    static RuntimeException unexpected(Throwable t) {
        if (t instanceof RuntimeException e) {
            throw e;
        }
        if (t instanceof Error e) {
            throw e;
        }
        throw new LinkageError("downcall", t);
    }
}
