package jpi.internal.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.fory.builder.Generated;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The classes of messages themselves, as opposed to what these refer to. Fory takes as long for the name of a class as for five
 * fields; here it travels as bytes, which the receiver compares with those of the last message. For one thread at a time.
 */
final class RootTypes {
    private final AllowedTypes allowed;
    private final TypeResolver types;
    /** Empty: objects of this class go Fory's own way. */
    private final Map<Class<?>, Optional<RootType>> byClass = new HashMap<>();

    private final Map<String, RootType> byName = new HashMap<>();
    private @Nullable RootType lastWritten;
    private @Nullable RootType lastRead;

    RootTypes(AllowedTypes allowed, TypeResolver types) {
        this.allowed = allowed;
        this.types = types;
    }

    /**
     * A class of the application's whose objects are written by generated code.
     *
     * @param name as {@link Class#getName} has it
     * @param isFlat records of numbers, truth values, texts and enum constants: Fory notes nothing down while it writes or reads one
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record RootType(Class<?> type, byte[] name, Serializer<Object> serializer, boolean isFlat) {
        void write(WriteContext context, MemoryBuffer out, Object object) {
            context.prepare(out, null);
            if (isFlat) {
                serializer.write(context, object);
            } else {
                context.writeRef(object, serializer);
                context.reset();
            }
        }

        Object read(ReadContext context, MemoryBuffer in) {
            context.prepare(in, null, false);
            if (isFlat) {
                return serializer.read(context);
            }
            Object object = context.readRef(serializer);
            context.reset();
            return object;
        }
    }

    /** Null: objects of this class go Fory's own way. */
    @Nullable
    RootType of(Class<?> type) {
        RootType last = lastWritten;
        if (last != null && last.type == type) {
            return last;
        }
        RootType found = byClass.computeIfAbsent(type, this::make).orElse(null);
        if (found != null) {
            lastWritten = found;
        }
        return found;
    }

    /**
     * Of that name.
     *
     * @throws TypeRefusedException if such objects may not travel
     */
    RootType named(byte[] bytes, int offset, int length) throws ClassNotFoundException {
        RootType last = lastRead;
        if (last == null || !Arrays.equals(last.name, 0, last.name.length, bytes, offset, offset + length)) {
            last = named(new String(bytes, offset, length, UTF_8));
            lastRead = last;
        }
        return last;
    }

    private RootType named(String name) throws ClassNotFoundException {
        RootType known = byName.get(name);
        if (known == null) {
            String objection = allowed.objection(name);
            if (objection != null) {
                throw new TypeRefusedException(name, objection);
            }
            known = byClass.computeIfAbsent(Class.forName(name, false, allowed.loader()), this::make)
                    .orElseThrow(() -> new IllegalStateException("a " + name + " does not travel so"));
            byName.put(name, known);
        }
        return known;
    }

    @SuppressWarnings("unchecked") // it is for objects of that class
    private Optional<RootType> make(Class<?> type) {
        if (types.isRegistered(type) || allowed.objection(type) != null) {
            return Optional.empty();
        }
        Serializer<?> serializer = types.getSerializer(type);
        if (!(serializer instanceof Generated)) {
            return Optional.empty();
        }
        return Optional.of(
                new RootType(type, type.getName().getBytes(UTF_8), (Serializer<Object>) serializer, isFlat(type)));
    }

    /** Not any record of what cannot change: of most such objects Fory notes down where it has met them. */
    private static boolean isFlat(Class<?> type) {
        return type.isRecord()
                && Stream.of(type.getDeclaredFields())
                        .filter(field -> !Modifier.isStatic(field.getModifiers()))
                        .allMatch(RootTypes::isFlat);
    }

    private static boolean isFlat(Field field) {
        Class<?> type = field.getType();
        boolean isValue = type.isPrimitive() || type.isEnum() || type == String.class;
        return isValue && field.getAnnotations().length == 0; // Fory has some that ask for more
    }
}
