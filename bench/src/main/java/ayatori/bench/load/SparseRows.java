package ayatori.bench.load;

import java.util.Arrays;

/**
 * Rows of CG's matrix: the sum of outer products of sparse random vectors, whose weights go down from 1 to CONDITION, and a
 * diagonal. Each rank makes all vectors, since they come of one sequence of random numbers, and keeps its rows.
 */
final class SparseRows {
    private static final double CONDITION = 0.1;
    private static final double MIDDLE = 0.5;

    private final int[] starts;
    private final int[] columns;
    private final double[] values;

    /**
     * @param size rows and columns of the whole matrix
     * @param nonzeros how many elements of a vector are drawn
     * @param shift what is taken off the diagonal
     */
    SparseRows(int size, int nonzeros, double shift, int first, int count) {
        Vectors vectors = new Vectors(size, nonzeros);
        int[] ends = new int[count + 1];
        for (int vector = 0; vector < size; vector++) {
            for (int i = 0; i < vectors.lengths[vector]; i++) {
                int row = vectors.place(vector, i) - first;
                if (row >= 0 && row < count) {
                    ends[row + 1] += vectors.lengths[vector];
                }
            }
        }
        for (int row = 0; row < count; row++) {
            ends[row + 1] += ends[row] + 1; // and one on the diagonal
        }
        int[] all = new int[ends[count]];
        double[] products = new double[ends[count]];
        int[] next = Arrays.copyOf(ends, count);
        double weight = 1;
        double ratio = Math.pow(CONDITION, 1.0 / size);
        for (int vector = 0; vector < size; vector++) {
            for (int i = 0; i < vectors.lengths[vector]; i++) {
                int row = vectors.place(vector, i) - first;
                for (int j = 0; row >= 0 && row < count && j < vectors.lengths[vector]; j++) {
                    all[next[row]] = vectors.place(vector, j);
                    products[next[row]++] = weight * vectors.value(vector, i) * vectors.value(vector, j);
                }
            }
            weight *= ratio;
        }
        for (int row = 0; row < count; row++) {
            all[next[row]] = first + row;
            products[next[row]] = CONDITION - shift;
        }
        starts = new int[count + 1];
        int kept = merge(size, ends, all, products);
        columns = Arrays.copyOf(all, kept);
        values = Arrays.copyOf(products, kept);
    }

    /**
     * Adds up what is in the same column of a row, in place.
     *
     * @return how many elements are left
     */
    private int merge(int size, int[] ends, int[] all, double[] products) {
        int[] places = new int[size];
        Arrays.fill(places, -1);
        int kept = 0;
        for (int row = 0; row < starts.length - 1; row++) {
            starts[row] = kept;
            for (int i = ends[row]; i < ends[row + 1]; i++) {
                int column = all[i];
                if (places[column] < starts[row]) {
                    places[column] = kept;
                    all[kept] = column;
                    products[kept++] = products[i];
                } else {
                    products[places[column]] += products[i];
                }
            }
        }
        starts[starts.length - 1] = kept;
        return kept;
    }

    /** Multiplies these rows by a vector. */
    void times(double[] vector, double[] result) {
        for (int row = 0; row < starts.length - 1; row++) {
            double sum = 0;
            for (int i = starts[row]; i < starts[row + 1]; i++) {
                sum += values[i] * vector[columns[i]];
            }
            result[row] = sum;
        }
    }

    /** The sparse vectors, one a row of the matrix: random elements at random places, and a fixed one at the row's own. */
    private static final class Vectors {
        private final int most;
        private final int[] lengths;
        private final int[] places;
        private final double[] elements;

        Vectors(int size, int nonzeros) {
            most = nonzeros + 1;
            lengths = new int[size];
            places = new int[size * most];
            elements = new double[size * most];
            int[] taken = new int[size]; // by which vector last, counted from 1
            int powerOfTwo = size == 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
            NasRandom random = new NasRandom(NasRandom.SEED, 1); // NPB draws one number before
            for (int vector = 0; vector < size; vector++) {
                int start = vector * most;
                int length = 0;
                while (length < nonzeros) {
                    double element = random.next();
                    int place = (int) (powerOfTwo * random.next());
                    if (place < size && taken[place] != vector + 1) {
                        taken[place] = vector + 1;
                        places[start + length] = place;
                        elements[start + length++] = element;
                    }
                }
                lengths[vector] = withMiddle(vector, start, length);
            }
        }

        private int withMiddle(int vector, int start, int length) {
            for (int i = start; i < start + length; i++) {
                if (places[i] == vector) {
                    elements[i] = MIDDLE;
                    return length;
                }
            }
            places[start + length] = vector;
            elements[start + length] = MIDDLE;
            return length + 1;
        }

        int place(int vector, int i) {
            return places[vector * most + i];
        }

        double value(int vector, int i) {
            return elements[vector * most + i];
        }
    }
}
