package jpi.internal.objects;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What need not be copied since nobody can change it: values of the JDK, enums, classes, and records and unmodifiable collections
 * of such. What is decided by a class alone is found out once for each class.
 */
final class Immutables {
    /** Records and collections that are looked at for one object; whoever has more is copied. Also bounds the recursion. */
    private static final int PATIENCE = 1000;

    private static final Set<Class<?>> VALUES = Set.of(
            Boolean.class,
            Byte.class,
            Character.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            String.class,
            Class.class,
            BigInteger.class,
            BigDecimal.class,
            MathContext.class,
            UUID.class,
            URI.class,
            Locale.class,
            Currency.class,
            Pattern.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class,
            StackTraceElement.class,
            Duration.class,
            Instant.class,
            LocalDate.class,
            LocalDateTime.class,
            LocalTime.class,
            MonthDay.class,
            OffsetDateTime.class,
            OffsetTime.class,
            Period.class,
            Year.class,
            YearMonth.class,
            ZonedDateTime.class,
            ZoneOffset.class,
            ZoneId.of("Europe/Vienna").getClass());

    private static final Set<Class<?>> COLLECTIONS = Set.copyOf(List.of(
            List.of().getClass(),
            List.of(1).getClass(),
            List.of(1, 2, 3).getClass(),
            Set.of().getClass(),
            Set.of(1).getClass(),
            Set.of(1, 2, 3).getClass(),
            Map.of().getClass(),
            Map.of(1, 1).getClass(),
            Map.of(1, 1, 2, 2).getClass()));

    private static final ClassValue<Nature> NATURES = new ClassValue<>() {
        @Override
        protected Nature computeValue(Class<?> type) {
            return natureOf(type);
        }
    };

    private int patience = PATIENCE;

    private Immutables() {}

    /** What a class alone says of its objects. */
    private sealed interface Nature {
        /** All of them are or none is. */
        enum Plain implements Nature {
            IMMUTABLE,
            MUTABLE,
            COLLECTION,
            OPTIONAL
        }

        /** A record that is immutable if the values of these fields are. */
        record Of(List<Field> fields) implements Nature {}
    }

    /** If all objects of a class, and all that they refer to, are values that can never change. */
    static boolean areAll(Class<?> type) {
        return NATURES.get(type) == Nature.Plain.IMMUTABLE;
    }

    /** If an object and all that it refers to can never change. */
    static boolean contains(@Nullable Object object) {
        return new Immutables().test(object);
    }

    private boolean test(@Nullable Object object) {
        if (object == null) {
            return true;
        }
        Nature nature = NATURES.get(object.getClass());
        if (nature == Nature.Plain.IMMUTABLE) {
            return true;
        }
        if (nature == Nature.Plain.MUTABLE || --patience < 0) {
            return false;
        }
        return switch (nature) {
            case Nature.Of(List<Field> fields) -> testFields(object, fields);
            case Nature.Plain _ ->
                switch (object) {
                    case Map<?, ?> map -> testAll(map.keySet()) && testAll(map.values());
                    case Collection<?> collection -> testAll(collection);
                    case Optional<?> optional -> test(optional.orElse(null));
                    default -> false;
                };
        };
    }

    private boolean testAll(Collection<?> elements) {
        for (Object element : elements) {
            if (!test(element)) {
                return false;
            }
        }
        return true;
    }

    private boolean testFields(Object object, List<Field> fields) {
        try {
            for (Field field : fields) {
                if (!test(field.get(object))) {
                    return false;
                }
            }
            return true;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // was made accessible
        }
    }

    private static Nature natureOf(Class<?> type) {
        if (VALUES.contains(type) || Enum.class.isAssignableFrom(type)) {
            return Nature.Plain.IMMUTABLE;
        }
        if (COLLECTIONS.contains(type)) {
            return Nature.Plain.COLLECTION;
        }
        if (type == Optional.class) {
            return Nature.Plain.OPTIONAL;
        }
        return type.isRecord() ? natureOfRecord(type) : Nature.Plain.MUTABLE;
    }

    private static Nature natureOfRecord(Class<?> type) {
        List<Field> open = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Class<?> declared = component.getType();
            if (declared.isArray()) {
                return Nature.Plain.MUTABLE;
            }
            boolean known = declared.isPrimitive()
                    || declared.isEnum()
                    || (VALUES.contains(declared) && Modifier.isFinal(declared.getModifiers()));
            if (!known) {
                try {
                    Field field = type.getDeclaredField(component.getName());
                    if (!field.trySetAccessible()) {
                        return Nature.Plain.MUTABLE; // or not: a module hides it
                    }
                    open.add(field);
                } catch (NoSuchFieldException e) {
                    throw new IllegalStateException(e); // each component has one
                }
            }
        }
        return open.isEmpty() ? Nature.Plain.IMMUTABLE : new Nature.Of(List.copyOf(open));
    }
}
