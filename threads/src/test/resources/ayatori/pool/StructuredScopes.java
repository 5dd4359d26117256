import ayatori.pool.ReusableThreadPool;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.StructuredTaskScope.Subtask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Run by java itself with previews on: StructuredScopeTest reads what it prints. */
final class StructuredScopes {
    private static final ScopedValue<String> SCOPED = ScopedValue.newInstance();

    private StructuredScopes() {}

    public static void main(String[] arguments) throws Exception {
        try (ReusableThreadPool pool =
                ReusableThreadPool.builder().name("scope").maximumThreads(4).build()) {
            System.out.println("subtasks: " + places(pool));
            System.out.println("failure: " + failure(pool));
            System.out.println("cancelled: " + cancelled(pool));
            System.out.println("timeout: " + timeout(pool));
            System.out.println(
                    "scoped value: " + ScopedValue.where(SCOPED, "bound").call(() -> scopedValue(pool)));
            System.out.println("nested: " + nested(pool));
            restartedThread();
            overriddenStart();
        }
    }

    private static String place() {
        Thread thread = Thread.currentThread();
        return thread.getName().replaceFirst("-\\d+$", "") + " at " + thread.getPriority();
    }

    /** By default at the owner's priority, else at the factory's; re-used, since the fifth subtask needs no fifth thread. */
    private static String places(ReusableThreadPool pool) throws InterruptedException {
        Thread.currentThread().setPriority(7);
        String places;
        try (var scope = StructuredTaskScope.open(
                Joiner.<String>allSuccessfulOrThrow(), cf -> cf.withThreadFactory(pool.asThreadFactory()))) {
            for (int i = 0; i < 20; i++) {
                scope.fork(StructuredScopes::place);
            }
            places =
                    scope.join().map(Subtask::get).collect(Collectors.groupingBy(place -> place, Collectors.counting()))
                            + "";
        }
        Thread.currentThread().setPriority(5);
        try (var scope = StructuredTaskScope.open(
                Joiner.<String>allSuccessfulOrThrow(), cf -> cf.withThreadFactory(pool.asThreadFactory(3)))) {
            scope.fork(StructuredScopes::place);
            places += scope.join().map(Subtask::get).toList();
        }
        return places;
    }

    private static String failure(ReusableThreadPool pool) throws InterruptedException {
        try (var scope = StructuredTaskScope.open(
                Joiner.<String>allSuccessfulOrThrow(), cf -> cf.withThreadFactory(pool.asThreadFactory()))) {
            scope.fork(() -> {
                throw new IllegalStateException("of a subtask");
            });
            scope.join();
            return "none";
        } catch (StructuredTaskScope.FailedException e) {
            return e.getCause().getMessage();
        }
    }

    /** One subtask has the result; the others, running and queued, are interrupted, and over when the scope is. */
    private static String cancelled(ReusableThreadPool pool) throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch three = new CountDownLatch(3);
        CountDownLatch never = new CountDownLatch(1);
        try (var scope = StructuredTaskScope.open(
                Joiner.<String>anySuccessfulResultOrThrow(), cf -> cf.withThreadFactory(pool.asThreadFactory()))) {
            scope.fork(() -> {
                first.countDown();
                three.await();
                return "first";
            });
            first.await(); // forked subtasks reach the pool in any order: the others would take all threads
            for (int i = 0; i < 6; i++) { // three find no thread
                scope.fork(() -> {
                    running.incrementAndGet();
                    three.countDown();
                    try {
                        never.await();
                        return "never";
                    } finally {
                        running.decrementAndGet();
                    }
                });
            }
            String result = scope.join();
            scope.close();
            return result + ", " + running.get() + " still running, "
                    + pool.statistics().queued() + " queued";
        }
    }

    private static String timeout(ReusableThreadPool pool) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try (var scope = StructuredTaskScope.open(
                Joiner.<Void>awaitAllSuccessfulOrThrow(),
                cf -> cf.withThreadFactory(pool.asThreadFactory()).withTimeout(Duration.ofMillis(20)))) {
            scope.fork(() -> {
                never.await();
                return null;
            });
            scope.join();
            return "none";
        } catch (StructuredTaskScope.TimeoutException e) {
            return "interrupted";
        }
    }

    /** What is written down as not working: a worker does not have the bindings. */
    private static String scopedValue(ReusableThreadPool pool) throws InterruptedException {
        try (var scope = StructuredTaskScope.open(
                Joiner.<String>allSuccessfulOrThrow(), cf -> cf.withThreadFactory(pool.asThreadFactory()))) {
            String bound = SCOPED.get();
            scope.fork(() -> SCOPED.orElse("not bound"));
            scope.fork(() -> ScopedValue.where(SCOPED, bound).call(() -> SCOPED.orElse("not bound")));
            return scope.join().map(Subtask::get).toList() + "";
        }
    }

    private static String nested(ReusableThreadPool pool) throws InterruptedException {
        try (var outer = StructuredTaskScope.open(
                Joiner.<String>allSuccessfulOrThrow(), cf -> cf.withThreadFactory(pool.asThreadFactory(6)))) {
            outer.fork(() -> {
                try (var inner = StructuredTaskScope.open(
                        Joiner.<String>allSuccessfulOrThrow(), cf -> cf.withThreadFactory(pool.asThreadFactory()))) {
                    inner.fork(StructuredScopes::place);
                    return inner.join().map(Subtask::get).toList() + "";
                }
            });
            return outer.join().map(Subtask::get).toList() + "";
        }
    }

    /** Why the factory makes virtual threads: a scope takes no thread that was started before, */
    private static void restartedThread() throws InterruptedException {
        Thread once = Thread.ofPlatform().start(() -> {});
        once.join();
        try (var scope =
                StructuredTaskScope.open(Joiner.<String>awaitAll(), cf -> cf.withThreadFactory(work -> once))) {
            scope.fork(() -> "");
            scope.join();
            System.out.println("a thread that was started before: taken");
        } catch (IllegalThreadStateException e) {
            System.out.println("a thread that was started before: refused");
        }
    }

    /** nor does it call a start() that a subclass has. */
    private static void overriddenStart() throws InterruptedException {
        AtomicInteger starts = new AtomicInteger();
        try (var scope = StructuredTaskScope.open(
                Joiner.<String>awaitAll(),
                cf -> cf.withThreadFactory(work -> new Thread(work) {
                    @Override
                    public void start() {
                        starts.incrementAndGet();
                    }
                }))) {
            scope.fork(() -> "");
            scope.join();
        }
        System.out.println("calls of a subclass's start(): " + starts.get());
    }
}
