package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.sched.PriorityLadder.Policy;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Millions of pieces of work of random priority, some of them awaited, given up or cancelled at random moments, by a load that
 * counts what came of them, and what must not have: none is lost, none is done twice, and every thread is back at its own level.
 */
final class Storm implements Measurement {
    private static final long SECONDS_A_MILLION = 400;

    private final String name;
    private final String program;
    private final long pieces;
    private final long shortPieces;

    /**
     * A storm.
     *
     * @param name of the results
     * @param program the load; it gets the number of pieces, a seed and the policy
     * @param shortPieces how many when shortened
     */
    Storm(String name, String program, long pieces, long shortPieces) {
        this.name = name;
        this.program = program;
        this.pieces = pieces;
        this.shortPieces = shortPieces;
    }

    /**
     * One JVM.
     *
     * @param share of the pieces, per cent
     * @param agent if the agent tells the kernel; else the library does, and leaves real-time alone: without placement the JVM
     *     would starve
     */
    private record Setting(Policy policy, boolean agent, int share) {
        String label() {
            String name = policy.name().toLowerCase(Locale.ROOT);
            return agent ? "agent, " + name : "no agent, the library's own ladder " + name;
        }
    }

    private static final List<Setting> SETTINGS = List.of(
            new Setting(Policy.STATIC, true, 40),
            new Setting(Policy.MIXED, true, 40),
            new Setting(Policy.NICE, false, 20));

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        long all = bench.shortened() ? shortPieces : pieces;
        boolean held = true;
        try (Csv csv = bench.folder().csv(name, "policy,agent,kind,name,value")) {
            for (Setting setting : SETTINGS) {
                held &= run(bench, setting, all / 100 * setting.share(), csv);
            }
        }
        return held;
    }

    private boolean run(Bench bench, Setting setting, long share, Csv csv) throws IOException, InterruptedException {
        Bench.say("%s: %,d %s", setting.label(), share, name);
        Load.Outcome outcome = Load.of(bench.newest(), program, share, System.nanoTime(), setting.policy())
                .withJvm("-ea", "--enable-native-access=ALL-UNNAMED", "-Xmx512m")
                .withAgent(setting.agent() ? PolicyChurn.options(setting.policy()) : null)
                .run(60 + share * SECONDS_A_MILLION / 1_000_000);
        outcome.messages().stream().limit(10).forEach(line -> Bench.say("  %s", line));
        if (!outcome.ended()) {
            Bench.say("  did not end");
            return false;
        }
        for (List<String> result : outcome.results()) {
            csv.row(setting.policy(), setting.agent(), result.get(0), result.get(1), result.get(2));
        }
        boolean flawless = outcome.good()
                && outcome.results().stream()
                        .noneMatch(result -> result.get(0).equals("flaw") && Long.parseLong(result.get(2)) != 0);
        Bench.say("  %s", row(outcome, "count"));
        Bench.say("  %s; asked: none of these %s", row(outcome, "flaw"), Bench.held(flawless));
        return flawless;
    }

    private static String row(Load.Outcome outcome, String kind) {
        return outcome.results().stream()
                .filter(result -> result.get(0).equals(kind))
                .map(result -> "%,d %s".formatted(Long.parseLong(result.get(2)), result.get(1)))
                .collect(Collectors.joining(", "));
    }
}
