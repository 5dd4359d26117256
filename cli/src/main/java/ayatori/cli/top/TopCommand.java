package ayatori.cli.top;

import ayatori.cli.JvmProcess;
import ayatori.cli.Terminal;
import ayatori.cli.UserMistake;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ayatori top}: the threads of a JVM, or of all, live. */
@Command(
        name = "top",
        header = "Shows the threads of a JVM live: policies, CPU, delay, switches.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "Without PID: the threads of all JVMs of this user (root: of all users) and the real-time threads of native"
                    + " programs in one order, that of the kernel: the highest policy and value first. PROGRAM is the name"
                    + " by which the process was started from the host file (ayatori run --band NAME).",
            "",
            "Of the last interval:",
            "  CPU%%       share of it on a CPU",
            "  DELAY%%     share of it ready to run, and waiting for a CPU",
            "  VOL/s      switches a second because it waited for something",
            "  INVOL/s    switches a second because another thread had to run",
            "The other columns are those of ayatori ps. What is not as wanted is bold and marked !, and the first cause"
                    + " is explained at the bottom.",
            "",
            "Keys, capital or small:",
            "  q, Ctrl-C  quit",
            "  L P T N D S  sort by ladder (policy and value), CPU%%, CPU time, thread id, DELAY%%, switches",
            "  R          reverse the order",
            "  /          show only names that contain what you type; Esc removes it",
            "  !          show only what is not as wanted",
            "  arrows, Page Up, Page Down, Home, End  move",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class TopCommand implements Callable<Integer> {
    private static final double SHORTEST_DELAY = 0.1;
    private static final double LONGEST_DELAY = 3600;
    /** The first rates shall not take a whole interval. */
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    @Parameters(arity = "0..1", paramLabel = "PID", description = "A process id of this PID namespace.")
    private @Nullable String pid;

    @Option(
            names = {"-d", "--delay"},
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "From one sample to the next, 0.1 to 3600 (default: 1).")
    private String delay = "1";

    @Option(
            names = "--json",
            description = "Print one sample, of an interval of --delay seconds, as JSON, by the ladder, and end.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        long delayNanos = delayNanos(delay);
        JvmProcess process = pid == null ? null : JvmProcess.named(pid);
        if (!json) {
            requireTerminal();
        }
        try (Watch watch = process == null ? Watch.ofAll() : watch(process)) {
            return json ? printSample(watch, delayNanos) : show(watch, delayNanos);
        }
    }

    private static long delayNanos(String text) {
        double seconds;
        try {
            seconds = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            seconds = Double.NaN;
        }
        if (!(seconds >= SHORTEST_DELAY && seconds <= LONGEST_DELAY)) {
            throw new UserMistake("--delay '" + text + "': must be 0.1 to 3600 seconds");
        }
        return Math.round(seconds * 1e9);
    }

    private static void requireTerminal() {
        boolean input = Terminal.is(Terminal.INPUT);
        if (!input || !Terminal.is(Terminal.OUTPUT)) {
            throw new UserMistake(
                    "standard " + (input ? "output" : "input") + " is no terminal: use --json for one sample");
        }
    }

    private static Watch watch(JvmProcess process) {
        try {
            return Watch.of(process);
        } catch (IOException e) {
            throw ended(process.pid());
        }
    }

    private static UserMistake ended(@Nullable Object pid) {
        return new UserMistake("process " + pid + " has ended");
    }

    private int printSample(Watch watch, long delayNanos) throws InterruptedException {
        try {
            watch.awaitNames();
            watch.sample();
            long begun = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(delayNanos);
            Watch.Frame frame = watch.sample();
            double interval = (System.nanoTime() - begun) / 1e9;
            List<LiveRow> rows =
                    frame.rows().stream().sorted(SortKey.LADDER.order(false)).toList();
            for (JvmProcess other : frame.others()) {
                System.err.println("ayatori top: JVM " + other.pid() + " is of " + other.owner()
                        + ": only that user and root may look into it");
            }
            System.out.println(SampleJson.of(frame, rows, Instant.now().truncatedTo(ChronoUnit.MILLIS), interval));
            System.out.flush();
            return 0;
        } catch (IOException e) {
            throw ended(pid);
        }
    }

    private int show(Watch watch, long delayNanos) throws IOException, InterruptedException {
        Watch.Frame frame;
        try {
            frame = watch.sample();
        } catch (IOException e) {
            throw ended(pid);
        }
        boolean ended = false;
        try (LiveScreen screen = LiveScreen.open()) {
            TopView view = new TopView(watch.isOfAll(), delay, Terminal.cutMark(screen.charset()));
            long next = System.nanoTime() + Math.min(delayNanos, FIRST_NANOS);
            boolean go = true;
            while (go) {
                Size size = screen.size();
                screen.draw(view.draw(frame, size.getColumns(), size.getRows()));
                Key key = screen.await(next - System.nanoTime());
                if (key != null) {
                    go = view.press(key);
                    continue;
                }
                try {
                    frame = watch.sample();
                } catch (IOException e) {
                    ended = true;
                    break;
                }
                next = Math.max(next, System.nanoTime() - delayNanos) + delayNanos;
            }
        }
        if (ended) {
            System.out.println("ayatori top: JVM " + pid + " has ended");
        }
        return 0;
    }
}
