package jpi.internal.objects;

import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
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
        String objection = allowed.objection(type);
        return objection == null && !JdkTypes.contains(type.getName()) && writesOtherFields(type)
                ? "which writes its fields as other types than they have, as Java's serialisation can: make it transient, send what it is"
                        + " made of, or start JRun with -serial java"
                : objection;
    }

    /** As java.util.Random does, whose seed is an AtomicLong and goes as a long. */
    private static boolean writesOtherFields(Class<?> type) {
        for (ObjectStreamClass some = ObjectStreamClass.lookup(type);
                some != null;
                some = ObjectStreamClass.lookup(some.forClass().getSuperclass())) {
            Map<String, Class<?>> types = new HashMap<>();
            for (Field field : some.forClass().getDeclaredFields()) {
                types.put(field.getName(), field.getType());
            }
            for (ObjectStreamField written : some.getFields()) {
                if (types.getOrDefault(written.getName(), written.getType()) != written.getType()) {
                    return true;
                }
            }
        }
        return false;
    }
}
