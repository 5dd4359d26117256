package ayatori.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The ledger that libayatori.so keeps when it is an agent of this process. A level is a rank: 20 − n for nice n of
 * SCHED_OTHER, 100 + v for the real-time value v. All methods return 0, or {@code -errno}. Thread-safe.
 */
@SuppressWarnings("restricted")
public final class AgentLibrary {
    /** How its file's name begins; a copy may be called libayatori-2.so. */
    private static final String FILE_NAME = "libayatori";

    private static final int ABI = 1;
    private static final int RTLD_LAZY = 1;
    private static final int RTLD_NOLOAD = 4;

    private final MethodHandle owe;
    private final MethodHandle settle;
    private final MethodHandle setOwn;
    private final MethodHandle level;
    private final MethodHandle lentRank;

    private AgentLibrary(Linker linker, MemorySegment library, String path) {
        MethodHandle abi =
                function(linker, library, path, "ayatori_ledger_abi", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        int found;
        try {
            found = (int) abi.invokeExact();
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        if (found != ABI) {
            throw new IllegalStateException("the agent " + path + " keeps a ledger of version " + found
                    + ", and this library knows version " + ABI + ": use both from the same release");
        }
        ValueLayout.OfInt number = ValueLayout.JAVA_INT;
        ValueLayout.OfLong creditor = ValueLayout.JAVA_LONG;
        owe = function(
                linker, library, path, "ayatori_ledger_owe", FunctionDescriptor.of(number, number, number, creditor));
        settle = function(
                linker, library, path, "ayatori_ledger_settle", FunctionDescriptor.of(number, number, creditor));
        setOwn = function(
                linker, library, path, "ayatori_ledger_set_own", FunctionDescriptor.of(number, number, number, number));
        level = function(linker, library, path, "ayatori_ledger_level", FunctionDescriptor.of(number, number));
        lentRank = function(linker, library, path, "ayatori_ledger_lent_rank", FunctionDescriptor.of(number, number));
    }

    /**
     * The agent of this process, if there is one.
     *
     * @throws IllegalStateException if there is one whose ledger cannot be used, since two ledgers for one thread would
     *     undo each other
     */
    public static Optional<AgentLibrary> loaded() {
        // HotSpot loads agents with RTLD_LOCAL, so that dlsym(RTLD_DEFAULT, …) does not see them.
        Optional<String> mapped = mappedPath();
        if (mapped.isEmpty()) {
            return Optional.empty();
        }
        String path = mapped.get();
        Linker linker = Linker.nativeLinker();
        MethodHandle dlopen = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("dlopen"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        MemorySegment library;
        try (Arena arena = Arena.ofConfined()) {
            library = (MemorySegment) dlopen.invokeExact(arena.allocateFrom(path), RTLD_LAZY | RTLD_NOLOAD);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        if (library.address() == 0) {
            throw new IllegalStateException("the agent " + path
                    + " is mapped but cannot be reached by that path: was the file replaced while this process runs?");
        }
        return Optional.of(new AgentLibrary(linker, library, path));
    }

    /** The same creditor again replaces what it is owed. */
    public int owe(int tid, int rank, long creditor) {
        try {
            return (int) owe.invokeExact(tid, rank, creditor);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** ENOENT: the creditor is owed nothing. */
    public int settle(int tid, long creditor) {
        try {
            return (int) settle.invokeExact(tid, creditor);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** The value is nice or the static priority. */
    public int setOwn(int tid, int policy, int value) {
        try {
            return (int) setOwn.invokeExact(tid, policy, value);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** The rank that the thread should have now; ESRCH: the agent does not list the thread. */
    public int level(int tid) {
        try {
            return (int) level.invokeExact(tid);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    /** The rank that a Java thread of this priority lends to whom it waits for, by the policy in force; 0: none. */
    public int lentRank(int javaPriority) {
        try {
            return (int) lentRank.invokeExact(javaPriority);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }

    private static Optional<String> mappedPath() {
        try {
            String maps = new String(Files.readAllBytes(Path.of("/proc/self/maps")), StandardCharsets.UTF_8);
            return maps.lines()
                    .filter(line -> line.indexOf('/') >= 0)
                    .map(line -> line.substring(line.indexOf('/')))
                    .filter(path -> path.startsWith(FILE_NAME, path.lastIndexOf('/') + 1))
                    .findFirst();
        } catch (IOException e) {
            throw new IllegalStateException("cannot tell whether " + FILE_NAME + ".so is loaded: /proc/self/maps", e);
        }
    }

    private static MethodHandle function(
            Linker linker, MemorySegment library, String path, String name, FunctionDescriptor type) {
        MethodHandle dlsym = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("dlsym"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        MemorySegment address;
        try (Arena arena = Arena.ofConfined()) {
            address = (MemorySegment) dlsym.invokeExact(library, arena.allocateFrom(name));
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
        if (address.address() == 0) {
            throw new IllegalStateException(
                    "the agent " + path + " has no function " + name + ": use agent and library from the same release");
        }
        return linker.downcallHandle(address, type);
    }
}
