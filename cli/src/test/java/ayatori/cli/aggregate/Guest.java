package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * This host's files, read only, under a kernel of our choosing, in QEMU: {@code native/aggregate/guest}. Each run is a boot
 * of some seconds, so let a script do several things in one.
 *
 * @param kernel a vmlinuz
 * @param realTime else its clock is a count of instructions, so that what it measures repeats; and a boot takes twice as long
 * @param shift an instruction takes 2 to the power of that, in nanoseconds
 */
record Guest(String kernel, int cpus, boolean realTime, int shift) {
    /** Those that we say we run on. */
    static final List<String> SERIES = List.of("6.16", "6.18", "7.2");
    /** The harness's own: no guest, or it ended before the command. */
    static final int NO_GUEST = 125;

    static final int TIME_IS_OVER = 124;
    /** What {@code kernel} says of a host that can have none. */
    static final int NOT_HERE = 3;

    private static final Path SCRIPTS = Path.of(System.getProperty("ayatori.root", ".."), "native/aggregate/guest")
            .toAbsolutePath()
            .normalize();
    /** A kernel is up to 60 MB, and the list of packages another 10. */
    private static final Duration FETCH = Duration.ofMinutes(4);

    private static final Map<String, Finished> FETCHED = new ConcurrentHashMap<>();
    private static final Path FOLDER = Archive.publicFolder("ayatori-guests");

    static void assumeRoot() {
        assumeTrue("root".equals(System.getProperty("user.name")), "a guest with this host's files needs root");
    }

    /** With two CPUs; the test is skipped where the kernel cannot be had. */
    static Guest of(String series) {
        assumeRoot();
        Finished kernel = fetch(series);
        assumeTrue(kernel.exit() == 0, () -> reason(kernel));
        return new Guest(kernel.out().strip(), 2, false, 0);
    }

    /** With the newest kernel that can be had. */
    static Guest any() {
        assumeRoot();
        return of(SERIES.reversed().stream()
                .filter(series -> fetch(series).exit() == 0)
                .findFirst()
                .orElse(SERIES.getLast()));
    }

    /** Why it cannot be had: above that stands what apt has to say. */
    static String reason(Finished kernel) {
        return kernel.err().lines().toList().getLast();
    }

    /** Where the kernel is, or why it is not. */
    static Finished fetch(String series) {
        return FETCHED.computeIfAbsent(series, asked -> {
            try (Program program =
                    Program.start(List.of(SCRIPTS.resolve("kernel").toString(), asked))) {
                return program.end(FETCH);
            }
        });
    }

    Guest withCpus(int number) {
        return new Guest(kernel, number, realTime, shift);
    }

    /** For what measures nothing. */
    Guest inRealTime() {
        return new Guest(kernel, cpus, true, shift);
    }

    /** For long waits. */
    Guest withClock(int power) {
        return new Guest(kernel, cpus, realTime, power);
    }

    /** The folder of all that the harness has while a guest runs. */
    static Path folder() {
        return FOLDER;
    }

    /** Boots it for a command, which has begun when its output comes. */
    Program start(Duration limit, String... command) {
        List<String> boot = new ArrayList<>(List.of(
                SCRIPTS.resolve("boot").toString(),
                "-k",
                kernel,
                "-c",
                "" + cpus,
                "-t",
                "" + limit.toSeconds(),
                "-s",
                "" + shift));
        if (realTime) {
            boot.add("-r");
        }
        boot.addAll(List.of(command));
        return Program.start(boot, Map.of("TMPDIR", FOLDER.toString()));
    }

    /**
     * Boots it, and waits until the command has ended and the guest with it.
     *
     * @param limit of this host's time
     */
    Finished run(Duration limit, String... command) {
        try (Program program = start(limit, command)) {
            return program.end(limit.plusSeconds(20));
        }
    }

    /** The same for a script of bash's. */
    Finished script(Duration limit, String script) {
        return run(limit, "bash", "-c", script);
    }
}
