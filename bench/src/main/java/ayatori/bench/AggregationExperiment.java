package ayatori.bench;

import static ayatori.bench.ProgramBuild.GCC;
import static ayatori.bench.ProgramBuild.MAKE;

import ayatori.bench.ProgramBuild.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The paper's table 2: VMs that do the same work at once, under several ways of scheduling, in the guest or on this host's kernel. A
 * turn is one number of VMs under one way.
 */
final class AggregationExperiment implements Measurement {
    private static final Need ERLANG = new Need("erlc", "apt-get install erlang-base");
    private static final Need CLANG = new Need("clang", "apt-get install clang libbpf-dev");
    private static final Need BPFTOOL = new Need("/usr/sbin/bpftool", "apt-get install bpftool");
    private static final Need QEMU = new Need("qemu-system-x86_64", "apt-get install qemu-system-x86 virtiofsd");

    /** By it the guest's kernel is fetched: the newest that there is. */
    private static final String KERNEL = "7.2";

    private static final int REPEATS = 3;
    private static final long LIMIT_SECONDS = 1800;
    private static final String EACH_WAY =
            "turn=$1; shift; for way in $WAYS; do echo turn $way; \"$turn\" $way \"$@\"; echo code $?; done";
    /** Where instructions are counted translations cost nothing: auto is to do what it does on a processor that keeps some. */
    private static final String TAGGED = "sed '/^flags/s/$/ pcid /' /proc/cpuinfo >/tmp/cpuinfo"
            + " && mount --bind /tmp/cpuinfo /proc/cpuinfo || exit; ";

    /** Where the VMs run. */
    private enum Where {
        HOST,
        /** In a guest whose clock counts instructions. */
        COUNTED,
        /** In one in real time, whose emulator forgets all translations when the address space is switched: no tags. */
        UNTAGGED;

        boolean isGuest() {
            return this != HOST;
        }
    }

    /**
     * Some VMs, and what they do.
     *
     * @param name of what is kept of them
     * @param cpus of the guest
     * @param probe if how late a thread wakes beside them is measured
     */
    private record Vms(
            String name,
            String load,
            int cpus,
            boolean probe,
            List<Integer> counts,
            List<String> ways,
            List<String> size) {}

    /** The way for which a program is built that not every host can build. */
    private static final String FLATCG = "flatcg";

    private static final List<Integer> ONE_TO_SEVEN =
            IntStream.rangeClosed(1, 7).boxed().toList();
    private static final List<Integer> SOME = List.of(2, 4, 7);
    /** Of two JVMs each, and one that starts these. */
    private static final List<Integer> JOBS = List.of(1, 3);

    private static final List<String> FOUR_WAYS = List.of("eevdf", "fifo", "auto", "always");
    /** The guest's CPUs take turns on one of the host's, which keeps who wakes on one waiting for another's turn: no probe with two. */
    private static final List<Vms> IN_GUEST = List.of(new Vms(
            "beam",
            "beam",
            2,
            false,
            ONE_TO_SEVEN,
            List.of("eevdf", "single", "slice", "cgroup", "fifo", FLATCG, "auto", "always"),
            List.of("100", "10")));

    private static final List<Vms> JVMS_IN_GUEST =
            List.of(new Vms("jvm", "jvm", 2, false, List.of(2, 3, 4, 5, 6, 7), FOUR_WAYS, List.of("500")));
    private static final List<Vms> PROBE_IN_GUEST =
            List.of(new Vms("beam-one-cpu", "beam", 1, true, SOME, FOUR_WAYS, List.of("100", "5")));
    /** So long that a turn of all VMs is a small part of it. */
    private static final List<Vms> LONG_IN_GUEST = List.of(
            new Vms(
                    "beam-long",
                    "beam",
                    2,
                    false,
                    List.of(7),
                    List.of("eevdf", "single", "always"),
                    List.of("100", "40")),
            new Vms(
                    "beam-long-one-cpu",
                    "beam",
                    1,
                    false,
                    List.of(4, 7),
                    List.of("eevdf", "always"),
                    List.of("100", "40")));

    private static final List<Vms> UNTAGGED_IN_GUEST = List.of(
            new Vms("beam-untagged", "beam", 2, false, List.of(2, 4, 5, 6, 7), FOUR_WAYS, List.of("100", "20")),
            new Vms("beam-untagged-one-cpu", "beam", 1, false, List.of(4, 7), FOUR_WAYS, List.of("100", "20")));

    private static final List<Vms> JOBS_IN_GUEST =
            List.of(new Vms("jpi", "jpi", 2, false, JOBS, FOUR_WAYS, List.of("300")));
    private static final List<Vms> ON_HOST = List.of(
            new Vms(
                    "beam",
                    "beam",
                    2,
                    true,
                    ONE_TO_SEVEN,
                    List.of("eevdf", "slice", "cgroup", "plain"),
                    List.of("1000", "2")),
            new Vms("jvm", "jvm", 2, true, SOME, List.of("eevdf", "plain"), List.of("10000")),
            new Vms("jpi", "jpi", 2, true, JOBS, List.of("eevdf", "plain"), List.of("20000")));
    private static final List<Vms> SMOKE_IN_GUEST = List.of(
            new Vms("beam", "beam", 2, false, List.of(2), List.of("eevdf", "fifo", "always"), List.of("100", "10")));
    /** Long enough for the probe, whose first wakes do not count. */
    private static final List<Vms> SMOKE_ON_HOST = List.of(
            new Vms("beam", "beam", 2, true, List.of(2), List.of("eevdf", "slice", "plain"), List.of("300", "16")));

    private final Where where;
    private final List<Vms> loads;
    private final List<Vms> smoke;
    private boolean hasFlatcg;

    private AggregationExperiment(Where where, List<Vms> loads, List<Vms> smoke) {
        this.where = where;
        this.loads = loads;
        this.smoke = smoke;
    }

    static AggregationExperiment inGuest() {
        return new AggregationExperiment(Where.COUNTED, IN_GUEST, SMOKE_IN_GUEST);
    }

    static AggregationExperiment jvmsInGuest() {
        return new AggregationExperiment(Where.COUNTED, JVMS_IN_GUEST, List.of());
    }

    static AggregationExperiment probeInGuest() {
        return new AggregationExperiment(Where.COUNTED, PROBE_IN_GUEST, List.of());
    }

    static AggregationExperiment longInGuest() {
        return new AggregationExperiment(Where.COUNTED, LONG_IN_GUEST, List.of());
    }

    static AggregationExperiment untaggedInGuest() {
        return new AggregationExperiment(Where.UNTAGGED, UNTAGGED_IN_GUEST, List.of());
    }

    static AggregationExperiment jobsInGuest() {
        return new AggregationExperiment(Where.COUNTED, JOBS_IN_GUEST, List.of());
    }

    static AggregationExperiment onHost() {
        return new AggregationExperiment(Where.HOST, ON_HOST, SMOKE_ON_HOST);
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Optional<String> failure = build();
        if (failure.isPresent()) {
            Bench.say("not measured: %s", failure.get());
            return false;
        }
        List<Vms> measured = bench.shortened() ? smoke : loads;
        hasFlatcg = measured.stream().anyMatch(load -> load.ways().contains(FLATCG)) && buildFlatcg();
        // A guest is one thread of this host, and a clock that counts does not mind what else runs; others do.
        int atOnce = where == Where.COUNTED ? Runtime.getRuntime().availableProcessors() : 1;
        try (ExecutorService turns = Executors.newFixedThreadPool(atOnce)) {
            List<List<Turns>> begun =
                    measured.stream().map(load -> begin(bench, turns, load)).toList();
            boolean held = true;
            for (int i = 0; i < measured.size(); i++) {
                held &= measure(bench, measured.get(i), begun.get(i));
            }
            return held;
        } catch (ExecutionException e) {
            throw new IOException("a turn ended early", e.getCause());
        }
    }

    /** Each way once, for so many VMs. */
    private record Turns(int vms, int repeat, Future<List<AggregationTurn>> made) {}

    private List<Turns> begin(Bench bench, ExecutorService turns, Vms load) {
        List<Turns> begun = new ArrayList<>();
        for (int i = 0; i < bench.pairCount(REPEATS); i++) {
            int repeat = i;
            for (int vms : load.counts()) {
                begun.add(new Turns(vms, repeat, turns.submit(() -> turns(load, vms, repeat))));
            }
        }
        return begun;
    }

    private boolean measure(Bench bench, Vms load, List<Turns> begun)
            throws IOException, InterruptedException, ExecutionException {
        AggregationTable table = new AggregationTable(load.name(), load.probe(), where.isGuest() ? "always" : "plain");
        try (var csv = bench.folder().csv(name(load), AggregationTable.COLUMNS)) {
            for (Turns turns : begun) {
                List<AggregationTurn> made = turns.made().get();
                table.add(turns.vms(), made);
                table.keep(csv, turns.vms(), turns.repeat(), made);
                Bench.say("  %s %d, repeat %d: %s", load.name(), turns.vms(), turns.repeat() + 1, shortly(made));
            }
        }
        boolean held = table.tell();
        String place = where.isGuest()
                ? "A guest with %s%s, Linux %s"
                        .formatted(
                                load.cpus() == 1 ? "one CPU" : load.cpus() + " CPUs",
                                where == Where.UNTAGGED ? " that forget translations, in real time" : "",
                                KERNEL)
                : "On this host";
        PlotPage.write(bench.folder(), "aggregation.html", name(load), load.load() + ". " + place);
        return held;
    }

    private String name(Vms load) {
        return "aggregation-" + load.name() + (where.isGuest() ? "" : "-host");
    }

    private static String shortly(List<AggregationTurn> turns) {
        List<String> words = new ArrayList<>();
        turns.forEach(turn -> words.add("%s %.2f s".formatted(turn.way(), turn.meanElapsed())));
        return String.join(", ", words);
    }

    private static Path built() {
        return Bench.scratch().resolve("aggregation");
    }

    private static Path sources() {
        return Bench.root().resolve("papers/004-thread-aggregation");
    }

    private Optional<String> build() throws IOException, InterruptedException {
        Files.createDirectories(built());
        List<Need> needs = new ArrayList<>(List.of(ERLANG, MAKE, GCC, CLANG));
        if (where.isGuest()) {
            needs.addAll(List.of(QEMU, BPFTOOL));
        }
        String programs = Bench.root().resolve("native/aggregate").toString();
        String source = sources().resolve("all_to_all.erl").toString();
        Optional<String> failure = ProgramBuild.failure(needs, List.of("make", "-s", "-C", programs, "all"));
        return failure.isPresent()
                ? failure
                : ProgramBuild.failure(needs, List.of("erlc", "-o", built().toString(), source));
    }

    private static Path flatcg() {
        return built().resolve("scx_flatcg");
    }

    private static boolean buildFlatcg() throws IOException, InterruptedException {
        String build = sources().resolve("flatcg").toString();
        Optional<String> failure = ProgramBuild.failure(List.of(), List.of(build, KERNEL, flatcg().toString()));
        failure.ifPresent(why -> Bench.say("  not measured: %s", why));
        return failure.isEmpty();
    }

    /** Each way once, in random order. */
    private List<AggregationTurn> turns(Vms load, int vms, int repeat) throws IOException, InterruptedException {
        List<String> ways = new ArrayList<>(load.ways());
        if (!hasFlatcg) {
            ways.remove(FLATCG);
        }
        Collections.shuffle(ways, new Random(31L * repeat + vms));
        List<String> command = new ArrayList<>();
        if (where.isGuest()) {
            command.addAll(List.of(
                    Bench.root().resolve("native/aggregate/guest/boot").toString(),
                    "-k",
                    KERNEL,
                    "-c",
                    String.valueOf(load.cpus()),
                    "-t",
                    String.valueOf(LIMIT_SECONDS),
                    "-l",
                    built().resolve("kernel-%s-%d-%d.log".formatted(load.name(), vms, repeat))
                            .toString()));
        }
        if (where == Where.UNTAGGED) {
            command.add("-r");
        }
        command.addAll(List.of(
                "env",
                "WAYS=" + String.join(" ", ways),
                "PROBE=" + (load.probe() ? "yes" : ""),
                "NATIVE=" + Bench.root().resolve("native/build/aggregate"),
                "FLATCG=" + flatcg(),
                "BEAM=" + built(),
                "JAVA=" + System.getProperty("java.home") + "/bin/java",
                "CLASSES=" + Bench.loadClassPath(),
                "bash",
                "-c",
                (where == Where.COUNTED ? TAGGED : "") + EACH_WAY,
                "each-way",
                sources().resolve("turn").toString(),
                load.load(),
                String.valueOf(vms)));
        command.addAll(load.size());
        return run(command);
    }

    private static List<AggregationTurn> run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(built(), "turns", ".out");
        try {
            Process process = Load.start(command, output);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
                process.waitFor();
            }
            List<String> lines = Files.readAllLines(output);
            lines.stream()
                    .filter(line -> line.startsWith("turn: ") || line.startsWith("boot: "))
                    .forEach(line -> Bench.say("  %s", line));
            return AggregationTurn.read(lines);
        } finally {
            Files.delete(output);
        }
    }
}
