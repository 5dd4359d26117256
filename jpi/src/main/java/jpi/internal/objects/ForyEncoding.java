package jpi.internal.objects;

import org.apache.fory.resolver.SharedRegistry;
import org.jspecify.annotations.Nullable;

/**
 * By Apache Fory. Identity and cycles are kept within a message; strings and times are values, which may come back as several
 * equal ones. Class names travel, not numbers that all workers would have to agree upon, and each name is judged by
 * {@link AllowedTypes} before its class is loaded.
 *
 * <p>All workers run the same classes: so Fory sends no descriptions of them. Code is generated when a class is met for the first
 * time (some 50 ms of CPU, for the first class of all 400), once for all instances.
 */
final class ForyEncoding implements Encoding {
    private final AllowedTypes allowed;
    private final ForyPool pool;

    ForyEncoding(AllowedTypes allowed) {
        this.allowed = allowed;
        SharedRegistry registry = new SharedRegistry();
        pool = new ForyPool(() -> new ForyInstance(allowed, registry));
    }

    @Override
    public void write(@Nullable Object object, EncodedBytes into) {
        ForyInstance instance = pool.take();
        boolean good = false;
        try {
            instance.write(object, into);
            good = true;
        } finally {
            pool.end(instance, good);
        }
    }

    @Override
    public @Nullable Object read(byte[] bytes, int offset, int length) throws ClassNotFoundException {
        ForyInstance instance = pool.take();
        boolean good = false;
        try {
            Object object = instance.read(bytes, offset, length);
            good = true;
            return object;
        } finally {
            pool.end(instance, good);
        }
    }

    @Override
    public @Nullable String objection(Class<?> type) {
        return allowed.objection(type);
    }
}
