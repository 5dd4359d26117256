package ayatori.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Threads that the C library makes and that attach to the JVM by calling into it; and malloc's own account. Runs inside the
 * measured JVM, 22 and later, found by name from the load Churn.
 */
@SuppressWarnings("restricted")
public final class ForeignThreads {
    private static final Linker LINKER = Linker.nativeLinker();
    /** struct mallinfo2, mallinfo(3): ten size_t; the eighth is uordblks, bytes in use. */
    private static final MemoryLayout MALLINFO2 =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(10, ValueLayout.JAVA_LONG));

    private static final long IN_USE = 7;

    private ForeignThreads() {}

    /** Makes a thread that attaches, sets its priority, and ends; waits for its end. */
    public static Runnable attach() throws ReflectiveOperationException {
        MethodHandle create = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("pthread_create"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
        MethodHandle join = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("pthread_join"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        MemorySegment body = LINKER.upcallStub(
                MethodHandles.lookup()
                        .findStatic(
                                ForeignThreads.class,
                                "body",
                                MethodType.methodType(MemorySegment.class, MemorySegment.class)),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS),
                Arena.global());
        return () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment id = arena.allocate(ValueLayout.JAVA_LONG);
                int error = (int) create.invokeExact(id, MemorySegment.NULL, body, MemorySegment.NULL);
                if (error == 0) {
                    error = (int) join.invokeExact(id.get(ValueLayout.JAVA_LONG, 0), MemorySegment.NULL);
                }
                if (error != 0) {
                    throw new IllegalStateException("pthread_create or pthread_join: error " + error);
                }
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
    }

    @SuppressWarnings({"unused", "ThreadPriorityCheck"}) // the upcall; priorities are what is measured
    private static MemorySegment body(MemorySegment nothing) {
        Thread.currentThread().setPriority(ThreadLocalRandom.current().nextInt(1, 11));
        return MemorySegment.NULL;
    }

    /** Bytes in use of what malloc gave, all arenas; -1 where the C library (before glibc 2.33) does not tell. */
    public static LongSupplier mallocBytes() {
        MemorySegment symbol = LINKER.defaultLookup().find("mallinfo2").orElse(MemorySegment.NULL);
        if (symbol.equals(MemorySegment.NULL)) {
            return () -> -1;
        }
        MethodHandle mallinfo2 = LINKER.downcallHandle(symbol, FunctionDescriptor.of(MALLINFO2));
        return () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment info = (MemorySegment) mallinfo2.invokeExact((SegmentAllocator) arena);
                return info.getAtIndex(ValueLayout.JAVA_LONG, IN_USE);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
    }
}
