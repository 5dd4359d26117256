package jpi.internal.objects;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds what in an object keeps it from travelling, and the way there by fields, the shortest. Run only after encoding has
 * failed: so good messages pay nothing for it.
 */
final class Culprit {
    private final Encoding encoding;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Queue<Step> open = new ArrayDeque<>();
    private int depth;

    private Culprit(Encoding encoding) {
        this.encoding = encoding;
    }

    /** An object, and by which name it was reached from where. */
    private record Step(Object object, @Nullable Step from, String name, int depth) {
        /** Only for what is reported: in a long chain the paths of all would fill the memory. */
        String path() {
            Deque<String> names = new ArrayDeque<>();
            for (Step step = this; step != null; step = step.from) {
                names.push(step.name);
            }
            return String.join("", names);
        }
    }

    /** What was found: a sentence's middle, or nothing; and how deep the object is nested. */
    record Finding(@Nullable String clause, int depth) {}

    static Finding find(Object root, Encoding encoding) {
        Culprit search = new Culprit(encoding);
        String clause = search.run(root);
        return new Finding(clause, search.depth);
    }

    private @Nullable String run(Object root) {
        visit(root, null, nameOf(root.getClass()));
        Step step = open.poll();
        while (step != null) {
            String objection = encoding.objection(step.object.getClass());
            if (objection != null) {
                return clause(step, "is a " + step.object.getClass().getTypeName(), objection);
            }
            if (step.object instanceof Class<?> type) {
                objection = encoding.objection(type);
                if (objection != null) {
                    return clause(step, "is the class " + type.getTypeName(), objection);
                }
            }
            depth = step.depth;
            try {
                visitContents(step);
            } catch (RuntimeException | StackOverflowError e) {
                // Of a collection of the program's own, whose code has failed: what it holds is not looked at.
            }
            step = open.poll();
        }
        return null;
    }

    private static String clause(Step step, String verdict, String objection) {
        return (step.depth == 0 ? "it " : "field " + step.path() + " ") + verdict + ", " + objection;
    }

    private static String nameOf(Class<?> type) {
        return type.getSimpleName().isEmpty() ? type.getTypeName() : type.getSimpleName();
    }

    private void visit(@Nullable Object object, @Nullable Step from, String name) {
        if (object != null && seen.add(object)) {
            open.add(new Step(object, from, name, from == null ? 0 : from.depth + 1));
        }
    }

    private void visitContents(Step step) {
        switch (step.object) {
            case Object[] array -> {
                for (int i = 0; i < array.length; i++) {
                    visit(array[i], step, "[" + i + "]");
                }
            }
            case Map<?, ?> map ->
                map.forEach((key, value) -> {
                    visit(key, step, ".key");
                    visit(value, step, "[" + text(key) + "]");
                });
            case Collection<?> collection -> {
                int i = 0;
                for (Object element : collection) {
                    visit(element, step, "[" + i++ + "]");
                }
            }
            case Optional<?> optional -> visit(optional.orElse(null), step, ".value");
            case AtomicReference<?> reference -> visit(reference.get(), step, ".value");
            default -> {}
        }
        visit(comparatorOf(step.object), step, ".comparator");
        for (Class<?> type = step.object.getClass(); type != null; type = type.getSuperclass()) {
            if (JdkTypes.contains(type.getName())) {
                break;
            }
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
                    visitField(step, field);
                }
            }
        }
    }

    /** As the program has it say, whose own code may fail. */
    private static String text(@Nullable Object key) {
        try {
            return String.valueOf(key);
        } catch (RuntimeException | StackOverflowError e) {
            return key == null ? "" : "a " + nameOf(key.getClass());
        }
    }

    private static @Nullable Object comparatorOf(Object object) {
        return switch (object) {
            case SortedMap<?, ?> map -> map.comparator();
            case SortedSet<?> set -> set.comparator();
            case PriorityQueue<?> queue -> queue.comparator();
            default -> null;
        };
    }

    private void visitField(Step step, Field field) {
        if (field.getType().isPrimitive() || !field.trySetAccessible()) {
            return; // an application that is a module and does not open itself: the sentence lacks the field
        }
        try {
            visit(field.get(step.object), step, "." + field.getName());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // was made accessible
        }
    }
}
