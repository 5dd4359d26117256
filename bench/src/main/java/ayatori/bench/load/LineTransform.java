package ayatori.bench.load;

/**
 * FT's Fourier transforms of lines of a grid of complex numbers, which are pairs of doubles in an array: Stockham's, a power of two
 * long, sixteen lines at once. Not scaled.
 */
final class LineTransform {
    /** How many are transformed at once. */
    static final int LINES = 16;

    private final int length;
    // Powers of the root of unity.
    private final double[] cosines;
    private final double[] sines;

    // Work space, line by line in turn: from one to the other in each step.
    private double[] real;
    private double[] imaginary;
    private double[] nextReal;
    private double[] nextImaginary;

    LineTransform(int length) {
        this.length = length;
        cosines = new double[length / 2];
        sines = new double[length / 2];
        for (int i = 0; i < length / 2; i++) {
            cosines[i] = Math.cos(2 * Math.PI * i / length);
            sines[i] = Math.sin(2 * Math.PI * i / length);
        }
        real = new double[length * LINES];
        imaginary = new double[length * LINES];
        nextReal = new double[length * LINES];
        nextImaginary = new double[length * LINES];
    }

    /**
     * Transforms sixteen lines in place.
     *
     * @param start which complex number is the first of the first line
     * @param stride from a number of a line to the next
     * @param apart from a line to the next
     * @param sign of the exponent: 1 or -1
     */
    void transform(double[] grid, int start, int stride, int apart, int sign) {
        for (int i = 0; i < length; i++) {
            for (int line = 0; line < LINES; line++) {
                int from = 2 * (start + i * stride + line * apart);
                real[i * LINES + line] = grid[from];
                imaginary[i * LINES + line] = grid[from + 1];
            }
        }
        for (int parts = length, run = LINES; parts > 1; parts /= 2, run *= 2) {
            step(parts, run, sign);
        }
        for (int i = 0; i < length; i++) {
            for (int line = 0; line < LINES; line++) {
                int to = 2 * (start + i * stride + line * apart);
                grid[to] = real[i * LINES + line];
                grid[to + 1] = imaginary[i * LINES + line];
            }
        }
    }

    /** Halves the length of what is to be transformed, and doubles how many of it there are. */
    private void step(int parts, int run, int sign) {
        int half = parts / 2;
        for (int i = 0; i < half; i++) {
            double cosine = cosines[i * (length / parts)];
            double sine = sign * sines[i * (length / parts)];
            butterflies(i * run, (i + half) * run, 2 * i * run, run, cosine, sine);
        }
        double[] swap = real;
        real = nextReal;
        nextReal = swap;
        swap = imaginary;
        imaginary = nextImaginary;
        nextImaginary = swap;
    }

    private void butterflies(int first, int second, int to, int run, double cosine, double sine) {
        for (int i = 0; i < run; i++) {
            double differenceReal = real[first + i] - real[second + i];
            double differenceImaginary = imaginary[first + i] - imaginary[second + i];
            nextReal[to + i] = real[first + i] + real[second + i];
            nextImaginary[to + i] = imaginary[first + i] + imaginary[second + i];
            nextReal[to + run + i] = differenceReal * cosine - differenceImaginary * sine;
            nextImaginary[to + run + i] = differenceReal * sine + differenceImaginary * cosine;
        }
    }
}
