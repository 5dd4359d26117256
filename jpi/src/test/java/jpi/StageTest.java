package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A request is a stage: each method does what the JDK's does with a {@link CompletableFuture} of the same fate. */
final class StageTest {
    private static final int TAG = 7;
    private static final long LIMIT_NANOS = 10_000_000_000L;
    private static final ScopedValue<Boolean> EXECUTED = ScopedValue.newInstance();

    /** How the operation ends. */
    private enum Fate {
        BRINGS,
        FAILS,
        IS_CANCELLED;

        JRequest<?> begin(JComm world) {
            return this == FAILS ? world.irecv(JBuffer.of(new int[1]), 0, TAG) : world.irecv(0, TAG);
        }

        void meet(JComm world, JRequest<?> request) {
            switch (this) {
                case BRINGS -> world.send("a message", 0, TAG);
                case FAILS -> world.send(JBuffer.of(new int[2]), 0, TAG);
                case IS_CANCELLED -> request.cancel();
            }
        }

        /** By a virtual thread, as what follows on a request has one. */
        void meet(CompletableFuture<Object> future, JException failure) throws InterruptedException {
            Thread.ofVirtual()
                    .start(() -> {
                        var _ = switch (this) {
                            case BRINGS -> future.complete("a message");
                            case FAILS -> future.completeExceptionally(failure);
                            case IS_CANCELLED -> future.cancel(false);
                        };
                    })
                    .join();
        }
    }

    /** Calls a method of a stage, and sees what comes of it. */
    private static final class Caller {
        private final Method method;
        private final Thread thread = Thread.currentThread();
        /** Of the actions that were called: by whom, and with what. */
        private final List<String> called = new CopyOnWriteArrayList<>();

        Caller(Method method) {
            this.method = method;
        }

        CompletionStage<?> call(CompletionStage<?> stage) throws ReflectiveOperationException {
            Object[] arguments =
                    Stream.of(method.getParameterTypes()).map(this::argument).toArray();
            return (CompletionStage<?>) method.invoke(stage, arguments);
        }

        private Object argument(Class<?> type) {
            // The first of two is the request.
            CompletableFuture<String> other = new CompletableFuture<>();
            if (!method.getName().contains("Either")) {
                other.complete("another one");
            }
            Function<Object, Object> function = value -> {
                String result = note(value);
                return method.getName().contains("Compose") ? CompletableFuture.completedFuture(result) : result;
            };
            BiFunction<Object, Object, Object> ofTwo = this::note;
            BiConsumer<Object, Object> takesTwo = this::note;
            Consumer<Object> takes = this::note;
            Runnable takesNone = this::note;
            Executor executor = task -> ScopedValue.where(EXECUTED, true).run(task);
            return Stream.of(other, function, ofTwo, takesTwo, takes, takesNone, executor)
                    .filter(type::isInstance)
                    .findFirst()
                    .orElseThrow();
        }

        private String note(@Nullable Object... values) {
            Thread current = Thread.currentThread();
            String who = EXECUTED.isBound()
                    ? "the executor"
                    : current == thread
                            ? "the caller"
                            : current instanceof ForkJoinWorkerThread
                                    ? "the common pool"
                                    : current.isVirtual() ? "a virtual thread" : "another thread";
            called.add(who + " with " + Arrays.toString(values));
            return "what comes of " + Arrays.toString(values);
        }

        /** All that it has done. */
        String outcome(CompletionStage<?> stage) throws Exception {
            Object end = await(stage);
            return method + ": " + called + ", " + end;
        }
    }

    /** Its value or failure. */
    private static @Nullable Object await(CompletionStage<?> stage) throws Exception {
        return stage.<@Nullable Object>handle((value, failure) -> failure == null ? value : failure.toString())
                .toCompletableFuture()
                .get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Also those that have a default, which a class need not have itself. */
    static Stream<Method> methods() {
        return Stream.of(CompletionStage.class.getMethods())
                .filter(method -> !method.getName().equals("toCompletableFuture"));
    }

    private static JException failure(JComm world) {
        JRequest<?> request = Fate.FAILS.begin(world);
        Fate.FAILS.meet(world, request);
        try {
            throw new AssertionError("fits: " + request.await());
        } catch (JException e) {
            return e;
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void followsOnARequestThatIsUnderWay(Method method) {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            for (Fate fate : Fate.values()) {
                CompletableFuture<Object> future = new CompletableFuture<>();
                Caller ofFuture = new Caller(method);
                CompletionStage<?> expected = ofFuture.call(future);
                fate.meet(future, failure(world));
                JRequest<?> request = fate.begin(world);
                Caller caller = new Caller(method);
                CompletionStage<?> actual = caller.call(request);
                assertFalse(actual.toCompletableFuture().isDone());
                assertEquals(List.of(), caller.called);
                fate.meet(world, request);
                assertEquals(ofFuture.outcome(expected), caller.outcome(actual));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("methods")
    void followsOnARequestThatIsOver(Method method) {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            for (Fate fate : Fate.values()) {
                CompletableFuture<Object> future = new CompletableFuture<>();
                fate.meet(future, failure(world));
                Caller ofFuture = new Caller(method);
                String expected = ofFuture.outcome(ofFuture.call(future));
                JRequest<?> request = fate.begin(world);
                fate.meet(world, request);
                var _ = await(request); // or what follows may still be a virtual thread's
                Caller caller = new Caller(method);
                assertEquals(expected, caller.outcome(caller.call(request)));
            }
        });
    }

    /** Nothing was begun that could end. */
    @ParameterizedTest
    @MethodSource("methods")
    void followsOnARequestOfNobody(Method method) {
        Ranks.run(1, handle -> {
            Caller ofFuture = new Caller(method);
            String expected = ofFuture.outcome(ofFuture.call(CompletableFuture.completedFuture(null)));
            Caller caller = new Caller(method);
            JRequest<?> request = handle.COMM_WORLD.irecv(JHandle.PROC_NULL, TAG);
            assertEquals(expected, caller.outcome(caller.call(request)));
        });
    }

    @Test
    void aRequestHasOneFuture() {
        Ranks.run(1, handle -> {
            JRequest<Object> request = handle.COMM_WORLD.irecv(0, TAG);
            CompletableFuture<Object> future = request.toCompletableFuture();
            handle.COMM_WORLD.send("a message", 0, TAG);
            assertEquals("a message", future.get(LIMIT_NANOS, TimeUnit.NANOSECONDS));
            assertSame(future, request.toCompletableFuture());
        });
    }

    /** A large message in one JVM, of which its sender copies a part, perhaps the last, while the receiver waits by other means. */
    @Test
    void whatFollowsOnALargeReceiveIsToldWhoeverCopiesTheLastPiece() {
        int rounds = 4000;
        byte[] sent = new byte[4_300_000];
        byte[] received = new byte[sent.length];
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            for (int i = 0; i < rounds; i++) {
                world.barrier();
                if (world.rank() == 0) {
                    world.send(JBuffer.of(sent), 1, TAG);
                    continue;
                }
                CompletableFuture<JStatus> future =
                        world.irecv(JBuffer.of(received), 0, TAG).toCompletableFuture();
                assertEquals(
                        sent.length,
                        future.get(LIMIT_NANOS, TimeUnit.NANOSECONDS).count(),
                        "round " + i);
            }
        });
    }
}
