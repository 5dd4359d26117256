package ayatori.cli.demo;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Shows runs as they go on: on a terminal one moving bar per thread, else one plain line per run. Used by one thread.
 */
final class TerminalView {
    private static final int BAR_WIDTH = 32; // a line has room in 80 columns
    private static final String[] EIGHTHS = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    /** 256-colour codes from cold, T1, to hot, T4: the page's colours. */
    private static final int[] COLOURS = {110, 32, 208, 124};

    private final PrintStream out;
    private final boolean live;
    private final boolean coloured;
    private boolean drawn;

    /** @param live whether {@code out} is a terminal that obeys cursor movements */
    TerminalView(PrintStream out, boolean live, boolean coloured) {
        this.out = out;
        this.live = live;
        this.coloured = coloured;
    }

    void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Announces a run. */
    void begin(Configuration configuration, int cpus, int round, int rounds) {
        drawn = false;
        if (live) {
            String which = rounds == 1 ? "" : ", run " + round + " of " + rounds;
            say("");
            say(bold(configuration.key()) + ", " + cpus(cpus) + which + ": " + configuration.title());
            say("  " + configuration.note());
        }
    }

    /** Draws the bars, over those drawn before. */
    void frame(Runner.Progress progress) {
        if (!live) {
            return;
        }
        CounterPage page = progress.page();
        StringBuilder text = new StringBuilder();
        if (drawn) {
            text.append("\033[").append(page.threads()).append('A');
        }
        for (int thread = page.threads() - 1; thread >= 0; thread--) {
            double share = (double) page.counter(thread) / progress.target();
            long ended = page.ended(thread);
            String when = ended == 0 ? "" : seconds(ended - page.opened());
            text.append(String.format(
                    Locale.ROOT,
                    "  %s  priority %d  %-8s %s %3.0f %%  %s\033[K%n",
                    Experiment.threadName(thread),
                    Experiment.PRIORITIES.get(thread),
                    progress.scheduling().get(thread),
                    bar(share, thread),
                    share * 100,
                    when));
        }
        out.print(text);
        out.flush();
        drawn = true;
    }

    /** Tells how a run went. */
    void end(RunRecord run, Figures figures) {
        String line = String.format(
                Locale.ROOT,
                "ends %s; early up to %s; all after %s%s",
                figures.order(),
                percent(figures.largestLowerProgress()),
                seconds(figures.allEnded()),
                taken(figures));
        if (live) {
            say("  " + line);
        } else {
            say(run.configuration().key() + ", " + cpus(run.cpus()) + ", run " + run.round() + ": " + line);
        }
        run.messages().forEach(message -> say("  " + message));
    }

    private static String taken(Figures figures) {
        return (figures.throttled() > 0 ? "; throttled " + seconds(figures.throttled()) : "")
                + (figures.elsewhere() > 0 ? "; others took " + seconds(figures.elsewhere()) : "");
    }

    private String bar(double share, int thread) {
        int eighths = (int) Math.round(Math.min(1, share) * BAR_WIDTH * 8);
        String filled = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
        String rest = "·".repeat(BAR_WIDTH - filled.length());
        return coloured
                ? "\033[38;5;" + COLOURS[thread] + "m" + filled + "\033[38;5;240m" + rest + "\033[0m"
                : filled + rest;
    }

    private String bold(String text) {
        return coloured ? "\033[1m" + text + "\033[0m" : text;
    }

    static String cpus(int cpus) {
        return cpus == 1 ? "1 CPU" : cpus + " CPUs";
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    /** A share as a percentage, with the digits that a limit of 1 % needs. */
    static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.0995 ? "%.2f %%" : "%.0f %%", share * 100);
    }
}
