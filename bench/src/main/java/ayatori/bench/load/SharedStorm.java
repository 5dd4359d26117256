package ayatori.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code SharedStorm CALLS SEED POLICY}: a {@link CallStorm} between processes. Two servers, of which the first calls the second,
 * and clients of several threads each; each of them is one JVM with the options of this one. Servers and one of the clients are
 * killed again and again and have successors. At the end each request that was not given up has had its own answer, or the news
 * of its server's end; all areas are back; and nothing of the clients is left in the servers.
 */
public final class SharedStorm {
    private static final int CLIENTS = 2;
    /** Threads of the file server: of each successor more, then one again. */
    private static final int MOST_SERVERS = 3;

    private static final long CALLS_A_KILL = 20_000;
    private static final int LEAST_KILLS = 4;
    /** Between two kills, and the longest: in a long storm most calls are to be those of warm JVMs. */
    private static final int SHORTEST_PAUSE_MS = 200;

    private static final int LONGEST_PAUSE_MS = 1500;
    private static final int LONGEST_PAUSE_OF_MANY_MS = 20_000;
    private static final long CALLS_A_MS_OF_PAUSE = 500;
    private static final long START_SECONDS = 40;
    private static final long CALLS_A_SECOND = 2_000;
    private static final int DUMP_SECONDS = 20;

    private final Path place;
    private final String policy;
    private final SplittableRandom random;
    private final int longestPause;
    private int fileServers;
    private final List<Child> children = new ArrayList<>();
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, Long> flaws = new LinkedHashMap<>();

    private SharedStorm(Path place, String policy, long calls, long seed) {
        this.place = place;
        this.policy = policy;
        random = new SplittableRandom(seed);
        longestPause = Math.clamp(calls / CALLS_A_MS_OF_PAUSE, LONGEST_PAUSE_MS, LONGEST_PAUSE_OF_MANY_MS);
    }

    private record Child(String name, Process process, Path output) {}

    private Child start(String program, Object... arguments) throws IOException {
        ProcessHandle.Info own = ProcessHandle.current().info();
        List<String> options = List.of(own.arguments().orElseThrow());
        List<String> command = new ArrayList<>(options.subList(0, options.indexOf(SharedStorm.class.getName())));
        command.addFirst(own.command().orElseThrow());
        command.add(SharedStorm.class.getPackageName() + "." + program);
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Path output = Files.createTempFile(place, program, ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Child child = new Child(program, process, output);
        children.add(child);
        return child;
    }

    private Child files() throws IOException {
        return start("SharedStormServer", SharedStormServer.FILES, place, 1 + fileServers++ % MOST_SERVERS, policy);
    }

    private Child blocks() throws IOException {
        return start("SharedStormServer", SharedStormServer.BLOCKS, place, 1, policy);
    }

    private Child client(long calls) throws IOException {
        return start("SharedStormClient", place, calls, random.nextLong());
    }

    /** What has been said by one that has ended. */
    private void read(Child child) throws IOException {
        children.remove(child);
        for (String line : Files.readAllLines(child.output)) {
            String[] words = line.split(",", -1);
            if (words.length == 4 && words[0].equals("result")) {
                (words[1].equals("flaw") ? flaws : counts).merge(words[2], Long.parseLong(words[3]), Long::sum);
            } else {
                System.out.println(child.name + ": " + line);
            }
        }
        Files.delete(child.output);
    }

    private void kill(Child child) throws IOException, InterruptedException {
        child.process.destroyForcibly().waitFor();
        read(child);
        count("killed " + child.name);
    }

    private void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** Waits for one to end by itself, and well. */
    private boolean ends(Child child, long deadline) throws IOException, InterruptedException {
        boolean ended = child.process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (!ended) {
            dump();
            return false;
        }
        if (child.process.exitValue() != 0) {
            flaws.merge("ended badly", 1L, Long::sum);
        }
        read(child);
        return true;
    }

    /**
     * Keeps what all threads of all processes do: first what the kernel says, of each where it is, and its time in the kernel and
     * outside; then what JVMs say, which do not answer as long as real-time threads have the CPUs.
     */
    private void dump() throws IOException, InterruptedException {
        Path kept = Files.createTempFile("ayatori-shared-storm", ".txt");
        System.out.println("hung; what all threads do is in " + kept);
        append(kept, "ps -eLo pid,tid,cls,rtprio,ni,psr,cputimes,stat,wchan:24,comm");
        for (Child child : children) {
            append(kept, "cd /proc/" + child.process.pid() + "/task && head -v -n 20 */stat */syscall */stack");
        }
        for (Child child : children) {
            append(kept, "chrt --all-tasks --other --pid 0 " + child.process.pid());
        }
        Path jstack = Path.of(System.getProperty("java.home"), "bin", "jstack");
        for (Child child : children) {
            append(kept, "'" + jstack + "' -l " + child.process.pid());
        }
    }

    private static void append(Path kept, String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(kept.toFile()))
                .start();
        if (!process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /** All that is started and killed; false: something has not ended by itself. */
    private boolean storm(long calls) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS + calls / CALLS_A_SECOND);
        Child files = files();
        Child blocks = blocks();
        Child victim = client(Long.MAX_VALUE);
        List<Child> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client(calls / CLIENTS));
        }
        long kills = Math.max(LEAST_KILLS, calls / CALLS_A_KILL);
        for (long i = 0; i < kills && !endsSoon(clients.getFirst()); i++) {
            switch ((int) (i & 3)) {
                case 1 -> {
                    kill(files);
                    files = files();
                }
                case 3 -> {
                    kill(blocks);
                    blocks = blocks();
                }
                default -> {
                    kill(victim);
                    victim = client(Long.MAX_VALUE);
                }
            }
        }
        for (Child client : clients) {
            if (!ends(client, deadline)) {
                return false;
            }
        }
        kill(victim);
        for (Child server : List.of(files, blocks)) { // the first is a client of the second
            server.process.getOutputStream().write('\n');
            server.process.getOutputStream().flush();
            if (!ends(server, System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS))) {
                return false;
            }
        }
        return true;
    }

    private boolean endsSoon(Child child) throws InterruptedException {
        return child.process.waitFor(
                SHORTEST_PAUSE_MS + random.nextInt(longestPause - SHORTEST_PAUSE_MS), TimeUnit.MILLISECONDS);
    }

    private void run(long calls) throws IOException, InterruptedException {
        boolean ended = false;
        try {
            ended = storm(calls);
        } finally {
            for (Child child : children) {
                child.process.destroyForcibly().waitFor();
            }
        }
        for (Child child : List.copyOf(children)) {
            read(child);
        }
        counts.forEach(StormResult::count);
        flaws.forEach(StormResult::flaw);
        StormResult.flaw("hung", ended ? 0 : 1);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path place = Files.createTempDirectory("ayatori-storm");
        try {
            long calls = Long.parseLong(arguments[0]);
            new SharedStorm(place, arguments[2], calls, Long.parseLong(arguments[1])).run(calls);
        } finally {
            try (Stream<Path> left = Files.walk(place)) {
                for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
