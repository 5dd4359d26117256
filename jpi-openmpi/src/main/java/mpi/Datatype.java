package mpi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which bytes of a buffer belong to an item of a message, relative to where the item is. Extents, bounds and sizes are given in
 * elements of the basic type, in bytes for structs. Immutable but for name and attributes.
 */
public final class Datatype extends Attributed implements Freeable, Cloneable {
    /** Bytes one behind the other. */
    record Run(int start, int length) {}

    private final Base base;
    private final List<Run> runs;
    private final int size;
    private final int lb;
    private final int extent;
    /** What {@link MPI#MINLOC} compares; null: it does not apply. */
    private final @Nullable Base located;

    private volatile boolean freed;
    private String name = "";

    private Datatype(Base base, List<Run> runs, int lb, int extent, @Nullable Base located) {
        this.base = base;
        this.runs = runs;
        size = runs.stream().mapToInt(Run::length).sum();
        this.lb = lb;
        this.extent = extent;
        this.located = located;
    }

    /** Refuses what is none. */
    static Datatype required(@Nullable Datatype type) {
        if (type == null || type == MPI.DATATYPE_NULL) {
            throw new MPIException(
                    "the datatype is " + (type == null ? "null" : "DATATYPE_NULL") + ": give one, such as MPI.INT");
        }
        return type;
    }

    static Datatype basic(Base base) {
        return new Datatype(base, List.of(new Run(0, base.size())), 0, base.size(), null);
    }

    /** A value and an int behind it, as in C. */
    static Datatype pair(Base value) {
        int index = Math.max(value.size(), Integer.BYTES);
        Composition both = new Composition();
        both.add(0, basic(value));
        both.add(index, MPI.INT);
        return new Datatype(Base.BYTE, both.runs, 0, 2 * index, value);
    }

    /** Some types, each at its place. */
    private static final class Composition {
        private final List<Run> runs = new ArrayList<>();
        private int lb = Integer.MAX_VALUE;
        private int ub = Integer.MIN_VALUE;

        void add(int displacement, Datatype type) {
            for (Run run : type.runs) {
                append(displacement + run.start(), run.length());
            }
            lb = Math.min(lb, displacement + type.lb);
            ub = Math.max(ub, displacement + type.lb + type.extent);
        }

        void addBlock(int displacement, int length, @Nullable Datatype type) {
            Datatype item = required(type);
            if (length < 0) {
                throw new MPIException("block length " + length + ": must be 0 or more");
            }
            for (int i = 0; i < length; i++) {
                add(displacement + i * item.extent, item);
            }
        }

        private void append(int start, int length) {
            Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.start() + last.length() == start) {
                runs.set(runs.size() - 1, new Run(last.start(), last.length() + length));
            } else {
                runs.add(new Run(start, length));
            }
        }

        Datatype type(Base base) {
            boolean isEmpty = lb == Integer.MAX_VALUE;
            return new Datatype(base, List.copyOf(runs), isEmpty ? 0 : lb, isEmpty ? 0 : ub - lb, null);
        }
    }

    /** Items one behind the other. */
    public static Datatype createContiguous(int count, Datatype oldType) {
        return createVector(1, count, count, oldType);
    }

    /**
     * Blocks at equal distances.
     *
     * @param stride from the start of a block to that of the next, in items
     */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType) {
        return createHVector(count, blockLength, stride * required(oldType).extent, oldType);
    }

    /**
     * Blocks at equal distances.
     *
     * @param stride from the start of a block to that of the next, in bytes
     */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType) {
        if (count < 0) {
            throw new MPIException("count " + count + " of blocks: must be 0 or more");
        }
        Composition all = new Composition();
        for (int i = 0; i < count; i++) {
            all.addBlock(i * stride, blockLength, oldType);
        }
        return all.type(required(oldType).base);
    }

    /**
     * Blocks anywhere.
     *
     * @param displacements where each begins, in items
     */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType) {
        requireEach(blockLengths, displacements);
        int[] inBytes = displacements.clone();
        for (int i = 0; i < inBytes.length; i++) {
            inBytes[i] *= required(oldType).extent;
        }
        return createHIndexed(blockLengths, inBytes, oldType);
    }

    /**
     * Blocks anywhere.
     *
     * @param displacements where each begins, in bytes
     */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType) {
        requireEach(blockLengths, displacements);
        Composition all = new Composition();
        for (int i = 0; i < blockLengths.length; i++) {
            all.addBlock(displacements[i], blockLengths[i], oldType);
        }
        return all.type(required(oldType).base);
    }

    /**
     * Blocks of different types.
     *
     * @param displacements where each begins, in bytes
     */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types) {
        requireEach(blockLengths, displacements);
        if (types == null || types.length < blockLengths.length) {
            throw new MPIException((types == null ? "null" : types.length) + " datatypes for " + blockLengths.length
                    + " blocks: must be one for each");
        }
        Composition all = new Composition();
        for (int i = 0; i < blockLengths.length; i++) {
            all.addBlock(displacements[i], blockLengths[i], types[i]);
        }
        return all.type(Base.BYTE);
    }

    private static void requireEach(int @Nullable [] blockLengths, int @Nullable [] displacements) {
        if (blockLengths == null || displacements == null || displacements.length < blockLengths.length) {
            throw new MPIException((displacements == null ? "null" : displacements.length) + " displacements for "
                    + (blockLengths == null ? "null" : blockLengths.length) + " block lengths: must be one for each");
        }
    }

    /**
     * The same elements within other bounds.
     *
     * @param lb in bytes
     * @param extent in bytes
     */
    public static Datatype createResized(Datatype oldType, int lb, int extent) {
        Datatype old = required(oldType);
        return new Datatype(old.base, old.runs, lb, extent, old.located);
    }

    /** Where an item begins. */
    public int getLb() {
        return lb / base.size();
    }

    /** From one item to the next. */
    public int getExtent() {
        return extent / base.size();
    }

    /** Where the first byte of an item is. */
    int start() {
        return runs.stream().mapToInt(Run::start).min().orElse(0);
    }

    /** Behind the last byte of an item, which may lie beyond the item's end or before. */
    int end() {
        return runs.stream().mapToInt(run -> run.start() + run.length()).max().orElse(0);
    }

    /** Where the first element of an item is. */
    public int getTrueLb() {
        return start() / base.size();
    }

    /** From the first element of an item to behind the last. */
    public int getTrueExtent() {
        return (end() - start()) / base.size();
    }

    /** How many elements belong to an item. */
    public int getSize() {
        return size / base.size();
    }

    /** Does nothing: a datatype can be used at once. */
    public void commit() {}

    @Override
    public void free() {
        freed = true;
    }

    /** If it has been freed, or is {@link MPI#DATATYPE_NULL}. */
    public boolean isNull() {
        return freed || this == MPI.DATATYPE_NULL;
    }

    /** Another one like this. */
    public Datatype dup() {
        Datatype copy = new Datatype(base, runs, lb, extent, located);
        copy.name = name;
        copy.keepAllOf(this);
        return copy;
    }

    /** Another one like this. */
    @Override
    public Datatype clone() {
        return dup();
    }

    /** Its name. */
    public String getName() {
        return name;
    }

    /** Names it. */
    public void setName(String name) {
        this.name = name;
    }

    Base base() {
        return base;
    }

    @Nullable
    Base located() {
        return located;
    }

    List<Run> runs() {
        return runs;
    }

    /** Bytes from one item to the next. */
    int extentInBytes() {
        return extent;
    }

    /** Bytes of an item. */
    int sizeInBytes() {
        return size;
    }

    /** If items lie one behind the other without gaps. */
    boolean isDense() {
        return runs.size() == 1 && runs.getFirst().start() == 0 && lb == 0 && extent == size;
    }
}
