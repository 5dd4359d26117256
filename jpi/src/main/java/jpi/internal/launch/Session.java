package jpi.internal.launch;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import jpi.internal.engine.Layout;
import jpi.internal.engine.Timeline;
import jpi.internal.engine.Usage;
import jpi.internal.engine.World;
import jpi.internal.launch.ControlMessage.Exiting;
import jpi.internal.launch.SessionEvent.Connected;
import jpi.internal.launch.SessionEvent.Disconnected;
import jpi.internal.launch.SessionEvent.Exited;
import jpi.internal.launch.SessionEvent.OutputLost;
import jpi.internal.launch.SessionEvent.Received;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program, from the start of its workers to the end of the last of them. One thread takes what happens, event by event,
 * from a queue; whatever else runs here only puts it there.
 */
final class Session {
    /** Ranks that wait learn of a failure at once; this is for those that compute. The worker keeps to it, see there. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(8);

    private static final long CENSUS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** For output that is still under way when its process has ended. */
    private static final long OUTPUT_LOOK_MILLIS = 5;

    private static final long TERMINATION_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** What the system shows of a process that a signal has ended is that and its number. */
    private static final int BY_SIGNAL = 128;

    private static final int LAST_SIGNAL = 64;
    /** At which a JVM goes through its shutdown: HUP, INT, TERM. */
    private static final Set<Integer> SIGNALS_TO_END = Set.of(1, 2, 15);
    /** As of a program that SIGPIPE ended, in a shell. */
    private static final int BROKEN_PIPE = BY_SIGNAL + 13;

    private final Job job;
    private final Optional<TraceFile> trace;
    private final BlockingQueue<SessionEvent> events = new LinkedBlockingQueue<>();
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<OutputPump> pumps = new ArrayList<>();
    private final DeadlockWatch deadlocks = new DeadlockWatch();
    private Optional<MeetingPlace> place = Optional.empty();
    private boolean started;
    private boolean done;
    private @Nullable Failure failure;
    private long nextCensus;
    private long endDeadline;
    private volatile boolean closing;

    /** @param sentence for people; empty if there is nothing to tell */
    private record Failure(int exitCode, String sentence) {}

    private Session(Job job, Optional<TraceFile> trace) {
        this.job = job;
        this.trace = trace;
    }

    /**
     * Runs a job.
     *
     * @return exit code
     */
    static int run(Job job) {
        Optional<TraceFile> trace =
                job.trace().map(path -> TraceFile.open(path, job.layout().workers()));
        Session session = new Session(job, trace);
        try {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(session::clear));
        } catch (IllegalStateException e) {
            return BROKEN_PIPE; // as in conduct(): the JVM is ending, and there is nothing yet to clear
        }
        try {
            return session.conduct();
        } catch (IOException e) {
            if (session.closing) {
                return BROKEN_PIPE; // what was missing is what the hook has cleared
            }
            throw new UserMistake("the workers cannot be started (" + e + ")");
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the master's thread", e);
        }
    }

    private int conduct() throws IOException, InterruptedException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            MeetingPlace meeting = meet(server);
            var _ = Thread.ofPlatform().daemon().name("jpi-accept").start(() -> accept(server));
            startWorkers(meeting);
            while (!workers.stream().allMatch(WorkerProcess::gone)) {
                SessionEvent event = events.poll(nanosToTick(), TimeUnit.NANOSECONDS);
                if (event != null) {
                    handle(event);
                }
                tick();
            }
        }
        awaitOutput();
        Failure told = failure;
        if (closing) {
            return BROKEN_PIPE; // nobody will see it: a signal has ended this JVM
        }
        trace.ifPresent(TraceFile::finish);
        List<Usage> statistics = workers.stream()
                .flatMap(worker -> worker.statistics().stream())
                .flatMap(List::stream)
                .toList();
        if (!statistics.isEmpty()) {
            new StatisticsTable(statistics).lines().forEach(System.err::println);
        }
        trace.map(TraceFile::missing).filter(sentence -> !sentence.isEmpty()).ifPresent(Session::tell);
        if (told != null && !told.sentence.isEmpty()) {
            tell(told.sentence);
        }
        return told == null ? 0 : told.exitCode;
    }

    /** The hook waits meanwhile: it can only clear what is known here. */
    private synchronized MeetingPlace meet(ServerSocketChannel server) throws IOException {
        goOn();
        Layout layout = job.layout();
        boolean crowded = job.crowded();
        MeetingPlace made =
                MeetingPlace.create(World.memorySize(layout, crowded), World.roomyMemorySize(layout, crowded));
        place = Optional.of(made);
        var _ = server.bind(UnixDomainSocketAddress.of(made.socket()));
        return made;
    }

    private void goOn() throws IOException {
        if (closing) {
            throw new IOException("this JVM is ending");
        }
    }

    /** One worker writes as if it were this process; output of several is merged. */
    private void startWorkers(MeetingPlace meeting) throws IOException {
        List<String> command = WorkerCommand.of(job, meeting);
        int count = job.layout().workers();
        MergedOutput out = new MergedOutput(
                new FileOutputStream(FileDescriptor.out), trouble -> events.add(new OutputLost(trouble)));
        MergedOutput err = new MergedOutput(new FileOutputStream(FileDescriptor.err), _ -> {});
        for (int worker = 0; worker < count; worker++) {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
            var _ = builder.command().add(Integer.toString(worker));
            var _ = builder.redirectInput(worker == 0 ? Redirect.INHERIT : Redirect.from(new File("/dev/null")));
            if (count == 1) {
                var _ = builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
            }
            Process process = start(builder, worker);
            workers.add(new WorkerProcess(job.layout(), worker, process));
            if (count > 1) {
                pumps.add(new OutputPump(process.getInputStream(), out, "jpi-out-" + worker).start());
                pumps.add(new OutputPump(process.getErrorStream(), err, "jpi-err-" + worker).start());
            }
        }
    }

    private synchronized Process start(ProcessBuilder builder, int worker) throws IOException {
        goOn();
        Process process = builder.start();
        processes.add(process);
        var _ = process.onExit().thenAccept(ended -> events.add(new Exited(worker, ended.exitValue())));
        return process;
    }

    private void accept(ServerSocketChannel server) {
        try {
            for (int left = job.layout().workers(); left > 0; left--) {
                ControlChannel channel = new ControlChannel(server.accept());
                var _ = Thread.ofPlatform().daemon().name("jpi-control").start(() -> listen(channel));
            }
        } catch (IOException e) {
            // The session has ended: nobody else closes it.
        }
    }

    private void listen(ControlChannel channel) {
        int worker = -1;
        try {
            if (channel.receive() instanceof ControlMessage.Hello(int number)) {
                worker = number;
                events.add(new Connected(worker, channel));
                for (ControlMessage said = channel.receive(); said != null; said = channel.receive()) {
                    events.add(new Received(worker, said));
                }
            }
        } catch (IOException e) {
            // It has gone, as at the end of what it says.
        }
        if (worker >= 0) {
            events.add(new Disconnected(worker));
        }
    }

    private void handle(SessionEvent event) {
        WorkerProcess worker = event.worker() < 0 ? null : workers.get(event.worker());
        switch (event) {
            case Connected(int _, ControlChannel channel) when worker != null -> welcome(worker, channel);
            case Received(int _, ControlMessage said) when worker != null -> hear(worker, said);
            case Disconnected _
            when worker != null -> {
                worker.disconnect();
                judgeIfGone(worker);
            }
            case Exited(int _, int code)
            when worker != null -> {
                worker.exit(code);
                judgeIfGone(worker);
            }
            case OutputLost(IOException why) ->
                // As of `| head`, which has all that it wants.
                fail(
                        BROKEN_PIPE,
                        why.toString().contains("Broken pipe")
                                ? ""
                                : "standard output cannot be written (" + why + "): what was printed is not complete");
            default -> throw new IllegalStateException(event + " of no worker");
        }
    }

    private void welcome(WorkerProcess worker, ControlChannel channel) {
        worker.connect(channel);
        Failure already = failure;
        var _ = worker.tell(already == null ? job.task() : new ControlMessage.Abort(already.sentence));
    }

    private void hear(WorkerProcess worker, ControlMessage said) {
        switch (said) {
            case ControlMessage.Joined() -> {
                worker.join();
                startRanks();
            }
            case ControlMessage.Unable(String sentence) -> fail(started ? 1 : RunOptions.MISTAKE, sentence);
            case ControlMessage.Failed(int rank, String what) -> fail(1, "rank " + rank + " " + what);
            case ControlMessage.Ended() -> {
                worker.end();
                finishIfAllEnded();
            }
            case Exiting exiting -> worker.exiting(exiting);
            case ControlMessage.Standing standing -> worker.answer(standing);
            case ControlMessage.Bye(List<Usage> statistics) -> worker.bye(statistics);
            case ControlMessage.Trace(Timeline.Part part) -> trace.orElseThrow().add(worker.number(), part);
            default -> fail(1, worker + " says " + said + ", which is the master's to say");
        }
    }

    /** All know each other, or rather the memory that they share: names of files are needed no more. */
    private void startRanks() {
        if (failure == null && workers.stream().allMatch(WorkerProcess::joined)) {
            place.ifPresent(MeetingPlace::delete);
            trace.ifPresent(TraceFile::begin);
            workers.forEach(worker -> worker.tell(new ControlMessage.Start()));
            workers.forEach(WorkerProcess::ask);
            started = true;
            nextCensus = System.nanoTime() + CENSUS_NANOS;
        }
    }

    private void finishIfAllEnded() {
        if (failure == null && workers.stream().allMatch(WorkerProcess::ended)) {
            done = true;
            workers.forEach(worker -> worker.tell(new ControlMessage.Done()));
        }
    }

    private void judgeIfGone(WorkerProcess worker) {
        if (failure != null || !worker.gone()) {
            return;
        }
        int code = worker.exitCode();
        if (worker.statistics().isPresent()) {
            if (code != 0) {
                fail(code, worker + " ended with exit code " + code + " although its ranks had ended well");
            }
        } else if (worker.exiting().isPresent()) {
            judgeExit(worker, worker.exiting().get(), code);
        } else if (code > BY_SIGNAL && code <= BY_SIGNAL + LAST_SIGNAL) {
            fail(1, worker + " was killed by signal " + (code - BY_SIGNAL));
        } else {
            fail(
                    code == 0 ? 1 : code,
                    worker + " ended with exit code " + code
                            + (worker.joined() ? " while it was needed" : " before it had joined"));
        }
    }

    /** A JVM that went through its shutdown: System.exit, or a signal that asks for it. */
    private void judgeExit(WorkerProcess worker, Exiting exiting, int code) {
        boolean byRank = exiting.rank() != Exiting.NO_RANK;
        if (!byRank && SIGNALS_TO_END.contains(code - BY_SIGNAL)) {
            fail(1, worker + " was ended by signal " + (code - BY_SIGNAL));
            return;
        }
        String call = (byRank ? "rank " + exiting.rank() : worker.toString())
                + (exiting.aborts() ? " called abort(" : " called System.exit(") + code + ")";
        boolean last =
                byRank && exiting.live() == 1 && workers.stream().allMatch(other -> other == worker || other.ended());
        if (code != 0) {
            fail(code, call);
        } else if (last || exiting.live() == 0) {
            worker.bye(exiting.statistics());
            worker.end();
            finishIfAllEnded();
        } else {
            fail(1, call + " while other ranks had not ended: return from Jmain instead");
        }
    }

    private void fail(int exitCode, String sentence) {
        if (failure != null) {
            return; // what follows from the first one
        }
        failure = new Failure(exitCode, sentence);
        endDeadline = System.nanoTime() + END_NANOS;
        for (WorkerProcess worker : workers) {
            if (!worker.tell(new ControlMessage.Abort(sentence))) {
                worker.kill();
            }
        }
    }

    private long nanosToTick() {
        if (failure != null) {
            return endDeadline - System.nanoTime();
        }
        return started && !done ? nextCensus - System.nanoTime() : Long.MAX_VALUE;
    }

    private void tick() {
        if (nanosToTick() > 0) {
            return;
        }
        if (failure != null) {
            workers.forEach(WorkerProcess::kill);
            endDeadline = System.nanoTime() + END_NANOS;
            return;
        }
        nextCensus = System.nanoTime() + CENSUS_NANOS;
        List<WorkerProcess> asked =
                workers.stream().filter(worker -> !worker.gone()).toList();
        List<ControlMessage.Standing> round = asked.stream()
                .map(WorkerProcess::standing)
                .flatMap(Optional::stream)
                .toList();
        if (round.size() == asked.size()) {
            deadlocks.look(round).ifPresent(explanation -> fail(1, explanation));
            asked.forEach(WorkerProcess::ask);
        }
    }

    private void awaitOutput() throws InterruptedException {
        while (true) {
            boolean over = true;
            for (OutputPump pump : pumps) {
                over &= pump.isOver(); // of all, since each has a clock of its own
            }
            if (over) {
                return;
            }
            Thread.sleep(OUTPUT_LOOK_MILLIS);
        }
    }

    private static void tell(String sentence) {
        System.err.println("jpi: " + sentence);
    }

    /** The shutdown hook: whatever ends this JVM, nothing of the session stays behind. */
    private synchronized void clear() {
        closing = true;
        processes.forEach(Process::destroy);
        long deadline = System.nanoTime() + TERMINATION_NANOS;
        for (Process process : processes) {
            try {
                var _ = process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                break; // the hook's thread is known to nobody; if it is interrupted all the same, be quick
            }
        }
        processes.forEach(Process::destroyForcibly);
        place.ifPresent(MeetingPlace::delete);
        trace.ifPresent(TraceFile::finish);
    }
}
