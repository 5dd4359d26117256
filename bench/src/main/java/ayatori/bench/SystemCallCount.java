package ayatori.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many system calls a call takes on both sides, by strace: what a run with more calls takes more than one with fewer. */
final class SystemCallCount {
    private static final int FEWER = 300;
    private static final int MORE = 1300;
    private static final int WARM_UP = 100;
    private static final long LIMIT_SECONDS = 120;
    /** The clock is read in user space but under strace; what a load prints is its own. */
    private static final List<String> NOT_OURS = List.of("total", "clock_gettime", "write");

    private SystemCallCount() {}

    static boolean isPossible() throws IOException, InterruptedException {
        try {
            return new ProcessBuilder("strace", "-f", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no strace
        }
    }

    /** A call's, by name, of client and server together. */
    static Map<String, Double> of(Peer peer) throws IOException, InterruptedException {
        Map<String, Double> fewer = run(peer, FEWER);
        Map<String, Double> counts = run(peer, MORE);
        counts.replaceAll((name, count) -> (count - fewer.getOrDefault(name, 0.0)) / (MORE - FEWER));
        counts.values().removeIf(count -> count < 0.01);
        return counts;
    }

    static double sum(Map<String, Double> counts) {
        return counts.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    static String text(Map<String, Double> counts) {
        return counts.entrySet().stream()
                .map(entry -> String.format(Locale.ROOT, "%s %.2f", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static Map<String, Double> run(Peer peer, int calls) throws IOException, InterruptedException {
        Path server = Files.createTempFile("ayatori-bench", ".strace");
        Path client = Files.createTempFile("ayatori-bench", ".strace");
        try {
            Load.Outcome outcome = peer.calls(strace(server), strace(client), WARM_UP, calls, LIMIT_SECONDS);
            if (!outcome.good()) {
                throw new IOException("under strace: " + String.join("; ", outcome.messages()));
            }
            Map<String, Double> counts = new TreeMap<>();
            read(server, counts);
            read(client, counts);
            return counts;
        } finally {
            Files.delete(server);
            Files.delete(client);
        }
    }

    private static List<String> strace(Path output) {
        return List.of("strace", "-f", "-c", "-o", output.toString());
    }

    /** Lines such as {@code 12.34 0.001 5 211 3 futex}; the errors may be missing. */
    private static void read(Path output, Map<String, Double> counts) throws IOException {
        for (String line : Files.readAllLines(output)) {
            List<String> words = new ArrayList<>(List.of(line.strip().split("\\s+")));
            String name = words.getLast();
            if (words.size() >= 5 && words.getFirst().matches("[0-9.]+") && !NOT_OURS.contains(name)) {
                counts.merge(name, Double.parseDouble(words.get(3)), Double::sum);
            }
        }
    }
}
