package ayatori.cli.aggregate;

import ayatori.cli.Terminal;
import ayatori.cli.WatchTime;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ayatori aggregate meter}: switches between address spaces. */
@Command(
        name = "meter",
        header = "Counts switches from one address space to another, of each CPU and process.",
        synopsisHeading = "Usage: ",
        description = {
            "",
            "Under whatever scheduler: a BPF program looks at each switch. Threads that share an address space are one"
                    + " process here; one that borrows its parent's by vfork counts with the parent. Between two threads"
                    + " of one process lies no switch of address spaces, however many kernel threads come between.",
            "",
            "  SWITCH/s    of a CPU: all; of a process: to one of its threads",
            "  USER/s      to threads of processes",
            "  SPACE/s     of these, out of another address space",
            "  PER SWITCH  SPACE/s of those: 0 if one process has the CPU for itself",
            "  CPU %%       of one CPU",
            "  BATCH ms    what the process ran on a CPU between two others there:",
            "              median",
            "  DELAY ms    how long a thread was ready before it ran: median, and what",
            "              one in a hundred exceeds",
            "",
            "Lengths are counted in steps of a quarter of an octave, so to a tenth. Needs root, or CAP_BPF and CAP_PERFMON,"
                    + " and a kernel with BTF. Each switch takes half a microsecond longer meanwhile.",
            "",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was counted", "2:a mistake on the command line, or the kernel does not let it"})
final class MeterCommand implements Callable<Integer> {
    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long to count: 100ms to 60m (default: 10s).")
    private String time = "10s";

    @Option(names = "--json", description = "Write one JSON object: all processes, and how lengths are spread.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        long nanos = WatchTime.nanos(time);
        String scheduler = SchedulerName.now();
        MeterReading reading;
        try {
            LongConsumer progress = WatchTime.progress("all CPUs", nanos);
            reading = MeterReading.parse(AggregateProgram.run(
                    passed -> progress.accept(Math.min(passed, nanos)),
                    "meter",
                    Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos))));
        } finally {
            WatchTime.endProgress();
        }
        PrintStream out = System.out;
        if (json) {
            out.println(MeterJson.of(reading, scheduler));
        } else {
            MeterTable.draw(reading, scheduler, Terminal.columns(), Terminal.cutMark(out.charset()))
                    .forEach(out::println);
        }
        out.flush();
        return 0;
    }
}
