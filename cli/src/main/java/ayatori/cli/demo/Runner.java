package ayatori.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Runs the load once and collects what is to be known of it. */
final class Runner {
    private static final long READY_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long RUN_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Experiment experiment;

    Runner(Experiment experiment) {
        this.experiment = experiment;
    }

    /**
     * Runs one configuration.
     *
     * @param view sees the page some times a second while the threads count
     */
    RunRecord run(Configuration configuration, int cpus, int round, Consumer<Progress> view)
            throws IOException, InterruptedException, TimeoutException {
        List<String> arguments = configuration.arguments(experiment.agent());
        try (CountersJvm jvm = CountersJvm.start(
                experiment, arguments, experiment.countingCpus(cpus), experiment.target(), Experiment.PRIORITIES)) {
            jvm.awaitReady(READY_LIMIT_NANOS);
            List<String> scheduling = new ArrayList<>();
            for (int thread = 0; thread < Experiment.THREADS; thread++) {
                scheduling.add(jvm.scheduling(thread));
            }
            boolean realTime = experiment.privilege().grants(Privilege.Need.REAL_TIME);
            Sampler sampler = new Sampler(jvm.page, experiment.watchingCpus(cpus), realTime, RUN_LIMIT_NANOS);
            sampler.start();
            TaskAccounts before = TaskAccounts.read(jvm.pid());
            Progress progress = new Progress(jvm.page, scheduling, experiment.target());
            jvm.open();
            Samples samples;
            try {
                jvm.awaitEnd(() -> view.accept(progress), RUN_LIMIT_NANOS);
            } finally {
                samples = sampler.stop();
            }
            TaskAccounts after = TaskAccounts.read(jvm.pid());
            view.accept(progress);
            jvm.release();
            return record(configuration, cpus, round, jvm, scheduling, before, after, samples);
        }
    }

    /** What a view may show of a run that goes on. */
    record Progress(CounterPage page, List<String> scheduling, int target) {}

    private RunRecord record(
            Configuration configuration,
            int cpus,
            int round,
            CountersJvm jvm,
            List<String> scheduling,
            TaskAccounts before,
            TaskAccounts after,
            Samples samples)
            throws IOException {
        CounterPage page = jvm.page;
        Set<Integer> counting = new HashSet<>();
        List<RunRecord.Counted> threads = new ArrayList<>();
        for (int thread = 0; thread < Experiment.THREADS; thread++) {
            counting.add(page.nativeId(thread));
            List<Long> others = new ArrayList<>();
            for (int other = 0; other < Experiment.THREADS; other++) {
                others.add(page.snapshot(thread, other));
            }
            threads.add(new RunRecord.Counted(
                    scheduling.get(thread),
                    !scheduling.get(thread).startsWith("nice"),
                    page.ended(thread),
                    page.cpu(thread),
                    page.runDelay(thread),
                    others));
        }
        return new RunRecord(
                configuration,
                cpus,
                round,
                experiment.target(),
                page.opened(),
                threads,
                after.since(before, counting, false),
                after.since(before, counting, true),
                samples,
                jvm.messages());
    }
}
