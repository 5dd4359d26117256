package ayatori.bench;

/** {@code y = constant + slope × x}. */
record Line(double constant, double slope) {
    /** By least squares, as the paper's figure 2. */
    static Line fit(double[] x, double[] y) {
        double meanX = 0;
        double meanY = 0;
        for (int i = 0; i < x.length; i++) {
            meanX += x[i] / x.length;
            meanY += y[i] / x.length;
        }
        double product = 0;
        double square = 0;
        for (int i = 0; i < x.length; i++) {
            product += (x[i] - meanX) * (y[i] - meanY);
            square += (x[i] - meanX) * (x[i] - meanX);
        }
        double slope = product / square;
        return new Line(meanY - slope * meanX, slope);
    }

    /** From which x on this line is below a steeper one. */
    double breakEven(Line steeper) {
        return steeper.slope > slope
                ? (constant - steeper.constant) / (steeper.slope - slope)
                : Double.POSITIVE_INFINITY;
    }
}
