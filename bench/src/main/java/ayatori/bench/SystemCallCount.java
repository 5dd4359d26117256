package ayatori.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How many system calls a call takes on all sides, by strace, in threads that are not the JVM's own: what a run with more calls
 * takes more than one with fewer.
 */
final class SystemCallCount {
    private static final int FEWER = 100;
    private static final int MORE = 600;
    private static final int WARM_UP = 100;
    private static final long LIMIT_SECONDS = 120;
    /** The clock is read in user space but under strace; what a load prints is its own. */
    private static final List<String> NOT_OURS = List.of("clock_gettime", "write");

    /** The JVM's own threads, by how their names begin: compilers and collectors wake one another whether anybody calls or not. */
    private static final List<String> JVM_THREADS =
            List.of("C1 ", "C2 ", "GC ", "VM ", "Service Thread", "Monitor Deflati");

    /** Such as {@code 4711<client> futex(0x7f…}, and its second line if another's came between. */
    private static final Pattern LINE =
            Pattern.compile("(?<id>\\d+)<(?<thread>.*?)> +(<\\.\\.\\. (?<ended>\\w+) resumed>|(?<call>\\w+)\\().*");
    /** A wait that finds that it need not wait, a wake that finds nobody: by chance, strace lets the other side be first. */
    private static final String IN_VAIN = "futex in vain";

    private final List<Path> traces = new ArrayList<>();

    private SystemCallCount() {}

    /** What calls so many times; each of its processes starts with the words of another {@link #strace}. */
    @FunctionalInterface
    interface Traced {
        Load.Outcome run(SystemCallCount count, int calls) throws IOException, InterruptedException;
    }

    static boolean isPossible() throws IOException, InterruptedException {
        try {
            return new ProcessBuilder("strace", "-f", "--decode-pids=comm", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is none, or one from before 2021
        }
    }

    /** Two processes; what else stands before the command of each. */
    static Traced of(Peer peer, List<String> server, List<String> client) {
        return (count, calls) ->
                peer.calls(count.straceOf(server), count.straceOf(client), WARM_UP, calls, LIMIT_SECONDS);
    }

    /** A call's, by name. */
    static Map<String, Double> of(Traced program) throws IOException, InterruptedException {
        Map<String, Double> fewer = run(program, FEWER);
        Map<String, Double> counts = run(program, MORE);
        counts.replaceAll((name, count) -> (count - fewer.getOrDefault(name, 0.0)) / (MORE - FEWER));
        counts.values().removeIf(count -> count < 0.01);
        return counts;
    }

    /** Of all that is not in vain. */
    static double sum(Map<String, Double> counts) {
        return counts.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(IN_VAIN))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** Of what is in vain. */
    static double inVain(Map<String, Double> counts) {
        return counts.getOrDefault(IN_VAIN, 0.0);
    }

    static String text(Map<String, Double> counts) {
        return counts.entrySet().stream()
                .map(entry -> String.format(Locale.ROOT, "%s %.2f", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static Map<String, Double> run(Traced program, int calls) throws IOException, InterruptedException {
        SystemCallCount count = new SystemCallCount();
        try {
            Load.Outcome outcome = program.run(count, calls);
            if (!outcome.good()) {
                throw new IOException("under strace: " + String.join("; ", outcome.messages()));
            }
            Map<String, Double> counts = new TreeMap<>();
            for (Path trace : count.traces) {
                read(trace, counts);
            }
            return counts;
        } finally {
            for (Path trace : count.traces) {
                Files.delete(trace);
            }
        }
    }

    /** What stands before the command of one more process. */
    List<String> strace() throws IOException {
        Path trace = Files.createTempFile("ayatori-bench", ".strace");
        traces.add(trace);
        return List.of("strace", "-f", "--decode-pids=comm", "-o", trace.toString());
    }

    private List<String> straceOf(List<String> command) throws IOException {
        List<String> words = new ArrayList<>(strace());
        words.addAll(command);
        return words;
    }

    private static void read(Path trace, Map<String, Double> counts) throws IOException {
        Set<String> waking = new HashSet<>();
        for (String line : Files.readAllLines(trace)) {
            Matcher match = LINE.matcher(line);
            if (match.matches() && JVM_THREADS.stream().noneMatch(match.group("thread")::startsWith)) {
                boolean begins = match.group("call") != null;
                String call = begins ? match.group("call") : match.group("ended");
                if (begins && line.contains("FUTEX_WAKE")) {
                    waking.add(match.group("id"));
                }
                boolean ends = !line.endsWith("<unfinished ...>");
                boolean woke = ends && waking.remove(match.group("id"));
                boolean inVain =
                        call.equals("futex") && (line.contains("= -1 EAGAIN") || (woke && line.endsWith("= 0")));
                if (inVain) {
                    counts.merge(IN_VAIN, 1.0, Double::sum);
                }
                int number = (begins ? 1 : 0) - (inVain ? 1 : 0);
                if (!NOT_OURS.contains(call)) {
                    counts.merge(call, (double) number, Double::sum);
                }
            }
        }
    }
}
