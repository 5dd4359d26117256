package ayatori.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;

/**
 * Forgets a thread's thread-locals. Java has no public way for that; so the user has to open {@code java.lang} to this module.
 */
final class ThreadLocals {
    private static final String OPEN = "--add-opens=java.base/java.lang=ayatori.threads";

    private final VarHandle ordinary;
    private final VarHandle inheritable;

    private ThreadLocals(VarHandle ordinary, VarHandle inheritable) {
        this.ordinary = ordinary;
        this.inheritable = inheritable;
    }

    /**
     * Looks for the fields.
     *
     * @throws IllegalStateException if java.lang is closed; says how to open it
     */
    static ThreadLocals open() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            return new ThreadLocals(field(lookup, "threadLocals"), field(lookup, "inheritableThreadLocals"));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "thread-locals cannot be cleared: start java with " + OPEN
                            + " (=ALL-UNNAMED, if this library is on the class path)",
                    e);
        }
    }

    private static VarHandle field(MethodHandles.Lookup lookup, String name) throws ReflectiveOperationException {
        Field field = Thread.class.getDeclaredField(name);
        return lookup.unreflectVarHandle(field);
    }

    /** Forgets those of the calling thread. */
    void clear(Thread current) {
        ordinary.set(current, null);
        inheritable.set(current, null);
    }
}
