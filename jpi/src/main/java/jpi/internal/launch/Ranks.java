package jpi.internal.launch;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jpi.JComm;
import jpi.JException;
import jpi.internal.engine.Census;
import jpi.internal.engine.Layout;
import jpi.internal.engine.Usage;
import jpi.internal.engine.World;
import jpi.internal.launch.ControlMessage.Exiting;
import jpi.internal.launch.ControlMessage.Standing;
import jpi.internal.launch.ControlMessage.Wait;

/** The ranks of a worker, a thread each. */
final class Ranks {
    /** For the search of a hundred thousand threads for the one that exits. */
    private static final long SEARCH_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Causes that are looked at: they may come round to where they began. */
    private static final int LONGEST_CHAIN = 1000;

    private final World world;
    private final ApplicationClass application;
    private final List<String> arguments;
    private final boolean labels;
    private final boolean statistics;
    private final int first;
    private final List<Thread> threads = new ArrayList<>();
    /** Those of them that a group of threads has. */
    private final Set<Thread> platform;

    private final CountDownLatch live;
    /** Those that have ended by System.exit, and wait in there for the end of the JVM. */
    private final Set<Thread> left = ConcurrentHashMap.newKeySet();

    private final Consumer<ControlMessage> report;
    private volatile boolean aborted;

    /** @param report gets what the master has to know; called in the ranks' threads */
    Ranks(
            Layout layout,
            ControlMessage.Task task,
            World world,
            ApplicationClass application,
            Consumer<ControlMessage> report) {
        this.world = world;
        this.application = application;
        this.report = report;
        arguments = task.arguments();
        labels = task.labels();
        statistics = task.statistics();
        first = layout.first(layout.worker());
        int count = layout.count(layout.worker());
        live = new CountDownLatch(count);
        // The one that starts them has another priority.
        Thread.Builder builder = task.virtual()
                ? Thread.ofVirtual()
                : Thread.ofPlatform().daemon(false).priority(Thread.NORM_PRIORITY);
        if (count == 1) {
            world.rank(first).setAlone();
        }
        for (int rank = first; rank < first + count; rank++) {
            int number = rank;
            threads.add(builder.name("rank-" + number).unstarted(() -> live(number)));
        }
        platform = task.virtual() ? Set.of() : Set.copyOf(threads);
    }

    /** Starts all of them, or as many as the machine can bear. */
    void start() {
        for (int i = 0; i < threads.size(); i++) {
            try {
                threads.get(i).start();
            } catch (OutOfMemoryError e) {
                report.accept(new ControlMessage.Failed(
                        first + i,
                        "got no thread (" + e.getMessage() + "): so many ranks can only be virtual threads, -vt"));
                for (int missing = i; missing < threads.size(); missing++) {
                    live.countDown();
                }
                return;
            }
        }
    }

    private void live(int number) {
        if (labels) {
            LabelledLines.printFor(number);
        }
        try {
            world.rank(number).run(() -> application.run(arguments.toArray(String[]::new)));
        } catch (Throwable thrown) {
            tellFailed(number, thrown);
        }
        end();
    }

    private void end() {
        synchronized (live) {
            live.countDown();
            if (live.getCount() == 0) {
                world.retire();
                report.accept(new ControlMessage.Ended());
            }
        }
    }

    /**
     * A rank that exits has ended like one that returns, if it has finished before. False: it has not.
     *
     * @param number {@link Exiting#NO_RANK}: somebody else exits
     */
    boolean leave(int number) {
        if (number == Exiting.NO_RANK || !world.rank(number).isFinished()) {
            return false;
        }
        left.add(threads.get(number - first));
        end();
        return true;
    }

    /** What an exception says of itself is the program's code, which may fail too, as for want of memory. */
    private void tellFailed(int number, Throwable thrown) {
        try {
            failed(number, thrown);
        } catch (Throwable again) {
            report.accept(new ControlMessage.Failed(
                    number,
                    "ended with " + thrown.getClass().getName() + ", and what that says of itself cannot be told ("
                            + again.getClass().getName() + ")"));
        }
    }

    /** A rank that was told of another's failure and ends by that has nothing to add. */
    private void failed(int number, Throwable thrown) {
        boolean told = Stream.iterate(thrown, t -> t != null, Throwable::getCause)
                .limit(LONGEST_CHAIN)
                .anyMatch(JException.class::isInstance);
        if (aborted && told) {
            return;
        }
        StringWriter trace = new StringWriter();
        trace.write("Exception in rank " + number + ": ");
        thrown.printStackTrace(new PrintWriter(trace));
        System.err.print(trace);
        report.accept(new ControlMessage.Failed(number, "ended with " + thrown));
    }

    /** The next exceptions may come of this. */
    void abort(String reason) {
        aborted = true;
        world.abort(new JException(reason));
    }

    /** Waits until all have ended. */
    void await() {
        try {
            live.await();
        } catch (InterruptedException e) {
            // By the user's program, which ends all the same: nobody waits any longer.
        }
    }

    /** What they do. */
    Standing standing() {
        Census census = world.census();
        int running = 0;
        int blocked = 0;
        List<Wait> waits = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            String what = census.blocked().get(i);
            if (what != null) {
                blocked++;
                if (waits.size() < Standing.LISTED) {
                    waits.add(new Wait(first + i, what));
                }
            } else if (threads.get(i).isAlive() && !left.contains(threads.get(i))) {
                running++;
            }
        }
        if (running == 0) {
            running = census.busy()
                    ? 1
                    : OtherThreads.atWork(platform).size(); // perhaps of a rank whose own thread has ended
        }
        return new Standing(running, blocked, waits, census.sent(), census.taken());
    }

    /** To be asked while the JVM exits: by whom, of those that have not left. */
    Exiting exiting() {
        long deadline = System.nanoTime() + SEARCH_NANOS;
        for (int i = 0; i < threads.size() && System.nanoTime() < deadline; i++) {
            Thread thread = threads.get(i);
            if (thread.isAlive() && !left.contains(thread)) {
                StackTraceElement[] stack = thread.getStackTrace();
                if (calls(stack, Runtime.class, "exit")) {
                    return new Exiting(first + i, calls(stack, JComm.class, "abort"), (int) live.getCount(), usage());
                }
            }
        }
        return new Exiting(Exiting.NO_RANK, false, (int) live.getCount(), usage());
    }

    /** What they have used so far, if statistics are wanted. */
    List<Usage> usage() {
        return statistics ? world.usage() : List.of();
    }

    private static boolean calls(StackTraceElement[] stack, Class<?> type, String method) {
        return Stream.of(stack)
                .anyMatch(call -> call.getClassName().equals(type.getName())
                        && call.getMethodName().equals(method));
    }
}
