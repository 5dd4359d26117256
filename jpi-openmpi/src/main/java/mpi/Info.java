package mpi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hints, which are kept but not heeded. */
public final class Info implements Freeable, Cloneable {
    private final Map<String, String> hints = new LinkedHashMap<>();

    /** None so far. */
    public Info() {}

    /** Adds one. */
    public void set(String key, String value) {
        hints.put(key, value);
    }

    /** One; null: it is not there. */
    public @Nullable String get(String key) {
        return hints.get(key);
    }

    /** Takes one away. */
    public void delete(String key) {
        if (hints.remove(key) == null) {
            throw new MPIException("there is no hint " + key);
        }
    }

    /** How many. */
    public int size() {
        return hints.size();
    }

    /** The name of one. */
    public String getKey(int i) {
        return List.copyOf(hints.keySet()).get(i);
    }

    /** Another one like this. */
    public Info dup() {
        Info copy = new Info();
        copy.hints.putAll(hints);
        return copy;
    }

    /** Another one like this. */
    @Override
    public Info clone() {
        return dup();
    }

    /** Does nothing: the garbage collector knows. */
    @Override
    public void free() {}

    /** If it is {@link MPI#INFO_NULL}. */
    public boolean isNull() {
        return this == MPI.INFO_NULL;
    }
}
