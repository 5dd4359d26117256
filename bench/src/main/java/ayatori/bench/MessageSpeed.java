package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.bench.load.Distance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a message takes, by JPI and by MPI in C: between two JVMs or processes, and between threads of one JVM. Each round starts
 * fresh ones, and who is measured takes turns. Half round trips, the medians of many bursts; see {@link MessageTable}.
 */
final class MessageSpeed implements Measurement {
    private static final int ROUNDS = 10;
    /**
     * The paper's, of its figure 7. Of a larger one the young generation is not gone through in a warm-up, and memory that is new pays
     * for each of its pages: 1.3 µs instead of 0.2 a message were seen.
     */
    static final String HEAP = "-J-Xmx1024m";

    private static final int BUDGET_MILLIS = 300;
    private static final int SHORT_BUDGET_MILLIS = 1;
    /** Of each mode, so that what is measured is code of C2. */
    private static final int WARM_UP_MILLIS = 4000;

    private static final int LARGEST_BYTES = 16 << 20;
    private static final int SIZES = 25;
    /** Of one in one round; the program in C ends itself after as long. */
    private static final long LIMIT_SECONDS = 300;

    private static final String PROGRAM = "message_pingpong";

    static final String JPI = "JPI";

    /** Someone who is measured. */
    private record Way(String name, Place place, int rows, Run run) {}

    /** Where the two are. */
    enum Place {
        PROCESSES("two JVMs or processes"),
        THREADS("two threads"),
        PARKING("two threads that park");

        private final String label;

        Place(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    @FunctionalInterface
    private interface Run {
        Load.Outcome outcome() throws IOException, InterruptedException;
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            Bench.say("needs two CPUs");
            return false;
        }
        List<Mpi> mpis = Mpi.withProgram(PROGRAM);
        Jdk jdk = bench.ofLibrary();
        int rounds = bench.pairCount(ROUNDS);
        Bench.say(
                "JDK %s: µs a message, half of a round trip; for each the median over bursts of %d ms, then over %d rounds",
                jdk.label(), bench.count(BUDGET_MILLIS, SHORT_BUDGET_MILLIS), rounds);
        MessageTable table = new MessageTable();
        boolean good = true;
        try (Csv csv = bench.folder().csv("messages", "round,way,place,mode,bytes,median_us,p10_us,line_ns")) {
            List<Way> turn = ways(bench, jdk, mpis);
            for (int round = 1; round <= rounds; round++) {
                for (Way way : turn) {
                    good &= measure(way, round, table, csv);
                }
                Collections.rotate(turn, 1);
            }
        }
        boolean held = table.say(mpis);
        PlotPage.write(
                bench.folder(),
                "messages.html",
                "messages",
                "JDK " + jdk.version() + ", medians of " + rounds + (rounds == 1 ? " round" : " rounds"));
        return good && (held || bench.shortened());
    }

    private static List<Way> ways(Bench bench, Jdk jdk, List<Mpi> mpis) {
        int budget = bench.count(BUDGET_MILLIS, SHORT_BUDGET_MILLIS);
        int tooMany = Runtime.getRuntime().availableProcessors() + 1;
        List<Way> ways = new ArrayList<>();
        // The record is four modes of one size each.
        ways.add(new Way(
                JPI,
                Place.PROCESSES,
                3 * SIZES + 4,
                () -> jpi(bench, jdk, "-np 2", "hot", "varied", "arrays", "record")));
        // What is copied is compared with two ways to copy, each of all sizes.
        ways.add(
                new Way(JPI, Place.THREADS, 5 * SIZES, () -> jpi(bench, jdk, "-nt 2", "reference", "hot", "isolated")));
        // Where there are more ranks than CPUs nobody spins.
        ways.add(new Way(JPI, Place.PARKING, SIZES, () -> jpi(bench, jdk, "-nt " + tooMany, "reference")));
        for (Mpi mpi : mpis) {
            ways.add(new Way(
                    mpi.label(),
                    Place.PROCESSES,
                    2 * SIZES,
                    () -> mpi.run(PROGRAM, 2, LIMIT_SECONDS, budget, LARGEST_BYTES)));
        }
        return ways;
    }

    private static Load.Outcome jpi(Bench bench, Jdk jdk, String ranks, String... modes)
            throws IOException, InterruptedException {
        List<Object> words = new ArrayList<>(List.of(ranks.split(" ")));
        words.add(HEAP);
        words.add("ayatori.bench.load.MessageTimes");
        words.add(bench.count(BUDGET_MILLIS, SHORT_BUDGET_MILLIS));
        words.add(bench.count(WARM_UP_MILLIS, 0));
        words.add(LARGEST_BYTES);
        words.addAll(List.of(modes));
        return Load.of(jdk, "jpi.JRun", words.toArray()).run(LIMIT_SECONDS);
    }

    private static boolean measure(Way way, int round, MessageTable table, Csv csv)
            throws IOException, InterruptedException {
        Load.Outcome outcome = way.run().outcome();
        int rows = 0;
        for (List<String> fields : outcome.results()) {
            if (fields.getFirst().equals("library")) {
                if (round == 1) {
                    Bench.say("%s: %s", way.name(), fields.get(1));
                }
                continue;
            }
            String mode = fields.getFirst();
            int bytes = Integer.parseInt(fields.get(1));
            double median = Double.parseDouble(fields.get(2));
            double tenth = Double.parseDouble(fields.get(3));
            double line = Double.parseDouble(fields.get(4));
            csv.row(
                    round,
                    way.name(),
                    way.place().label(),
                    mode,
                    bytes,
                    median,
                    tenth,
                    Double.isNaN(line) ? "" : (Object) line);
            table.add(way.name(), way.place(), mode, bytes, round, median, Distance.of(line));
            rows++;
        }
        if (outcome.good() && rows == way.rows()) {
            return true;
        }
        Bench.say(
                "%s, %s, has not ended well in round %d: %s",
                way.name(), way.place().label(), round, String.join("; ", outcome.messages()));
        return false;
    }
}
