package jpi.internal.objects;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** By Java serialisation, behind a filter that lets in what {@link AllowedTypes} allows and nothing else. */
final class JavaEncoding implements Encoding {
    /** A ConcurrentHashMap writes segments, for the sake of JDK 7, which are locks; they come out open. No others may travel. */
    private static final Set<String> LOCKS = Set.of(
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantLock$Sync",
            "java.util.concurrent.locks.ReentrantLock$NonfairSync",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer",
            "java.util.concurrent.locks.AbstractOwnableSynchronizer");

    private final AllowedTypes allowed;

    JavaEncoding(AllowedTypes allowed) {
        this.allowed = allowed;
    }

    @Override
    public void write(@Nullable Object object, EncodedBytes into) throws IOException {
        into.set(into.array(), 1);
        try (ObjectOutputStream stream = new Writer(new Appender(into))) {
            stream.writeObject(object);
        }
    }

    @Override
    public @Nullable Object read(byte[] bytes, int offset, int length) throws IOException, ClassNotFoundException {
        try (ObjectInputStream stream = new Reader(new ByteArrayInputStream(bytes, offset, length))) {
            return stream.readObject();
        }
    }

    @Override
    public @Nullable String objection(Class<?> type) {
        String objection = allowed.objection(type);
        if (objection == null && !type.isPrimitive() && !Serializable.class.isAssignableFrom(type)) {
            return "which does not implement java.io.Serializable: let it, make it transient, or start JRun without"
                    + " -serial java";
        }
        return objection;
    }

    private void check(Class<?> type) {
        String objection = LOCKS.contains(type.getName()) ? null : allowed.objection(type);
        if (objection != null) {
            throw new TypeRefusedException(type.getName(), objection);
        }
    }

    private Object requireNoLock(Object object) {
        if (object instanceof ReentrantLock lock
                && LOCKS.contains(lock.getClass().getName())) {
            throw new TypeRefusedException(
                    lock.getClass().getName(), Objects.requireNonNull(allowed.objection(lock.getClass())));
        }
        return object;
    }

    /** Adds to the bytes of a message. */
    private static final class Appender extends OutputStream {
        private final EncodedBytes bytes;

        Appender(EncodedBytes bytes) {
            this.bytes = bytes;
        }

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int count) {
            int end = Math.addExact(bytes.length(), count);
            byte[] array = bytes.array();
            if (end > array.length) {
                array = Arrays.copyOf(array, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * end));
            }
            System.arraycopy(source, offset, array, bytes.length(), count);
            bytes.set(array, end);
        }
    }

    /** Refuses where the message is sent, not only where it arrives. */
    private final class Writer extends ObjectOutputStream {
        Writer(OutputStream out) throws IOException {
            super(out);
            var _ = enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object object) {
            return requireNoLock(object);
        }

        @Override
        protected void annotateClass(Class<?> type) {
            check(type);
        }

        @Override
        protected void annotateProxyClass(Class<?> type) {
            check(type);
        }
    }

    /** Knows the application's classes. */
    private final class Reader extends ObjectInputStream {
        Reader(InputStream in) throws IOException {
            super(in);
            var _ = enableResolveObject(true);
            setObjectInputFilter(info -> {
                if (info.serialClass() != null) {
                    check(info.serialClass());
                }
                return ObjectInputFilter.Status.ALLOWED;
            });
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            String name = description.getName();
            Class<?> primitive = Class.forPrimitiveName(name);
            if (primitive != null) {
                return primitive; // as a value
            }
            String objection = LOCKS.contains(name) ? null : allowed.objection(name);
            if (objection != null) {
                throw new TypeRefusedException(name, objection);
            }
            return Class.forName(name, false, allowed.loader());
        }

        @Override
        protected Object resolveObject(Object object) {
            return requireNoLock(object);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) {
            throw new TypeRefusedException(
                    "a proxy of " + String.join(", ", interfaces), "which is code: send a record instead");
        }
    }
}
