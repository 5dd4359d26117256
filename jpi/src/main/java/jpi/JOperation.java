package jpi;

import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import jpi.UsualElements.Usual;
import org.jspecify.annotations.Nullable;

/**
 * How a reduction makes one value of two. The usual operations apply to boxed numbers of one class, to primitive arrays of one
 * type and length, element by element, and to the elements of a {@link JBuffer}; they wrap around as Java's do. Others are
 * made of a lambda, which must be associative, may be called by any thread, and changes neither of its arguments.
 *
 * <p>Values are combined in the order of the ranks, unless the operation is commutative; in which groups depends on how many
 * ranks there are, how large the values, and if there is a CPU for each rank, not on time: a program that is run again with as
 * many ranks on as many CPUs gets the same bits.
 *
 * @param <T> what it applies to
 */
public final class JOperation<T> {
    /** The sum. */
    public static final JOperation<Object> SUM = usual(Usual.SUM);
    /** The product. */
    public static final JOperation<Object> PROD = usual(Usual.PROD);
    /** The greatest; of any two {@link Comparable}s of one class. NaN, if there is one. */
    public static final JOperation<Object> MAX = usual(Usual.MAX);
    /** The least; of any two {@link Comparable}s of one class. NaN, if there is one. */
    public static final JOperation<Object> MIN = usual(Usual.MIN);
    /** Logical and: of Booleans; of integers, where 0 is false, anything else is true, and true becomes 1. */
    public static final JOperation<Object> LAND = usual(Usual.LAND);
    /** Logical or, as {@link #LAND}. */
    public static final JOperation<Object> LOR = usual(Usual.LOR);
    /** Logical exclusive or, as {@link #LAND}. */
    public static final JOperation<Object> LXOR = usual(Usual.LXOR);
    /** Bitwise and, of integers. */
    public static final JOperation<Object> BAND = usual(Usual.BAND);
    /** Bitwise or, of integers. */
    public static final JOperation<Object> BOR = usual(Usual.BOR);
    /** Bitwise exclusive or, of integers. */
    public static final JOperation<Object> BXOR = usual(Usual.BXOR);
    /** The greatest value, and where it is; of objects only. */
    public static final JOperation<JLocated<?>> MAXLOC =
            new JOperation<>("MAXLOC", true, (a, b) -> better(b, a, compare(b.value(), a.value())) ? b : a, null);
    /** The least value, and where it is; of objects only. */
    public static final JOperation<JLocated<?>> MINLOC =
            new JOperation<>("MINLOC", true, (a, b) -> better(b, a, compare(a.value(), b.value())) ? b : a, null);

    /** The right one of two: in a {@link JWindow} the value that is given takes the place of the one there. */
    public static final JOperation<Object> REPLACE =
            new JOperation<>("REPLACE", false, null, new Elementwise.OneOperand(true));
    /** The left one of two: in a {@link JWindow} nothing changes, and a value is only fetched. */
    public static final JOperation<Object> NO_OP =
            new JOperation<>("NO_OP", false, null, new Elementwise.OneOperand(false));

    private final String name;
    private final boolean commutative;
    /** Null: it goes by elements. */
    private final @Nullable BinaryOperator<T> operator;
    /** Null: it applies to objects only. */
    private final @Nullable Elementwise elements;

    private JOperation(
            String name, boolean commutative, @Nullable BinaryOperator<T> operator, @Nullable Elementwise elements) {
        this.name = name;
        this.commutative = commutative;
        this.operator = operator;
        this.elements = elements;
    }

    private static JOperation<Object> usual(Usual usual) {
        return new JOperation<>(usual.name(), true, null, new UsualElements(usual));
    }

    private static boolean better(JLocated<?> one, JLocated<?> other, int comparison) {
        return comparison > 0 || (comparison == 0 && one.location() < other.location());
    }

    private static <L> L given(@Nullable L operator) {
        return Given.required(operator, "an operation", "a lambda", "say what it makes of two values");
    }

    /** One on objects, for which {@code a op b} is {@code b op a}. */
    public static <T> JOperation<T> of(BinaryOperator<T> operator) {
        return new JOperation<>("a lambda on objects", true, given(operator), null);
    }

    /** One on objects, for which {@code a op b} need not be {@code b op a}. */
    public static <T> JOperation<T> nonCommutative(BinaryOperator<T> operator) {
        return new JOperation<>("a non-commutative lambda on objects", false, given(operator), null);
    }

    /** One on the elements of buffers and arrays of int, short, char or byte, and on their boxes; commutative. */
    public static JOperation<Object> ofInts(IntBinaryOperator operator) {
        return byElements("ints", new Elementwise.OfInts(given(operator)));
    }

    /** One on the elements of buffers and arrays of long, and on Longs; commutative. */
    public static JOperation<Object> ofLongs(LongBinaryOperator operator) {
        return byElements("longs", new Elementwise.OfLongs(given(operator)));
    }

    /** One on the elements of buffers and arrays of double or float, and on their boxes; commutative. */
    public static JOperation<Object> ofDoubles(DoubleBinaryOperator operator) {
        return byElements("doubles", new Elementwise.OfDoubles(given(operator)));
    }

    private static JOperation<Object> byElements(String type, Elementwise elements) {
        return new JOperation<>("a lambda on " + type, true, null, elements);
    }

    /** The same operation, which need not be commutative: it is applied in the order of the ranks. */
    public JOperation<T> nonCommutative() {
        return commutative ? new JOperation<>("non-commutative: " + name, false, operator, elements) : this;
    }

    /** If {@code a op b} is {@code b op a}. */
    public boolean isCommutative() {
        return commutative;
    }

    /** If it takes arrays apart. */
    boolean isByElements() {
        return elements != null;
    }

    /** Applies it to two objects; a new one comes out, unless it is a lambda that returns one of the two. */
    T apply(T left, T right) {
        if (operator == null) {
            return combine(left, right);
        }
        T made = operator.apply(left, right);
        if (made == null) {
            throw new JException(name + " has returned null: it must return a value");
        }
        return made;
    }

    @SuppressWarnings("unchecked") // an operation by elements gives what it takes
    private T combine(T left, T right) {
        if (left == null || right == null) {
            throw new JException(name + " of null: every rank must give a value");
        }
        if (left.getClass() != right.getClass()) {
            throw new JException(name + " of a " + left.getClass().getName() + " and a "
                    + right.getClass().getName() + ": every rank must give a value of the same class");
        }
        if (JType.ofArray(left) != null) {
            return (T) combineArrays(JBuffer.ofArray(left), JBuffer.ofArray(right));
        }
        Object leftArray = unboxed(left);
        Object rightArray = unboxed(right);
        if (leftArray != null && rightArray != null) {
            return (T) boxed(combineArrays(JBuffer.ofArray(leftArray), JBuffer.ofArray(rightArray)));
        }
        requireSuits(left);
        UsualElements usual = (UsualElements) Objects.requireNonNull(elements);
        if (usual.usual().isLogical()) {
            return (T) (Boolean) usual.logical((Boolean) left, (Boolean) right);
        }
        boolean greater = compare(right, left) > 0;
        return greater == (usual.usual() == Usual.MAX) ? right : left;
    }

    private Object combineArrays(JBuffer left, JBuffer right) {
        requireSuits(left.type());
        if (left.count() != right.count()) {
            throw new JException(name + " of " + left.count() + " and " + right.count() + " " + left.type()
                    + "s: every rank must give an array of the same length");
        }
        Object result = left.toArray();
        fold(JBuffer.ofArray(result), right, false);
        return result;
    }

    /**
     * {@code into} becomes {@code into op from}, or {@code from op into}, element by element.
     *
     * @param fromIsLeft the latter
     */
    void fold(JBuffer into, JBuffer from, boolean fromIsLeft) {
        Objects.requireNonNull(elements).fold(into, from, fromIsLeft);
    }

    /** What it does to elements of a type, to which it applies. */
    Elementwise elementsFor(JType type) {
        requireSuits(type);
        return Objects.requireNonNull(elements);
    }

    /** Refuses elements to which it does not apply. */
    void requireSuits(JType type) {
        if (elements == null) {
            throw new JException(name + " does not apply to the elements of buffers: reduce objects,"
                    + " or make the operation by ofInts, ofLongs or ofDoubles");
        }
        if (!elements.suits(type)) {
            throw refusal(type + "s");
        }
    }

    /** Refuses an object to which it does not apply: at each rank, whatever the others give. */
    void requireSuits(Object value) {
        if (elements == null) {
            return; // it takes what the program's types let it take
        }
        JType type = JType.ofArray(JType.ofArray(value) == null ? unboxed(value) : value);
        if (type != null) {
            requireSuits(type);
        } else if (!(elements instanceof UsualElements usual && suits(usual.usual(), value))) {
            throw refusal(value.getClass().getSimpleName());
        }
    }

    /** If one of the usual operations applies to an object that is neither a number nor an array. */
    private static boolean suits(Usual usual, Object value) {
        return usual.isLogical()
                ? value instanceof Boolean
                : value instanceof Comparable<?> && (usual == Usual.MAX || usual == Usual.MIN);
    }

    private JException refusal(String what) {
        String domain = elements == null ? "objects" : elements.domain();
        return new JException(name + " applies to " + domain + ", not to " + what
                + ": choose another operation, or make one of a lambda by JOperation.of");
    }

    @SuppressWarnings("unchecked") // of one class
    private static int compare(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static @Nullable Object unboxed(Object box) {
        return switch (box) {
            case Byte b -> new byte[] {b};
            case Character c -> new char[] {c};
            case Short s -> new short[] {s};
            case Integer i -> new int[] {i};
            case Long l -> new long[] {l};
            case Float f -> new float[] {f};
            case Double d -> new double[] {d};
            default -> null;
        };
    }

    private static Object boxed(Object array) {
        return switch (array) {
            case byte[] a -> a[0];
            case char[] a -> a[0];
            case short[] a -> a[0];
            case int[] a -> a[0];
            case long[] a -> a[0];
            case float[] a -> a[0];
            case double[] a -> a[0];
            default -> throw new AssertionError(array.getClass());
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
