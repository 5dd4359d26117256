package ayatori.cli.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The raw results: what each thread reports, and the counters over time. */
final class CsvFiles {
    static final String THREADS = "threads.csv";
    static final String SAMPLES = "samples.csv";

    private CsvFiles() {}

    /** Writes both files into a folder that exists. Times in them are nanoseconds since the gate was opened. */
    static void write(Path folder, List<RunRecord> runs) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(folder.resolve(THREADS)))) {
            out.println("configuration,cpus,run,thread,priority,scheduling,target,ended_ns,cpu_ns,run_delay_ns,"
                    + "t1_at_end,t2_at_end,t3_at_end,t4_at_end,jvm_cpu_ns,jvm_rt_cpu_ns,throttled_ns,others_ns");
            runs.forEach(run -> threads(out, run));
        }
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(folder.resolve(SAMPLES)))) {
            out.println("configuration,cpus,run,elapsed_ns,t1,t2,t3,t4");
            runs.forEach(run -> samples(out, run));
        }
    }

    private static void threads(PrintWriter out, RunRecord run) {
        Figures figures = Figures.of(run);
        for (int thread = 0; thread < run.threads().size(); thread++) {
            RunRecord.Counted counted = run.threads().get(thread);
            out.print(head(run) + Experiment.threadName(thread) + "," + Experiment.PRIORITIES.get(thread) + ","
                    + counted.scheduling() + "," + run.target() + "," + (counted.ended() - run.opened()) + ","
                    + counted.cpu() + "," + counted.runDelay());
            counted.others().forEach(other -> out.print("," + other));
            out.println("," + run.jvmCpu() + "," + run.jvmRealTimeCpu() + "," + figures.throttled() + ","
                    + figures.elsewhere());
        }
    }

    private static void samples(PrintWriter out, RunRecord run) {
        Curve curve = Curve.of(run);
        for (int at = 0; at < curve.elapsed().length; at++) {
            StringBuilder line = new StringBuilder(head(run)).append(curve.elapsed()[at]);
            for (long[] counter : curve.counters()) {
                line.append(',').append(counter[at]);
            }
            out.println(line);
        }
    }

    private static String head(RunRecord run) {
        return run.configuration().key() + "," + run.cpus() + "," + run.round() + ",";
    }
}
