package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One pool under one load, in a JVM of its own.
 *
 * @param pool its name, with the bias if it has one
 * @param samples in the order of time
 * @param floods when many tasks had been submitted at once
 */
record ReclaimingRun(String pool, List<Sample> samples, List<Flood> floods) {
    /** Threads at a moment. */
    record Sample(int submissions, double millis, int threads, int started, int ended) {}

    /** Threads started in all when a flood had been submitted. */
    record Flood(int submissions, int started) {}

    static ReclaimingRun of(Jdk jdk, String pool, String demand, long limitSeconds)
            throws IOException, InterruptedException {
        List<Object> arguments = new ArrayList<>(List.of(pool));
        arguments.addAll(List.of(demand.split(" ", -1)));
        Load.Outcome outcome = Load.of(jdk, "Reclaiming", arguments.toArray())
                .withJvm("-Xmx256m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
                .run(limitSeconds);
        if (!outcome.good()) {
            throw new IOException(pool + " under " + demand + " did not end well: " + outcome.messages());
        }
        List<Sample> samples = new ArrayList<>();
        List<Flood> floods = new ArrayList<>();
        for (List<String> result : outcome.results()) {
            int submissions = Integer.parseInt(result.get(1));
            if (result.get(0).equals("sample")) {
                samples.add(new Sample(
                        submissions,
                        Double.parseDouble(result.get(2)),
                        Integer.parseInt(result.get(3)),
                        Integer.parseInt(result.get(4)),
                        Integer.parseInt(result.get(5))));
            } else {
                floods.add(new Flood(submissions, Integer.parseInt(result.get(2))));
            }
        }
        return new ReclaimingRun(pool, samples, floods);
    }

    void keep(Csv csv, String demand) throws IOException {
        for (Sample sample : samples) {
            csv.row(
                    demand,
                    pool,
                    sample.submissions(),
                    sample.millis(),
                    sample.threads(),
                    sample.started(),
                    sample.ended());
        }
    }

    int submissions() {
        return samples.getLast().submissions();
    }

    int most() {
        return samples.stream().mapToInt(Sample::threads).max().orElse(0);
    }

    int last() {
        return samples.getLast().threads();
    }

    int started() {
        return samples.getLast().started();
    }

    int ended() {
        return samples.getLast().ended();
    }

    /** Over the time. */
    double mean() {
        double area = 0;
        for (int i = 1; i < samples.size(); i++) {
            Sample before = samples.get(i - 1);
            area += before.threads() * (samples.get(i).millis() - before.millis());
        }
        return area / (samples.getLast().millis() - samples.getFirst().millis());
    }

    /** How many submissions after the first flood no more threads than the play were left idle; -1: not to the end. */
    int downAfter() {
        int flood = floods.getFirst().submissions();
        for (Sample sample : samples) {
            if (sample.submissions() > flood && sample.threads() <= sample.threads() * 0.125 + bias()) {
                return sample.submissions() - flood;
            }
        }
        return -1;
    }

    /** Pools without a bias are measured by the smallest. */
    private int bias() {
        String number = pool.replaceFirst("\\D*", "");
        return number.isEmpty() ? 1 : Integer.parseInt(number);
    }

    /** Threads started a swing, without the first ones. */
    double startedASwing(int without) {
        return (double) (floods.getLast().started() - floods.get(without).started()) / (floods.size() - 1 - without);
    }
}
