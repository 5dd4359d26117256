package ayatori.server;

import ayatori.internal.linux.Futex;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that wait for the same and lend their priorities to who brings it about, each by a word of its own, which holds that
 * one's id. No operation waits for another. Thread-safe.
 */
final class Lenders {
    /** One of them. */
    record Lender(Thread thread, MemorySegment word) {}

    /**
     * A field named {@code lenders} that is null until somebody lends: hardly any request needs more.
     *
     * @param owner the class that has the field, and asks for this
     */
    static VarHandle field(MethodHandles.Lookup lookup, Class<?> owner) {
        try {
            return lookup.findVarHandle(owner, "lenders", Lenders.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What is in such a field, made if need be. */
    static Lenders in(VarHandle field, Object owner) {
        Lenders made = new Lenders();
        Lenders before = (Lenders) field.compareAndExchange(owner, null, made);
        return before == null ? made : before;
    }

    /** Copied to be changed: there is hardly ever more than one. */
    private final AtomicReference<List<Lender>> all = new AtomicReference<>(List.of());

    void add(Lender lender) {
        all.getAndUpdate(before -> {
            List<Lender> after = new ArrayList<>(before);
            after.add(lender);
            return after;
        });
    }

    void remove(Lender lender) {
        all.getAndUpdate(before -> {
            List<Lender> after = new ArrayList<>(before);
            after.remove(lender);
            return after;
        });
    }

    /** What they wait for is over, or no longer the calling thread's: those who lend it their priorities look again. */
    void letGo() {
        List<Lender> now = all.get();
        if (!now.isEmpty()) {
            int caller = Caller.id();
            for (Lender lender : now) {
                Futex.letGoPi(lender.word, caller, Futex.Scope.PRIVATE);
                LockSupport.unpark(lender.thread);
            }
        }
    }

    /** It is known now to whom they can lend: those who sleep until then look again. */
    void wake() {
        all.get().forEach(lender -> LockSupport.unpark(lender.thread));
    }
}
