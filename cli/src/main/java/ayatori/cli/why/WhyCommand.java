package ayatori.cli.why;

import ayatori.cli.JvmProcess;
import ayatori.cli.Roster;
import ayatori.cli.UserMistake;
import ayatori.cli.WatchTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ayatori why}: what a thread's time went to, and who took it. */
@Command(
        name = "why",
        header = "Says what delays a thread: who has its CPU while it waits, and what it sleeps in.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "Watches one thread for a while by the kernel's scheduler trace, and shares the time out: on a CPU; ready"
                    + " and waiting for a CPU, by whom (thread, process, policy and value); asleep, in what system call"
                    + " and woken by whom. The shares add up to 100 %%. Beside them stand safepoints, collections, page"
                    + " faults, and the thread's Java state from thread dumps: two a second, each of which stops the"
                    + " JVM's threads for an instant as jstack does.",
            "",
            "  SHARE %%   of the time that was watched",
            "  TIMES     in how many pieces",
            "",
            "The trace is root's. Without it waiting is shown in all, and not by whom.",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the thread was watched", "2:a mistake on the command line, or there is no such thread"})
public final class WhyCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "PID", description = "A JVM's process id in this PID namespace.")
    private String pid = "";

    @Parameters(
            index = "1",
            paramLabel = "THREAD",
            description =
                    "A name as ayatori ps shows it; a glob with * and ? that one name matches; or a thread id (TID).")
    private String word = "";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long to watch: 100ms to 60m (default: 10s).")
    private String time = "10s";

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write a timeline, too: JSON in the Trace Event Format, which ui.perfetto.dev opens.")
    private @Nullable Path file;

    @Option(names = "--json", description = "Write one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        long nanos = WatchTime.nanos(time);
        JvmProcess process = JvmProcess.named(pid);
        Findings findings;
        try (Roster roster = Roster.open(process)) {
            Roster.Reading reading = roster.read();
            WatchedThread thread = WatchedThread.named(process, reading, word);
            findings = watch(thread, reading, nanos);
        } catch (IOException e) {
            throw new UserMistake("process " + pid + " or thread '" + word + "' has ended");
        }
        PrintStream out = System.out;
        if (json) {
            out.println(WhyJson.of(findings));
        } else {
            WhyTable.lines(findings).forEach(out::println);
        }
        out.flush();
        return 0;
    }

    private Findings watch(WatchedThread thread, Roster.Reading reading, long nanos)
            throws IOException, InterruptedException {
        LongConsumer progress = WatchTime.progress("thread " + thread.tid(), nanos);
        try (TimelineFile timeline = file == null ? null : TimelineFile.create(file, thread)) {
            return new Observation(thread, reading, timeline, progress).run(nanos);
        } finally {
            WatchTime.endProgress();
        }
    }
}
