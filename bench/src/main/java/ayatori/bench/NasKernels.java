package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The kernels of the NAS Parallel Benchmarks over JPI, in JVMs × threads. Each run's result has to be the published one. Time is
 * that of the quickest run of a round, since the first ones warm up.
 */
final class NasKernels implements Measurement {
    private static final int ROUNDS = 3;
    private static final long LIMIT_SECONDS = 900;

    private static final List<String> KERNELS = List.of("EP", "IS", "CG", "MG", "FT");

    /** A size of NPB, and how often it is run in the same JVMs. */
    private record Size(String letter, int runs) {}

    private static final List<Size> SIZES = List.of(new Size("S", 10), new Size("W", 5), new Size("A", 3));
    private static final List<Size> SHORT_SIZES = List.of(new Size("S", 1));

    private record Shape(int jvms, int threads) {
        String label() {
            return "(" + jvms + "×" + threads + ")";
        }
    }

    private static final Shape ALONE = new Shape(1, 1);
    private static final List<Shape> SHAPES = List.of(ALONE, new Shape(1, 2), new Shape(2, 1), new Shape(2, 2));
    private static final List<Shape> SHORT_SHAPES = List.of(new Shape(1, 2), new Shape(2, 1));

    /** What one kernel takes, a value a round: that of the quickest run. */
    private static final class Times {
        private final List<Double> seconds = new ArrayList<>();
        private final List<Double> mops = new ArrayList<>();
        private boolean good = true;
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.ofLibrary();
        int rounds = bench.pairCount(ROUNDS);
        List<Size> sizes = bench.shortened() ? SHORT_SIZES : SIZES;
        List<Shape> shapes = bench.shortened() ? SHORT_SHAPES : SHAPES;
        Bench.say(
                "JDK %s: seconds a run, and Mop/s as NPB counts them, (JVMs × threads); medians of %d rounds",
                jdk.label(), rounds);
        boolean good = true;
        try (Csv runs = bench.folder().csv("nas-runs", "round,kernel,class,jvms,threads,run,seconds,mops,verified");
                Csv table = bench.folder().csv("nas", "panel,group,series,value,unit")) {
            for (String kernel : KERNELS) {
                for (Size size : sizes) {
                    Map<Shape, Times> times = new LinkedHashMap<>();
                    for (int round = 1; round <= rounds; round++) {
                        for (Shape shape : shapes) {
                            Times kept = times.computeIfAbsent(shape, s -> new Times());
                            kept.good &= measure(jdk, kernel, size, shape, round, kept, runs);
                        }
                    }
                    good &= say(kernel, size.letter(), times, table);
                }
            }
        }
        PlotPage.write(bench.folder(), "bars.html", "nas", "The kernels of the NAS Parallel Benchmarks over JPI");
        return good;
    }

    /** @return whether all runs have ended well and got the published result */
    private static boolean measure(Jdk jdk, String kernel, Size size, Shape shape, int round, Times times, Csv csv)
            throws IOException, InterruptedException {
        Load.Outcome outcome = Load.of(
                        jdk,
                        "jpi.JRun",
                        "-np",
                        shape.jvms(),
                        "-nt",
                        shape.jvms() * shape.threads(),
                        "ayatori.bench.load.Nas" + kernel.charAt(0)
                                + kernel.substring(1).toLowerCase(Locale.ROOT),
                        size.letter(),
                        size.runs())
                .run(LIMIT_SECONDS);
        double best = Double.POSITIVE_INFINITY;
        double bestMops = 0;
        int verified = 0;
        int run = 0;
        for (List<String> fields : outcome.results()) {
            double seconds = Double.parseDouble(fields.get(1));
            double mops = Double.parseDouble(fields.get(2));
            verified += fields.get(3).equals("true") ? 1 : 0;
            csv.row(round, kernel, size.letter(), shape.jvms(), shape.threads(), run++, seconds, mops, fields.get(3));
            best = Math.min(best, seconds);
            bestMops = Math.max(bestMops, mops);
        }
        if (run > 0) {
            times.seconds.add(best);
            times.mops.add(bestMops);
        }
        if (outcome.good() && verified == size.runs()) {
            return true;
        }
        Bench.say(
                "%s %s %s: %d of %d runs verified in round %d, exit code %d: %s",
                kernel,
                size.letter(),
                shape.label(),
                verified,
                size.runs(),
                round,
                outcome.exitCode(),
                String.join("; ", outcome.messages()));
        return false;
    }

    private static boolean say(String kernel, String size, Map<Shape, Times> all, Csv csv) throws IOException {
        boolean good = true;
        Times alone = all.get(ALONE);
        for (Map.Entry<Shape, Times> entry : all.entrySet()) {
            Times times = entry.getValue();
            String shape = entry.getKey().label();
            good &= times.good;
            if (times.seconds.isEmpty()) {
                Bench.say("%s %s %s verification FAILED: no run has ended", kernel, size, shape);
                continue;
            }
            double seconds = Statistics.median(times.seconds);
            double mops = Statistics.median(times.mops);
            csv.row("speed, class " + size, kernel, shape, mops, "Mop/s");
            String speedUp = "";
            if (alone != null && !alone.seconds.isEmpty()) {
                double value = Statistics.median(alone.seconds) / seconds;
                csv.row("speed-up against " + ALONE.label() + ", class " + size, kernel, shape, value, "times");
                speedUp = "speed-up %.2f, ".formatted(value);
            }
            Bench.say(
                    "%s %s %s %.4f s, %.1f Mop/s, %sverification %s",
                    kernel, size, shape, seconds, mops, speedUp, times.good ? "passed" : "FAILED");
        }
        return good;
    }
}
