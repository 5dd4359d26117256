package mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What a program may keep something with, at one rank. */
abstract class Attributed {
    private final Map<Integer, Object> attributes = new ConcurrentHashMap<>();

    /** A key for attributes. */
    public static int createKeyval() {
        return MPI.newKey();
    }

    /** Does nothing: keys are used once. */
    public static void freeKeyval(int keyval) {}

    /** Keeps something with it; null: nothing. */
    public void setAttr(int keyval, @Nullable Object value) {
        keep(attributes, keyval, value);
    }

    /** Open MPI's bindings keep null too, which nobody can tell from nothing. */
    static void keep(Map<Integer, Object> attributes, int keyval, @Nullable Object value) {
        if (value == null) {
            attributes.remove(keyval);
        } else {
            attributes.put(keyval, value);
        }
    }

    /** What is kept; null: nothing. */
    public @Nullable Object getAttr(int keyval) {
        return attributes.get(keyval);
    }

    /** Keeps it no more. */
    public void deleteAttr(int keyval) {
        attributes.remove(keyval);
    }

    final void keepAllOf(Attributed other) {
        attributes.putAll(other.attributes);
    }
}
