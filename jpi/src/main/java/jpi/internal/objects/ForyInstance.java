package jpi.internal.objects;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import jpi.internal.objects.RootTypes.RootType;
import org.apache.fory.Fory;
import org.apache.fory.config.Config;
import org.apache.fory.config.ForyBuilder;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.exception.InsecureException;
import org.apache.fory.logging.LoggerFactory;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.SharedRegistry;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.JdkProxySerializer;
import org.apache.fory.serializer.LambdaSerializer;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/** A Fory set up for messages, with the buffers that it uses. For one thread at a time. After a failure it is not used again. */
final class ForyInstance {
    /** Fory reads nested objects by recursion; deeper ones would end a thread's stack of usual size. */
    private static final int DEEPEST = 10_000;
    /** Stands in the buffers between messages, so that they keep no message alive. */
    private static final byte[] NONE = new byte[1];

    // How a message goes on: by name and then what is in it, or as Fory has it.
    static final byte NAMED = 1;
    static final byte BY_FORY = 2;

    private static final String CODE = "which is code: send a record or an enum constant that says what to do";

    private final AllowedTypes allowed;
    private final Fory fory;
    private final RootTypes roots;
    private final MemoryBuffer in = MemoryBuffer.fromByteArray(NONE);
    private final MemoryBuffer out = MemoryBuffer.fromByteArray(NONE);
    /** Type that was refused last: Fory asks about declared types too, and goes on if no object of them comes. */
    private @Nullable String refused;

    ForyInstance(AllowedTypes allowed, SharedRegistry registry) {
        this.allowed = allowed;
        LoggerFactory.disableLogging();
        ForyBuilder builder = Fory.builder()
                .withXlang(false)
                .withCompatible(false)
                .withRefTracking(true)
                .requireClassRegistration(false)
                .withTypeChecker((_, name) -> check(name))
                // Decided by the checker: who allows a class of the JDK by name means it.
                .withJdkClassSerializableCheck(false)
                .withSerializerFactory(this::refuseFieldsOf)
                .registerGuavaTypes(false)
                .withMaxDepth(DEEPEST)
                // Bounds against hostile messages, which would only meet large ones here.
                .withMaxGraphMemoryBytes(Long.MAX_VALUE)
                .withMaxUnbackedContainerItems(Integer.MAX_VALUE)
                .withSharedRegistry(registry);
        if (allowed.loader() != null) {
            builder.withClassLoader(allowed.loader());
        }
        fory = builder.build();
        // Fory knows these by number and so does not ask whether they are allowed.
        TypeResolver types = fory.getTypeResolver();
        for (Class<?> code : List.of(
                SerializedLambda.class, LambdaSerializer.ReplaceStub.class, JdkProxySerializer.ReplaceStub.class)) {
            types.registerInternalSerializer(code, new Refusal<>(types.getConfig(), code, CODE));
        }
        // One with more room than the message has bytes would be taken for hostile.
        refuse(types, ArrayBlockingQueue.class);
        types.registerInternalSerializer(Class.class, new ClassGuard(types.getConfig()));
        types.finishRegistration();
        roots = new RootTypes(allowed, types);
    }

    private boolean check(String name) {
        if (allowed.objection(name) == null) {
            return true;
        }
        refused = name;
        return false;
    }

    /**
     * Called before a class gets its serializer. Fory makes serializers for the types of its fields, with all that these refer
     * to, even if the fields stay empty. In place of those that are refused it gets one that minds only if there is an object.
     */
    private @Nullable Serializer<?> refuseFieldsOf(TypeResolver types, Class<?> type) {
        for (Class<?> part = type; part != null && !JdkTypes.contains(part.getName()); part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
                    refuse(types, field.getGenericType());
                }
            }
        }
        return null; // the usual one
    }

    private void refuse(TypeResolver types, Type declared) {
        switch (declared) {
            case Class<?> type when type.isArray() || !Modifier.isAbstract(type.getModifiers()) -> refuse(types, type);
            case ParameterizedType generic -> {
                refuse(types, generic.getRawType());
                for (Type argument : generic.getActualTypeArguments()) {
                    refuse(types, argument);
                }
            }
            case WildcardType wildcard -> refuse(types, wildcard.getUpperBounds()[0]);
            case GenericArrayType array -> refuse(types, array.getGenericComponentType());
            default -> {} // has no objects, or no one knows which
        }
    }

    private <T> void refuse(TypeResolver types, Class<T> type) {
        String objection = allowed.objection(type);
        if (objection != null) {
            types.setSerializer(type, new Refusal<>(types.getConfig(), type, objection));
        }
    }

    private RuntimeException refusal(InsecureException e) {
        String objection = refused == null ? null : allowed.objection(refused);
        return refused == null || objection == null ? e : new TypeRefusedException(refused, objection);
    }

    /** See {@link Encoding#write}. */
    void write(@Nullable Object object, EncodedBytes into) {
        out.pointTo(into.array(), 0, into.array().length);
        out.writerIndex(1);
        try {
            RootType type = object == null ? null : roots.of(object.getClass());
            if (type == null) {
                out.writeByte(BY_FORY);
                fory.serialize(out, object);
            } else {
                out.writeByte(NAMED);
                write(requireNonNull(object), type);
            }
        } catch (InsecureException e) {
            throw refusal(e);
        }
        into.set(out.getHeapMemory(), out.writerIndex());
        out.pointTo(NONE, 0, NONE.length);
    }

    private void write(Object object, RootType type) {
        out.writeInt16((short) type.name().length); // at most 65,535, as in class files
        out.writeBytes(type.name());
        type.write(fory.getWriteContext(), out, object);
    }

    /** See {@link Encoding#read}. */
    @Nullable
    Object read(byte[] bytes, int offset, int length) throws ClassNotFoundException {
        in.pointTo(bytes, offset, length);
        in.readerIndex(0);
        Object object;
        try {
            object = in.readByte() == NAMED ? readNamed(bytes, offset) : fory.deserialize(in);
        } catch (InsecureException e) {
            throw refusal(e);
        }
        if (in.readerIndex() != length) {
            throw new IllegalStateException("its object ends after " + in.readerIndex() + " bytes");
        }
        in.pointTo(NONE, 0, NONE.length);
        return object;
    }

    private Object readNamed(byte[] bytes, int offset) throws ClassNotFoundException {
        int length = Short.toUnsignedInt(in.readInt16());
        int start = in.readerIndex();
        in.increaseReaderIndex(length); // which minds if there are fewer
        RootType type = roots.named(bytes, offset + start, length);
        return type.read(fory.getReadContext(), in);
    }

    /** Classes as values: Fory looks at them only where they arrive. */
    private final class ClassGuard extends Serializer<Class<?>> {
        private void check(Class<?> value) {
            String objection = allowed.objection(value);
            if (objection != null) {
                throw new TypeRefusedException(value.getName(), objection);
            }
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        ClassGuard(Config config) {
            super(config, (Class) Class.class, false, true);
        }

        @Override
        public void write(WriteContext context, Class<?> value) {
            check(value);
            ((ClassResolver) context.getTypeResolver()).writeClassInternal(context, value);
        }

        @Override
        public Class<?> read(ReadContext context) {
            Class<?> value = ((ClassResolver) context.getTypeResolver()).readClassInternal(context);
            check(value);
            return value;
        }
    }

    /** Stands for a type that is refused. */
    private static final class Refusal<T> extends Serializer<T> {
        private final String objection;

        Refusal(Config config, Class<T> type, String objection) {
            super(config, type);
            this.objection = objection;
        }

        @Override
        public void write(WriteContext context, T value) {
            throw new TypeRefusedException(type.getName(), objection);
        }

        @Override
        public T read(ReadContext context) {
            throw new TypeRefusedException(type.getName(), objection);
        }
    }
}
