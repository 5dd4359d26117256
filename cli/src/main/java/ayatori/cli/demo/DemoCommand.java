package ayatori.cli.demo;

import ayatori.cli.Installation;
import ayatori.cli.UserMistake;
import ayatori.internal.linux.Sched;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ayatori demo}: the paper's first experiment, live, with a page of plots and the raw results. */
@Command(
        name = "demo",
        description = {
            "Run the paper's counter experiment: four threads of priority 1, 3, 7 and 9 count to the same target.",
            "Real-time threads hold the CPUs for seconds: on two CPUs this host stands still meanwhile.",
            "A policy that this user may not have is skipped and named; ayatori run would fall back to nice."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all ran, and what is claimed for static held",
            "1:a run failed, or what is claimed did not hold",
            "2:a mistake on the command line"
        })
public final class DemoCommand implements Callable<Integer> {
    private static final String PAGE = "counters.html";

    @Option(
            names = "--cpus",
            paramLabel = "N",
            split = ",",
            description = "How many CPUs the JVM gets: 1, 2 or 1,2 (default: both, as far as there are).")
    List<Integer> cpus = List.of();

    @Option(names = "--runs", paramLabel = "N", defaultValue = "1", description = "Repetitions of all (default: 1).")
    int rounds;

    @Option(
            names = "--java",
            paramLabel = "PATH",
            defaultValue = "java",
            description = "The java that runs the threads, JDK 8 or later (default: the one on PATH).")
    String java = "java";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "ayatori-demo",
            description = "Where the page and the raw results go (default: ayatori-demo).")
    Path out = Path.of("ayatori-demo");

    @Option(
            names = "--target",
            paramLabel = "COUNT",
            defaultValue = "0",
            description =
                    "Where a thread ends (default: the multiple of the paper's 70 million that takes about 0.5 s).")
    int target;

    @Override
    public Integer call() throws InterruptedException {
        PrintStream console = System.out;
        boolean live = onTerminal();
        TerminalView view = new TerminalView(console, live, live && System.getenv("NO_COLOR") == null);
        try {
            return demonstrate(view);
        } catch (IOException | TimeoutException e) {
            System.err.println("ayatori: demo: " + e.getMessage());
            return 1;
        }
    }

    private int demonstrate(TerminalView view) throws IOException, InterruptedException, TimeoutException {
        Experiment experiment = prepare();
        List<Integer> counts = cpuCounts(experiment);
        Map<String, String> facts = Host.facts(experiment);
        facts.forEach((name, value) -> view.say(String.format("%-17s %s", name, value)));
        List<Configuration> possible = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Configuration configuration : Configuration.ALL) {
            if (experiment.privilege().grants(configuration.need())) {
                possible.add(configuration);
            } else {
                missing.add(configuration.title() + ": not to be had here: "
                        + experiment.privilege().refusal(configuration.need()));
            }
        }
        missing.forEach(view::say);

        List<RunRecord> runs = new ArrayList<>();
        List<Unended> unended = new ArrayList<>();
        Runner runner = new Runner(experiment);
        for (int count : counts) {
            for (int round = 1; round <= rounds; round++) {
                for (Configuration configuration : possible) {
                    view.begin(configuration, count, round, rounds);
                    try {
                        RunRecord run = runner.run(configuration, count, round, view::frame);
                        view.end(run, Figures.of(run));
                        runs.add(run);
                    } catch (TimeoutException e) {
                        unended.add(new Unended(configuration, count, round, String.valueOf(e.getMessage())));
                        view.say(unended.getLast().toString());
                    }
                }
            }
        }
        unended.forEach(each -> missing.add(each.toString()));
        return report(view, facts, new Summary(runs, unended), runs, missing);
    }

    private int report(
            TerminalView view, Map<String, String> facts, Summary summary, List<RunRecord> runs, List<String> missing)
            throws IOException {
        Path page = out.resolve(PAGE);
        CsvFiles.write(out, runs);
        Files.writeString(page, PlotPage.text(facts, summary, missing));
        for (int count : new TreeSet<>(runs.stream().map(RunRecord::cpus).toList())) {
            view.say("");
            summary.table(count).forEach(view::say);
        }
        view.say("");
        summary.unended().forEach(each -> view.say(each.toString()));
        summary.verdicts().forEach(view::say);
        view.say("plots: " + page);
        view.say("raw results: " + out.resolve(CsvFiles.THREADS) + ", " + out.resolve(CsvFiles.SAMPLES));
        return summary.held() ? 0 : 1;
    }

    /** Finds out all that can be wrong before anything runs for long. */
    private Experiment prepare() throws IOException, InterruptedException, TimeoutException {
        if (rounds < 1 || rounds > 1000) {
            throw new UserMistake("--runs " + rounds + " is not between 1 and 1000");
        }
        if (target < 0) {
            throw new UserMistake("--target " + target + " is negative");
        }
        for (int count : cpus) {
            if (count < 1 || count > 2) {
                throw new UserMistake("--cpus " + count + " is neither 1 nor 2");
            }
        }
        Path agent = Installation.agent().toAbsolutePath();
        Path load = Installation.home().toAbsolutePath().resolve("lib").resolve("ayatori-load.jar");
        if (!Files.isReadable(load)) {
            throw new UserMistake(load + " cannot be read: unpack the archive again");
        }
        TargetJvm jvm = TargetJvm.ask(java);
        BitSet allowed = Sched.getAffinity(0);
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new UserMistake("--out '" + out + "' cannot be made: " + e.getMessage());
        }
        Experiment experiment = new Experiment(jvm, target, agent, load, Privilege.probe(), allowed);
        if (target != 0) {
            return experiment;
        }
        return new Experiment(jvm, Calibration.target(experiment), agent, load, experiment.privilege(), allowed);
    }

    private List<Integer> cpuCounts(Experiment experiment) {
        int most = experiment.allowed().cardinality();
        if (cpus.isEmpty()) {
            return most < 2 ? List.of(1) : List.of(1, 2);
        }
        for (int count : cpus) {
            if (count > most) {
                throw new UserMistake("--cpus " + count + ": only " + most + " may be used here");
            }
        }
        return List.copyOf(new TreeSet<>(cpus));
    }

    @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is no terminal
    private static boolean onTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
    }
}
