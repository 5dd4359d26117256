package ayatori.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a reader must know of the machine to judge figures; no names or paths of it. */
final class Host {
    private static final int READ_SIZE = 8192;

    private Host() {}

    /** Facts by name, in the order in which they are shown. */
    static Map<String, String> facts(Experiment experiment) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("JVM", experiment.java().version() + ", " + experiment.java().name());
        facts.put("kernel", read("/proc/sys/kernel/osrelease").orElse("unknown"));
        facts.put("processor", cpuModel() + ", " + experiment.allowed().cardinality() + " CPUs usable");
        facts.put("real-time budget", realTimeBudget());
        facts.put(
                "target",
                String.format(
                        Locale.ROOT,
                        "%,d counts (%d times the paper's 70 million)",
                        experiment.target(),
                        experiment.target() / Experiment.PAPER_TARGET));
        return facts;
    }

    private static String realTimeBudget() {
        Optional<String> runtime = read("/proc/sys/kernel/sched_rt_runtime_us");
        Optional<String> period = read("/proc/sys/kernel/sched_rt_period_us");
        if (runtime.isEmpty() || period.isEmpty()) {
            return "unknown";
        }
        return runtime.get().equals("-1")
                ? "no limit"
                : runtime.get() + " of every " + period.get() + " µs (the rest is throttled)";
    }

    private static String cpuModel() {
        return read("/proc/cpuinfo")
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst())
                .orElse(System.getProperty("os.arch"));
    }

    private static Optional<String> read(String file) {
        // One large read: files below /proc/sys give nothing but what the first read asked for.
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return Optional.of(new String(in.readNBytes(READ_SIZE), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
