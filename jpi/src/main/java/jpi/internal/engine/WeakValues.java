package jpi.internal.engine;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map that forgets values which nobody else has any more. Not thread-safe.
 *
 * @param <K> what they are known by
 * @param <V> what is kept as long as others do
 */
final class WeakValues<K, V> {
    private final Map<K, WeakReference<V>> values = new HashMap<>();
    /** When there are so many it is time to look for those that have been dropped. */
    private int crowd = 16;

    void put(K key, V value) {
        values.put(key, new WeakReference<>(value));
        if (values.size() >= crowd) {
            var _ = values.values().removeIf(reference -> reference.refersTo(null));
            crowd = 2 * values.size() + 1;
        }
    }

    /** Null: there is none, or it has been dropped. */
    @Nullable
    V get(K key) {
        WeakReference<V> found = values.get(key);
        return found == null ? null : found.get();
    }
}
