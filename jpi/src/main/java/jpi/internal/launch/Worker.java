package jpi.internal.launch;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.MappedMemory;
import ayatori.sched.PriorityLedger;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import jpi.JException;
import jpi.internal.engine.EngineClasses;
import jpi.internal.engine.Layout;
import jpi.internal.engine.Settings;
import jpi.internal.engine.Timeline;
import jpi.internal.engine.World;
import jpi.internal.launch.ControlMessage.Exiting;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import org.jspecify.annotations.Nullable;

/** A JVM that runs some of the ranks. It does what the master says, and does not outlive it. */
public final class Worker {
    /** For ranks that compute when the program fails, and for the user's shutdown hooks. */
    private static final long END_MILLIS = 5000;

    private static final long LOOK_MILLIS = 20;

    private final int number;
    private final MeetingPlace place;
    private final ControlChannel channel;
    private final List<LabelledLines> output = new ArrayList<>();
    /** Ranks do not use the channel: they may be interrupted. */
    private final Executor reports = threads(1, "jpi-report");
    /** Apart from the thread that listens to the master. */
    private final Executor ending = threads(2, "jpi-end");

    private boolean started;
    private @Nullable World world;
    private volatile @Nullable Timeline timeline;
    private volatile @Nullable Ranks ranks;
    private volatile boolean told;
    /** The program has ended, and the master has been told what it has to know. */
    private final CountDownLatch over = new CountDownLatch(1);

    private Worker(int number, MeetingPlace place, ControlChannel channel) {
        this.number = number;
        this.place = place;
        this.channel = channel;
    }

    /** Started at once: ranks may leave no room for further threads. */
    private static Executor threads(int count, String name) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(name).factory());
        var _ = threads.prestartAllCoreThreads();
        return threads;
    }

    /** @param arguments {@link MeetingPlace#arguments()}, and the number of this worker */
    @SuppressWarnings("CatchAndPrintStackTrace") // nobody is left to rethrow it to
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        int number = Integer.parseInt(words.getLast());
        MeetingPlace place = MeetingPlace.ofArguments(words.subList(0, words.size() - 1));
        try {
            SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
            var _ = socket.connect(UnixDomainSocketAddress.of(place.socket()));
            Worker worker = new Worker(number, place, new ControlChannel(socket));
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("jpi-exit").unstarted(worker::exiting));
            worker.serve();
        } catch (IOException e) {
            // The master has died before this worker was there.
            place.delete();
        } catch (RuntimeException | Error e) {
            e.printStackTrace(); // a mistake of ours; the master sees that this worker has gone
        }
        Runtime.getRuntime().halt(1);
    }

    /** Returns when the master has gone. */
    private void serve() {
        try {
            channel.send(new ControlMessage.Hello(number));
            for (ControlMessage order = channel.receive(); order != null; order = channel.receive()) {
                obey(order);
            }
        } catch (IOException e) {
            // As if it had gone.
        }
        if (!started) {
            place.delete();
        }
    }

    private void obey(ControlMessage order) throws IOException {
        switch (order) {
            case ControlMessage.Task task -> channel.send(prepare(task));
            case ControlMessage.Start() -> start();
            case ControlMessage.CensusRequest() -> channel.send(ranks().standing());
            case ControlMessage.Done() -> {
                World ended = Objects.requireNonNull(world);
                ending.execute(() -> end(ended));
            }
            case ControlMessage.Abort(String reason) -> abort(reason);
            default -> throw new IOException("the master says " + order + ", which is a worker's to say");
        }
    }

    private ControlMessage prepare(ControlMessage.Task task) {
        try {
            if (task.labels()) {
                label();
            }
            ApplicationClass application = ApplicationClass.find(task.application());
            Layout layout = new Layout(task.ranks(), task.workers(), number);
            Settings settings = new Settings(task.virtual(), task.checking(), task.statistics(), task.crowded());
            AllowedTypes allowed = new AllowedTypes(application.type(), System.getProperty(AllowedTypes.PROPERTY, ""));
            if (task.traced()) {
                timeline = new Timeline(layout, part -> say(new ControlMessage.Trace(part)));
            }
            World made = new World(
                    layout,
                    settings,
                    new ObjectCodec(allowed, task.serialisation()),
                    map(layout, task.crowded()),
                    timeline);
            world = made;
            ranks = new Ranks(layout, task, made, application, this::report);
            if (PriorityLedger.ofThisProcess().isKeptByAgent()) {
                EngineClasses.load();
            }
            return new ControlMessage.Joined();
        } catch (UserMistake e) {
            return new ControlMessage.Unable(e.sentence());
        } catch (JException e) {
            return new ControlMessage.Unable(String.valueOf(e.getMessage())); // a sentence too
        } catch (NoClassDefFoundError e) {
            return new ControlMessage.Unable("worker " + number + " could not be prepared (" + e
                    + "): put the jars that JPI comes with beside its own");
        } catch (IOException | RuntimeException | Error e) {
            return new ControlMessage.Unable("worker " + number + " could not be prepared (" + e + ")");
        }
    }

    private @Nullable MemorySegment map(Layout layout, boolean crowded) throws IOException {
        if (place.memory().isEmpty()) {
            return null;
        }
        MappedMemory memory = MappedMemory.open(place.memory().get(), Arena.global());
        try {
            World.reserve(memory, layout, crowded);
        } catch (KernelException e) {
            if (e.errno() == Errno.ENOSPC) {
                throw MeetingPlace.noRoom(MappedMemory.DIRECTORY + " is full, and the workers share "
                        + memory.segment().byteSize() + " bytes");
            }
            // Whatever else: there may be room all the same.
        }
        memory.closeDescriptor();
        return memory.segment();
    }

    private void label() {
        LabelledLines out = new LabelledLines(new FileOutputStream(FileDescriptor.out));
        LabelledLines err = new LabelledLines(new FileOutputStream(FileDescriptor.err));
        output.addAll(List.of(out, err));
        System.setOut(out.printStream(System.out.charset()));
        System.setErr(err.printStream(System.err.charset()));
    }

    /** Under the agent ranks may be real-time threads, and must not keep the master's word away. */
    @SuppressWarnings("ThreadPriorityCheck") // which is what that is about
    private void start() {
        started = true;
        Objects.requireNonNull(world).start();
        ranks().start();
        Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
    }

    private Ranks ranks() {
        return Objects.requireNonNull(ranks, "the master gives a task before it says anything else");
    }

    private void report(ControlMessage message) {
        reports.execute(() -> say(message));
    }

    private void say(ControlMessage message) {
        try {
            channel.send(message);
        } catch (IOException e) {
            // The master has gone, and serve() sees that too.
        }
    }

    /** All ranks of the program have ended. */
    private void end(World ended) {
        try {
            ended.close();
            finishOutput();
            told = true;
            say(new ControlMessage.Bye(ranks().usage()));
            over.countDown();
        } catch (RuntimeException | Error e) {
            say(new ControlMessage.Unable("the program has ended, and worker " + number + " could not (" + e + ")"));
            return; // until the master says so
        }
        System.exit(0);
    }

    private void abort(String reason) {
        told = true;
        ending.execute(() -> {
            sleepUntilTheBound();
            finishOutput();
            Runtime.getRuntime().halt(1);
        });
        Ranks aborted = ranks;
        boolean running = started;
        ending.execute(() -> {
            if (aborted != null && running) {
                aborted.abort(reason);
                aborted.await();
            }
            over.countDown();
            System.exit(1);
        });
    }

    private static void sleepUntilTheBound() {
        try {
            Thread.sleep(END_MILLIS);
        } catch (InterruptedException e) {
            // By the user's program: it is over the sooner.
        }
    }

    /** The shutdown hook. */
    private void exiting() {
        if (!told) {
            Ranks asked = ranks;
            if (asked == null) {
                say(new Exiting(Exiting.NO_RANK, false, 1, List.of()));
            } else {
                exiting(asked);
            }
        }
        finishOutput();
    }

    /** If those that exit may, the JVM goes on with its other ranks until all of the program have ended. */
    private void exiting(Ranks asked) {
        Exiting first = asked.exiting();
        if (first.aborts() || !asked.leave(first.rank())) {
            say(first);
            return;
        }
        try {
            while (!over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                Exiting next = asked.exiting();
                if (next.rank() != Exiting.NO_RANK && (next.aborts() || !asked.leave(next.rank()))) {
                    String call = next.aborts() ? "called abort" : "called System.exit before it had finished";
                    say(new ControlMessage.Failed(next.rank(), call + ", with what exit code cannot be told"));
                    return;
                }
            }
        } catch (InterruptedException e) {
            say(first); // by the user's program
        }
    }

    private void finishOutput() {
        output.forEach(LabelledLines::finish);
        Timeline told = timeline;
        if (told != null) {
            told.flush();
        }
    }
}
