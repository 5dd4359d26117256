package ayatori.bench.load;

import ayatori.sched.PriorityLadder;
import ayatori.server.Endpoint;
import ayatori.server.EndpointStatistics;
import ayatori.server.Reply;
import ayatori.server.Request;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code CallStorm CALLS SEED POLICY}: threads of changing priority call a file server, send it requests, give up and cancel; it
 * answers, asks a block server, has that answer, fails, or answers later; the block server asks a disk server. At the end each
 * request that was not given up has had its own answer, none was taken twice, and every server is at the level of its own Java
 * priority, by the kernel's account, and owed nothing.
 */
public final class CallStorm {
    private static final int CLIENTS = 4;
    /** What a client leaves to itself before it looks for the answer. */
    private static final int OPEN = 128;

    private static final int MOST_WAITING = 256;
    private static final long LOST_SECONDS = 60;

    private final Endpoint<Job, Long> files;
    private final Endpoint<Job, Long> blocks;
    private final Endpoint<Job, Long> disk;
    private final ThreadLevels servers;
    private final BlockingQueue<Request<Job, Long>> later = new LinkedBlockingQueue<>();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder givenUp = new LongAdder();
    private final LongAdder mixedUp = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder twice = new LongAdder();
    private final AtomicLong left;

    private CallStorm(long calls, PriorityLadder ladder) {
        left = new AtomicLong(calls);
        servers = new ThreadLevels(ladder);
        files = endpoint("files", ladder);
        blocks = endpoint("blocks", ladder);
        disk = endpoint("disk", ladder);
    }

    private static Endpoint<Job, Long> endpoint(String name, PriorityLadder ladder) {
        return Endpoint.<Job, Long>builder()
                .name(name)
                .ladder(ladder)
                .capacity(MOST_WAITING)
                .ageingLimit(Duration.ofMillis(100))
                .build();
    }

    /** What is asked. */
    private final class Job {
        final long seed;
        /** How many file servers have taken it. */
        private final AtomicInteger taken = new AtomicInteger();

        Job(long seed) {
            this.seed = seed;
        }

        long answer() {
            return seed * 31 + 7;
        }

        void taken() {
            servers.add();
            if (taken.incrementAndGet() > 1) {
                twice.increment();
            }
        }
    }

    /** That the file server was told to fail. */
    private static final class WantedException extends Exception {
        private static final long serialVersionUID = 1;

        WantedException() {
            super("as the request wanted", null, false, false);
        }
    }

    private void serveFile(Request<Job, Long> request) throws Exception {
        Job job = request.body();
        job.taken();
        switch ((int) (job.seed >>> 1) & 15) {
            case 0 -> throw new WantedException();
            case 1 -> later.add(request);
            case 2, 3, 4, 5 -> request.forward(blocks, job);
            case 6, 7, 8, 9 -> request.reply(blocks.call(job));
            default -> request.reply(job.answer());
        }
    }

    private void serveBlock(Request<Job, Long> request) throws Exception {
        servers.add();
        Job job = request.body();
        request.reply((job.seed >>> 5 & 3) == 0 ? disk.call(job) : job.answer());
    }

    private void serveDisk(Request<Job, Long> request) {
        servers.add();
        request.reply(request.body().answer());
    }

    private void answerLater() {
        try {
            while (true) {
                Request<Job, Long> request = later.take();
                request.reply(request.body().answer());
            }
        } catch (InterruptedException e) {
            // the end
        }
    }

    private record Sent(Job job, Reply<Long> reply) {}

    @SuppressWarnings("ThreadPriorityCheck") // that priorities can be relied on is what this is for
    private void client(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Queue<Sent> open = new ArrayDeque<>();
        while (left.getAndDecrement() > 0) {
            if (random.nextInt(64) == 0) {
                Thread.currentThread().setPriority(1 + random.nextInt(10));
            }
            Job job = new Job(random.nextLong());
            try {
                switch (random.nextInt(4)) {
                    case 0 -> book(job, files.call(job));
                    case 1 -> book(job, files.call(job, Duration.ofNanos(random.nextInt(200_000))));
                    default -> {
                        Reply<Long> reply = files.send(1 + random.nextInt(10), job);
                        if (random.nextInt(16) == 0) {
                            reply.cancel(false);
                        }
                        open.add(new Sent(job, reply));
                    }
                }
            } catch (TimeoutException e) {
                givenUp.increment();
            } catch (ExecutionException e) {
                book(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e); // nobody interrupts a client
            }
            if (open.size() > OPEN) {
                settle(open.remove());
            }
        }
        open.forEach(this::settle);
    }

    private void book(Job job, long answer) {
        answered.increment();
        if (answer != job.answer()) {
            mixedUp.increment();
        }
    }

    private void book(ExecutionException e) {
        if (!(e.getCause() instanceof WantedException)) {
            throw new IllegalStateException(e);
        }
        failed.increment();
    }

    private void settle(Sent sent) {
        try {
            book(sent.job(), sent.reply().get(LOST_SECONDS, TimeUnit.SECONDS));
        } catch (CancellationException e) {
            givenUp.increment();
        } catch (TimeoutException e) {
            lost.increment();
        } catch (ExecutionException e) {
            book(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(long seed) throws InterruptedException {
        files.serve(2, this::serveFile);
        blocks.serve(1, this::serveBlock);
        disk.serve(1, this::serveDisk);
        Thread answerer = Thread.ofPlatform().daemon().start(this::answerLater);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            long own = seed + i;
            clients.add(Thread.ofPlatform().name("client-" + i).start(() -> client(own)));
        }
        for (Thread client : clients) {
            client.join();
        }
        // What was given up while a server had it is not awaited by anybody: one more to each shows that they are
        // through.
        for (Endpoint<Job, Long> endpoint : List.of(files, files, blocks, disk)) {
            Reply<Long> last = endpoint.send(Thread.MIN_PRIORITY, new Job(-1));
            while (!last.isDone() || endpoint.statistics().waiting() > 0) {
                Thread.sleep(1);
            }
        }
        Thread.sleep(10); // from an answer to the server's sleep
        StormResult.count("answered", answered.sum());
        StormResult.count("failed", failed.sum());
        StormResult.count("given up", givenUp.sum());
        EndpointStatistics now = files.statistics();
        StormResult.count("raises", now.raises());
        StormResult.count("wakes", now.wakes());
        StormResult.count("wakes skipped", now.wakesSkipped());
        StormResult.flaw("lost", lost.sum());
        StormResult.flaw("mixed up", mixedUp.sum());
        StormResult.flaw("taken twice", twice.sum());
        StormResult.flaw("threads at a wrong level", servers.wrong());
        files.close();
        blocks.close();
        disk.close();
        answerer.interrupt();
    }

    public static void main(String[] arguments) throws InterruptedException {
        PriorityLadder ladder = PriorityLadder.of(PriorityLadder.Policy.valueOf(arguments[2]));
        new CallStorm(Long.parseLong(arguments[0]), ladder).run(Long.parseLong(arguments[1]));
    }
}
