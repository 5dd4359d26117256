package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.sched.PriorityLadder.Policy;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * The load TaskStorm: tasks of random priority with random waits, timeouts and cancels; none is lost, none runs twice, and
 * every worker is back at its own level.
 */
final class TaskLosses implements Measurement {
    private static final long TASKS = 100_000_000;
    private static final long SHORT_TASKS = 2_000_000;
    private static final long SECONDS_A_MILLION = 120;

    /**
     * One JVM.
     *
     * @param share of the tasks, per cent
     * @param agent if the agent tells the kernel; else the pool does, and leaves real-time alone: without placement the JVM
     *     would starve
     */
    private record Setting(Policy policy, boolean agent, int share) {
        String label() {
            String name = policy.name().toLowerCase(Locale.ROOT);
            return agent ? "agent, " + name : "no agent, the pool's own ladder " + name;
        }
    }

    private static final List<Setting> SETTINGS = List.of(
            new Setting(Policy.STATIC, true, 40),
            new Setting(Policy.MIXED, true, 40),
            new Setting(Policy.NICE, false, 20));

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        long tasks = bench.shortened() ? SHORT_TASKS : TASKS;
        boolean held = true;
        try (Csv csv = bench.folder()
                .csv("tasks", "policy,agent,ran,cancelled,lost,twice,raises,started,reclaimed,wrong_levels")) {
            for (Setting setting : SETTINGS) {
                held &= run(bench, setting, tasks / 100 * setting.share(), csv);
            }
        }
        return held;
    }

    private static boolean run(Bench bench, Setting setting, long tasks, Csv csv)
            throws IOException, InterruptedException {
        Load load = Load.of(bench.newest(), "TaskStorm", tasks, System.nanoTime(), setting.policy())
                .withJvm("-ea", "--enable-native-access=ALL-UNNAMED", "-Xmx512m")
                .withAgent(setting.agent() ? PolicyChurn.options(setting.policy()) : null);
        Load.Outcome outcome = load.run(60 + tasks * SECONDS_A_MILLION / 1_000_000);
        double ran = outcome.value("tasks", 1);
        double cancelled = outcome.value("tasks", 2);
        double lost = outcome.value("tasks", 3);
        double twice = outcome.value("tasks", 4);
        double raises = outcome.value("pool", 1);
        double wrong = outcome.value("wrong", 1);
        boolean whole = outcome.good() && lost == 0 && twice == 0 && wrong == 0;
        if (!outcome.ended()) {
            Bench.say("%s: did not end", setting.label());
            return false;
        }
        csv.row(
                setting.policy(),
                setting.agent(),
                ran,
                cancelled,
                lost,
                twice,
                raises,
                outcome.value("pool", 2),
                outcome.value("pool", 3),
                wrong);
        Bench.say(
                "%s: %.0f tasks ran, %.0f were cancelled, %.0f lost, %.0f ran twice; %.0f raises, %.0f workers at a wrong"
                        + " level; asked: none lost, none twice, none wrong %s",
                setting.label(), ran, cancelled, lost, twice, raises, wrong, Bench.held(whole));
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        return whole;
    }
}
