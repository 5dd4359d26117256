package ayatori.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Becoming another program: same process id, same open standard streams, same terminal.
 *
 * <p>What the program inherits of the virtual machine, and what to do about it: the calling thread's policy, nice and
 * affinity (set them before); the soft limit of open files, which HotSpot raises unless started with
 * {@code -XX:-MaxFDLimit}; {@code /tmp/hsperfdata_…}, left behind unless {@code -XX:-UsePerfData}; signals that were
 * ignored when the virtual machine began, of which it has made SIGPIPE its own (see {@link #ignore}); open files, among them
 * {@code lib/modules} of the Java runtime (see {@link #closeOnExec}). No shutdown hook runs.
 *
 * <p>Arguments are bytes because Linux has it so: a Java {@code String} has lost what is no text in the locale's charset.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/execve.2.html">execve(2)</a>
 */
public final class Exec {
    private static final int SIG_SETMASK = 2;
    private static final long KERNEL_SIGSET_SIZE = 8;
    private static final long SIG_IGN = 1;
    private static final long F_SETFD = 2;
    private static final long FD_CLOEXEC = 1;
    private static final int SIGNALS = 64;

    private static final MethodHandle EXECVE =
            Syscall.handle(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final MethodHandle SIGPROCMASK =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);

    private static final MethodHandle SIGACTION =
            Syscall.handle(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);

    private Exec() {}

    /**
     * The signals that the process's first thread blocks, bit {@code n - 1} for signal {@code n}: what the process was
     * started with, since HotSpot changes the mask of its own threads only, and runs none of Java in the first one.
     */
    public static long primordialSignalMask() throws IOException {
        Path status = Path.of("/proc/self/task/" + Sched.getpid() + "/status");
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("SigBlk:")) {
                return Long.parseUnsignedLong(line.substring("SigBlk:".length()).strip(), 16);
            }
        }
        throw new IOException(status + ": no line SigBlk");
    }

    /** This process's command line, argument by argument, as the kernel has it. */
    public static List<byte[]> commandLine() throws IOException {
        return strings(Path.of("/proc/self/cmdline"));
    }

    /** The environment that this process was started with, as the kernel has it: {@code NAME=value} each. */
    public static List<byte[]> environment() throws IOException {
        return strings(Path.of("/proc/self/environ"));
    }

    /**
     * Makes this process run another program. All other threads end without notice, at any instruction.
     *
     * @param path of the program; no search in PATH
     * @param arguments what the program sees as argv, its name first
     * @param environment {@code NAME=value} each
     * @param signalMask the signals that are blocked when the program starts, see {@link #primordialSignalMask}
     * @return only if the program could not be started, {@code -errno}: ENOENT, EACCES, ENOEXEC, E2BIG, …; the calling
     *     thread has the mask that it had before
     */
    public static int replaceProcess(byte[] path, List<byte[]> arguments, List<byte[]> environment, long signalMask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = string(path, arena);
            MemorySegment argv = array(arguments, arena);
            MemorySegment envp = array(environment, arena);
            MemorySegment wanted = arena.allocateFrom(ValueLayout.JAVA_LONG, signalMask);
            MemorySegment before = arena.allocate(ValueLayout.JAVA_LONG);
            int masked = sigprocmask(wanted, before);
            if (masked < 0) {
                return masked;
            }
            MemorySegment memory = Syscall.memory();
            int result = (int)
                    Syscall.result((long) EXECVE.invokeExact(memory, Syscall.EXECVE, program, argv, envp), memory);
            var unused = sigprocmask(before, MemorySegment.NULL);
            return result;
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /**
     * Ignores signals in place of what this virtual machine does with them. Which is what execve(2) hands on: handlers
     * fall back to the default, and what is ignored stays so. For the last moment before {@link #replaceProcess}.
     *
     * @param signals bit {@code n - 1} for signal {@code n}
     * @return 0 or the first {@code -errno}
     */
    public static int ignore(long signals) {
        MemorySegment memory = Syscall.memory();
        // struct sigaction of the kernel: handler, flags, restorer, mask, 8 bytes each.
        MemorySegment action = Syscall.structure().fill((byte) 0);
        action.set(ValueLayout.JAVA_LONG, 0, SIG_IGN);
        int failed = 0;
        for (int signal = 1; signal <= SIGNALS; signal++) {
            if (((signals >>> (signal - 1)) & 1) == 0) {
                continue;
            }
            try {
                int result = (int) Syscall.result(
                        (long) SIGACTION.invokeExact(
                                memory,
                                Syscall.RT_SIGACTION,
                                (long) signal,
                                action,
                                MemorySegment.NULL,
                                KERNEL_SIGSET_SIZE),
                        memory);
                failed = failed == 0 ? result : failed;
            } catch (Throwable t) {
                throw Syscall.unexpected(t);
            }
        }
        return failed;
    }

    /**
     * Keeps an open file from the program that {@link #replaceProcess} starts, fcntl(2) F_SETFD: the virtual machine
     * opens its own modules and jars without that.
     *
     * @return 0 or {@code -errno}
     */
    public static int closeOnExec(int descriptor) {
        return (int) Syscall.call(Syscall.FCNTL, descriptor, F_SETFD, FD_CLOEXEC);
    }

    private static int sigprocmask(MemorySegment wanted, MemorySegment before) {
        MemorySegment memory = Syscall.memory();
        try {
            return (int) Syscall.result(
                    (long) SIGPROCMASK.invokeExact(
                            memory, Syscall.RT_SIGPROCMASK, (long) SIG_SETMASK, wanted, before, KERNEL_SIGSET_SIZE),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    private static MemorySegment array(List<byte[]> strings, Arena arena) {
        MemorySegment array = arena.allocate(ValueLayout.ADDRESS, strings.size() + 1L); // ends with NULL
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ValueLayout.ADDRESS, i, string(strings.get(i), arena));
        }
        return array;
    }

    private static MemorySegment string(byte[] bytes, Arena arena) {
        for (byte b : bytes) {
            if (b == 0) {
                throw new IllegalArgumentException(
                        "a NUL byte in \"" + new String(bytes, StandardCharsets.UTF_8) + "\": Linux cannot pass it on");
            }
        }
        MemorySegment string = arena.allocate(bytes.length + 1L); // zeroed, so it ends with NUL
        MemorySegment.copy(bytes, 0, string, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return string;
    }

    private static List<byte[]> strings(Path file) throws IOException {
        byte[] all = Files.readAllBytes(file);
        List<byte[]> strings = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == 0) {
                strings.add(Arrays.copyOfRange(all, from, i));
                from = i + 1;
            }
        }
        return strings;
    }
}
