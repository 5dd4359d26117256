package jpi;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import jpi.internal.engine.Layout;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Settings;
import jpi.internal.engine.Timeline;
import jpi.internal.engine.Usage;
import jpi.internal.engine.World;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;

/** Runs a piece of code as some ranks, threads of this JVM. */
final class Ranks {
    /** As on a machine of few CPUs, whatever this one has. */
    private static final Settings PLATFORM = new Settings(false, false, false, true);

    private static final Settings WITH_CPUS = new Settings(false, false, false, false);
    private static final Settings VIRTUAL = new Settings(true, false, false, true);
    private static final Settings CHECKING = new Settings(false, true, false, true);
    private static final long LIMIT_MS = 120_000;

    private Ranks() {}

    /** What a rank does. */
    @FunctionalInterface
    interface Body {
        void run(JHandle handle) throws Exception;
    }

    static void run(int ranks, Body body) {
        run(ranks, 1, PLATFORM, body);
    }

    static void runVirtual(int ranks, Body body) {
        run(ranks, 1, VIRTUAL, body);
    }

    /** As if they were in several JVMs. */
    static void runApart(int ranks, int workers, Body body) {
        run(ranks, workers, PLATFORM, body);
    }

    /** The same with virtual threads. */
    static void runVirtualApart(int ranks, int workers, Body body) {
        run(ranks, workers, VIRTUAL, body);
    }

    /** In one JVM, as if each had a CPU of its own and as if not, and as if in several JVMs that have more than one each. */
    static void everyWay(int ranks, Body body) {
        run(ranks, body);
        if (ranks > 1) {
            run(ranks, 1, WITH_CPUS, body);
            runApart(ranks, (ranks + 1) / 2, body);
        }
    }

    /** Collective calls are compared. */
    static void runChecking(int ranks, Body body) {
        run(ranks, 1, CHECKING, body);
    }

    /** Counted, and told of in a timeline. Returns what they have used. */
    static List<Usage> runWatched(
            int ranks, int workers, boolean virtual, Consumer<Timeline.Part> collector, Body body) {
        return run(ranks, workers, new Settings(virtual, false, true, true), collector, body).stream()
                .flatMap(world -> world.usage().stream())
                .toList();
    }

    private static void run(int ranks, int workers, Settings settings, Body body) {
        var _ = run(ranks, workers, settings, null, body);
    }

    /** Returns when all have ended; fails with what the first one failed with, or if one hangs. */
    private static List<World> run(
            int ranks, int workers, Settings settings, @Nullable Consumer<Timeline.Part> collector, Body body) {
        List<World> worlds = new ArrayList<>();
        Layout first = new Layout(ranks, workers, 0);
        // Not closed: who wakes a rank may still be about it when all have ended.
        MemorySegment memory =
                workers == 1 ? null : Arena.ofAuto().allocate(World.memorySize(first, settings.crowded()), 4096);
        for (int i = 0; i < workers; i++) {
            ObjectCodec codec = new ObjectCodec(new AllowedTypes(Ranks.class, ""), Serialisation.FORY);
            Layout layout = new Layout(ranks, workers, i);
            Timeline timeline = collector == null ? null : new Timeline(layout, collector);
            World world = new World(layout, settings, codec, memory, timeline);
            world.start();
            worlds.add(world);
        }
        run(worlds, first, settings, body);
        return worlds;
    }

    private static void run(List<World> worlds, Layout layout, Settings settings, Body body) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < layout.ranks(); i++) {
            Rank rank = worlds.get(layout.workerOf(i)).rank(i);
            Runnable whole = () -> rank.run(() -> {
                try {
                    body.run(JHandle.current());
                } catch (Throwable t) {
                    if (failure.compareAndSet(null, t)) {
                        abort(worlds, "rank " + rank.number() + " failed: " + t);
                    }
                }
            });
            threads.add((settings.virtual() ? Thread.ofVirtual() : Thread.ofPlatform())
                    .name("rank-" + i)
                    .start(whole));
        }
        try {
            for (Thread thread : threads) {
                if (!thread.join(Duration.ofMillis(LIMIT_MS))) {
                    String state = worlds.stream().map(World::census).toList().toString();
                    var _ = failure.compareAndSet(null, new AssertionError(thread.getName() + " hangs: " + state));
                    abort(worlds, "a rank hangs");
                    thread.join();
                }
            }
            for (World world : worlds) {
                world.close();
            }
        } catch (InterruptedException e) {
            fail(e);
        }
        Throwable first = failure.get();
        if (first != null) {
            throw new AssertionError(first.toString(), first);
        }
    }

    private static void abort(List<World> worlds, String reason) {
        worlds.forEach(world -> world.abort(new JException(reason)));
    }
}
