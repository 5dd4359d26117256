package mpi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which elements of a one-dimensional array belong to an item of a message: of a basic type one, of a derived one several, at
 * places relative to the item's own. All elements of an array are of one basic type, so that extents and displacements are in
 * elements, those of {@link #Hvector} and {@link #Hindexed} too. Immutable.
 */
@SuppressWarnings("MemberName") // MPI's names
public final class Datatype {
    /** Elements one behind the other. */
    record Run(int start, int length) {}

    /** Null of markers alone. */
    private final @Nullable Base base;

    private final List<Run> runs;
    private final int size;
    private final int lb;
    private final int ub;
    /** If bounds were set by {@link MPI#LB} or {@link MPI#UB}: they outweigh those of what is inside. */
    private final boolean lbIsSet;

    private final boolean ubIsSet;

    private Datatype(@Nullable Base base, List<Run> runs, int lb, int ub, boolean lbIsSet, boolean ubIsSet) {
        this.base = base;
        this.runs = runs;
        size = runs.stream().mapToInt(Run::length).sum();
        this.lb = lb;
        this.ub = ub;
        this.lbIsSet = lbIsSet;
        this.ubIsSet = ubIsSet;
    }

    /** Refuses what is none. */
    static Datatype required(@Nullable Datatype type) {
        return Given.required(type, "the datatype is null: give one, such as MPI.INT");
    }

    static Datatype basic(Base base) {
        return new Datatype(base, List.of(new Run(0, 1)), 0, 1, false, false);
    }

    static Datatype marker(boolean lower) {
        return new Datatype(null, List.of(), 0, 0, lower, !lower);
    }

    /** Some types, each at its place. */
    private static final class Composition {
        private final List<Run> runs = new ArrayList<>();
        private @Nullable Base base;
        private boolean lbIsSet;
        private boolean ubIsSet;
        private int lb = Integer.MAX_VALUE;
        private int ub = Integer.MIN_VALUE;

        void add(int displacement, Datatype type) {
            if (type.base != null && base != null && type.base != base) {
                throw new MPIException("a datatype of " + base + " and " + type.base
                        + ": all elements must be of one basic type, for they lie in one array");
            }
            base = type.base == null ? base : type.base;
            for (Run run : type.runs) {
                append(displacement + run.start(), run.length());
            }
            if (type.lbIsSet || (!lbIsSet && type.base != null)) {
                lb = Math.min(type.lbIsSet && !lbIsSet ? Integer.MAX_VALUE : lb, displacement + type.lb);
                lbIsSet |= type.lbIsSet;
            }
            if (type.ubIsSet || (!ubIsSet && type.base != null)) {
                ub = Math.max(type.ubIsSet && !ubIsSet ? Integer.MIN_VALUE : ub, displacement + type.ub);
                ubIsSet |= type.ubIsSet;
            }
        }

        private void append(int start, int length) {
            if (!runs.isEmpty()) {
                Run last = runs.getLast();
                if (last.start() + last.length() == start) {
                    runs.set(runs.size() - 1, new Run(last.start(), last.length() + length));
                    return;
                }
            }
            runs.add(new Run(start, length));
        }

        Datatype type(@Nullable Base otherwise) {
            int lower = lb == Integer.MAX_VALUE ? 0 : lb;
            int upper = ub == Integer.MIN_VALUE ? lower : ub;
            return new Datatype(base == null ? otherwise : base, List.copyOf(runs), lower, upper, lbIsSet, ubIsSet);
        }
    }

    /** Items one behind the other. */
    public static Datatype Contiguous(int count, Datatype oldtype) {
        return Vector(1, count, count, oldtype);
    }

    /**
     * Blocks at equal distances.
     *
     * @param stride from the start of a block to that of the next, in items
     */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) {
        return Hvector(count, blocklength, stride * required(oldtype).Extent(), oldtype);
    }

    /**
     * Blocks at equal distances.
     *
     * @param stride from the start of a block to that of the next, in elements
     */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) {
        if (count < 0) {
            throw new MPIException("count " + count + " of blocks: must be 0 or more");
        }
        Composition all = new Composition();
        for (int i = 0; i < count; i++) {
            addBlock(all, i * stride, blocklength, oldtype);
        }
        return all.type(required(oldtype).base);
    }

    private static void addBlock(Composition all, int displacement, int length, @Nullable Datatype of) {
        Datatype type = required(of);
        if (length < 0) {
            throw new MPIException("block length " + length + ": must be 0 or more");
        }
        for (int i = 0; i < length; i++) {
            all.add(displacement + i * type.Extent(), type);
        }
    }

    /**
     * Blocks anywhere.
     *
     * @param displacements where each begins, in items
     */
    public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
        requireEach(blocklengths, displacements);
        int[] inElements = displacements.clone();
        for (int i = 0; i < inElements.length; i++) {
            inElements[i] *= required(oldtype).Extent();
        }
        return Hindexed(blocklengths, inElements, oldtype);
    }

    /**
     * Blocks anywhere.
     *
     * @param displacements where each begins, in elements
     */
    public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
        requireEach(blocklengths, displacements);
        Composition all = new Composition();
        for (int i = 0; i < blocklengths.length; i++) {
            addBlock(all, displacements[i], blocklengths[i], oldtype);
        }
        return all.type(required(oldtype).base);
    }

    /**
     * Blocks of different types, all of one basic type; {@link MPI#LB} and {@link MPI#UB} among them set the bounds.
     *
     * @param displacements where each begins, in elements
     */
    public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] types) {
        requireEach(blocklengths, displacements);
        if (types == null || types.length < blocklengths.length) {
            throw new MPIException((types == null ? "null" : types.length) + " datatypes for " + blocklengths.length
                    + " blocks: must be one for each");
        }
        Composition all = new Composition();
        for (int i = 0; i < blocklengths.length; i++) {
            addBlock(all, displacements[i], blocklengths[i], types[i]);
        }
        return all.type(null);
    }

    private static void requireEach(int @Nullable [] blocklengths, int @Nullable [] displacements) {
        if (blocklengths == null || displacements == null || displacements.length < blocklengths.length) {
            throw new MPIException((displacements == null ? "null" : displacements.length) + " displacements for "
                    + (blocklengths == null ? "null" : blocklengths.length) + " block lengths: must be one for each");
        }
    }

    /** From one item to the next, in elements. */
    public int Extent() {
        return ub - lb;
    }

    /** How many elements belong to an item. */
    public int Size() {
        return size;
    }

    /** Where an item begins, in elements. */
    public int Lb() {
        return lb;
    }

    /** Where an item ends, in elements. */
    public int Ub() {
        return ub;
    }

    /** Does nothing: a datatype can be used at once. */
    public void Commit() {}

    /** Does nothing: the garbage collector knows. */
    public void free() {}

    /** Does nothing: the garbage collector knows. */
    public void Free() {}

    /** Size of an item, bytes; of objects, how many. */
    public int getByteSize() {
        return size * base().size();
    }

    /** What is empty travels as no bytes. */
    Base base() {
        return base == null ? Base.BYTE : base;
    }

    /** Where the first element of an item is. */
    int start() {
        return runs.stream().mapToInt(Run::start).min().orElse(0);
    }

    /** Behind the last element of an item, of which the gap that may follow is no part. */
    int end() {
        return runs.stream().mapToInt(run -> run.start() + run.length()).max().orElse(0);
    }

    List<Run> runs() {
        return runs;
    }

    /** If items lie one behind the other without gaps. */
    boolean isDense() {
        return runs.size() == 1 && runs.getFirst().start() == 0 && lb == 0 && ub == size;
    }
}
