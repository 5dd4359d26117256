package ayatori.bench.load;

import ayatori.server.Area;
import ayatori.server.Reply;
import ayatori.server.ServerDiedException;
import ayatori.server.ServerException;
import ayatori.server.SharedEndpoint;
import ayatori.server.SharedEndpointStatistics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code SharedStormClient PLACE CALLS SEED}: a client of a {@link SharedStorm}. Threads of changing priority call the file server,
 * send it requests, give up, cancel and are interrupted; when the server is killed, they connect to its successor.
 */
public final class SharedStormClient {
    private static final int THREADS = 4;
    /** What a thread leaves to itself before it looks for the answer; all of them together: more than may be on their way. */
    private static final int OPEN = 20;

    private static final int LARGEST_ORDER = 13;
    private static final long MEMORY = 1 << 20;
    private static final long LOST_SECONDS = 30;
    private static final Duration LOST = Duration.ofSeconds(LOST_SECONDS);
    private static final long BACK_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** What a request fails with whose server is killed, or the one that this one has had answer it. */
    private static final String ENDED = "has ended; connect again";

    private static final int LONGEST_PAUSE_NANOS = 2_000_000;

    private final Path door;
    private final AtomicLong left;
    /** All that there have been; the last one counts. */
    private final List<SharedEndpoint> connections = new ArrayList<>();

    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder away = new LongAdder();
    private final LongAdder givenUp = new LongAdder();
    private final LongAdder died = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder mixedUp = new LongAdder();
    private final LongAdder unexpected = new LongAdder();
    private volatile boolean over;

    private SharedStormClient(Path place, long calls) {
        door = SharedStormServer.door(place, SharedStormServer.FILES);
        left = new AtomicLong(calls);
    }

    /** A request that is on its way, and what depends on its answer, if that is looked at by whoever completes it. */
    private record Sent(
            SharedEndpoint to,
            Reply<Area> reply,
            long seed,
            long size,
            @Nullable CompletableFuture<Void> booked) {}

    private SharedEndpoint connected() {
        synchronized (connections) {
            long end = System.nanoTime() + LOST.toNanos();
            while (connections.isEmpty() || connections.getLast().isClosed()) {
                try {
                    SharedEndpoint next = SharedEndpoint.connect(door, MEMORY);
                    if (!connections.isEmpty()) {
                        connections.getLast().close();
                    }
                    connections.add(next);
                } catch (IOException e) {
                    if (System.nanoTime() - end > 0) {
                        throw new IllegalStateException("no server", e);
                    }
                    boolean _ = Thread.interrupted(); // or this would be no pause
                    LockSupport.parkNanos(1_000_000);
                }
            }
            return connections.getLast();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // that priorities can be relied on is what this is for
    private void client(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Queue<Sent> open = new ArrayDeque<>();
        while (left.getAndDecrement() > 0) {
            if (random.nextInt(64) == 0) {
                Thread.currentThread().setPriority(1 + random.nextInt(10));
            }
            request(random, connected(), open);
            if (open.size() > random.nextInt(OPEN)) {
                settle(open.remove());
            }
        }
        open.forEach(this::settle);
    }

    private void request(SplittableRandom random, SharedEndpoint to, Queue<Sent> open) {
        long seed = random.nextLong();
        long size = 1L + random.nextInt(1 << random.nextInt(LARGEST_ORDER));
        try (Area area = random.nextInt(256) == 0 ? to.allocateShared(size) : to.allocate(size)) {
            StormAreas.ask(area, seed);
            switch (random.nextInt(8)) {
                case 0, 1 -> book(to.call(area), seed, size);
                case 2 -> book(to.call(area, LOST), seed, size);
                case 3, 4 -> callBriefly(random, to, area, seed, size);
                default -> {
                    Reply<Area> reply = to.send(1 + random.nextInt(10), area);
                    boolean cancelled = random.nextInt(16) == 0 && reply.cancel(false);
                    boolean depends = !cancelled && random.nextInt(8) == 0;
                    open.add(new Sent(
                            to,
                            reply,
                            seed,
                            size,
                            depends ? reply.thenAccept(answer -> book(answer, seed, size)) : null));
                }
            }
        } catch (TimeoutException e) {
            lost.increment();
        } catch (InterruptedException e) {
            givenUp.increment();
        } catch (ExecutionException e) {
            book(e.getCause(), to);
        } catch (RejectedExecutionException e) {
            book(e, to);
        }
    }

    /** For a time from a few microseconds to some milliseconds. */
    private void callBriefly(SplittableRandom random, SharedEndpoint to, Area area, long seed, long size)
            throws InterruptedException, ExecutionException {
        try {
            book(to.call(area, Duration.ofNanos(random.nextInt(1000 << random.nextInt(14)))), seed, size);
        } catch (TimeoutException e) {
            givenUp.increment();
        }
    }

    private void book(Area answer, long seed, long size) {
        try (answer) {
            answered.increment();
            if (!StormAreas.isAnswer(answer, seed, size)) {
                mixedUp.increment();
            }
        }
    }

    private void book(@Nullable Throwable failure, SharedEndpoint of) {
        String text = String.valueOf(failure == null ? null : failure.getMessage());
        if (text.contains(SharedStormServer.WANTED)) {
            failed.increment();
        } else if (text.contains(SharedStormServer.AWAY)
                || (failure instanceof ServerException && text.contains(ENDED))) {
            away.increment();
        } else if (failure instanceof CancellationException) {
            givenUp.increment();
        } else if ((failure instanceof ServerDiedException || failure instanceof RejectedExecutionException)
                && of.isClosed()
                && text.contains(ENDED)) {
            died.increment();
        } else {
            unexpected.increment();
            System.out.println("unexpected: " + failure);
        }
    }

    private void settle(Sent sent) {
        long end = System.nanoTime() + LOST.toNanos();
        while (true) {
            try {
                if (sent.booked != null) {
                    sent.booked.get(LOST_SECONDS, TimeUnit.SECONDS);
                } else {
                    book(sent.reply.get(LOST_SECONDS, TimeUnit.SECONDS), sent.seed, sent.size);
                }
                return;
            } catch (InterruptedException e) {
                if (System.nanoTime() - end > 0) {
                    lost.increment();
                    return;
                }
            } catch (TimeoutException e) {
                lost.increment();
                return;
            } catch (CancellationException e) {
                book(e, sent.to);
                return;
            } catch (ExecutionException e) {
                book(e.getCause(), sent.to);
                return;
            }
        }
    }

    private void interrupt(List<Thread> clients, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (!over) {
            LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_NANOS));
            clients.get(random.nextInt(clients.size())).interrupt();
        }
    }

    /** How many connections have areas or requests that do not come back. */
    private long notBack() throws InterruptedException {
        long end = System.nanoTime() + BACK_NANOS;
        while (true) {
            List<SharedEndpoint> open = connections.stream()
                    .filter(one -> one.statistics().areaBytes() != 0
                            || one.statistics().abandoned() != 0)
                    .toList();
            if (open.isEmpty() || System.nanoTime() - end > 0) {
                open.forEach(one -> System.out.println("not back: " + one + " " + one.statistics()));
                return open.size();
            }
            Thread.sleep(1);
        }
    }

    private void count(String what, ToLongFunction<SharedEndpointStatistics> value) {
        StormResult.count(
                what,
                connections.stream()
                        .map(SharedEndpoint::statistics)
                        .mapToLong(value)
                        .sum());
    }

    private void run(long seed) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            unexpected.increment();
            e.printStackTrace(System.out);
        });
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long own = seed + i;
            clients.add(Thread.ofPlatform().name("client-" + i).start(() -> client(own)));
        }
        Thread interrupter = Thread.ofPlatform().daemon().start(() -> interrupt(clients, seed + THREADS));
        for (Thread client : clients) {
            client.join();
        }
        over = true;
        interrupter.join();
        long notBack = notBack();
        StormResult.count("answered", answered.sum());
        StormResult.count("failed", failed.sum());
        StormResult.count("given up", givenUp.sum());
        StormResult.count("without a block server", away.sum());
        StormResult.count("ended with their server", died.sum());
        StormResult.count("connections", connections.size());
        count("lends", SharedEndpointStatistics::lends);
        count("raises asked for", SharedEndpointStatistics::raises);
        count("wakes", SharedEndpointStatistics::wakes);
        count("wakes skipped", SharedEndpointStatistics::wakesSkipped);
        StormResult.flaw("lost", lost.sum());
        StormResult.flaw("mixed up", mixedUp.sum());
        StormResult.flaw("unexpected", unexpected.sum());
        StormResult.flaw("connections with areas not back", notBack);
        Runtime.getRuntime().halt(0);
    }

    public static void main(String[] arguments) throws InterruptedException {
        new SharedStormClient(Path.of(arguments[0]), Long.parseLong(arguments[1])).run(Long.parseLong(arguments[2]));
    }
}
