package ayatori.bench.load;

import ayatori.internal.linux.Futex;
import ayatori.internal.linux.Sched;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads on one CPU that are woken, raised and interrupted from another. */
final class ThreadsOfOneCpu {
    /** After that a thread that waits for a sign and has its CPU to itself gives up. */
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(2);

    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final int cpu;

    ThreadsOfOneCpu(int cpu) {
        this.cpu = cpu;
    }

    /** Spins until a sign is given. */
    static void await(BooleanSupplier sign) {
        long limit = System.nanoTime() + LIMIT;
        while (!sign.getAsBoolean()) {
            if (System.nanoTime() - limit > 0) {
                throw new IllegalStateException("no sign within " + TimeUnit.NANOSECONDS.toSeconds(LIMIT) + " s");
            }
            Thread.onSpinWait();
        }
    }

    /** Starts a thread there, and waits until it has arrived: whoever spins may be above it on the CPU where it begins. */
    private Thread start(int priority, Runnable body) throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().daemon().priority(priority).start(() -> {
            PinnedWork.moveTo(cpu);
            arrived.countDown();
            body.run();
        });
        arrived.await();
        return thread;
    }

    /** Computes on the servers' CPU while it is told to. */
    final class Computing {
        private final Thread thread;
        private volatile boolean on;
        private volatile boolean runs;

        Computing(int priority) throws InterruptedException {
            thread = start(priority, () -> {
                while (true) {
                    LockSupport.park();
                    while (on) {
                        runs = true;
                        Thread.onSpinWait();
                    }
                    runs = false;
                }
            });
        }

        void begin() {
            on = true;
            LockSupport.unpark(thread);
            await(() -> runs);
        }

        void end() {
            on = false;
            await(() -> !runs);
        }
    }

    /** Sleeps until it is woken, and tells when it ran. */
    final class Sleeping {
        private final MemorySegment word = Arena.global().allocate(ValueLayout.JAVA_INT);
        private final Thread thread;
        private final boolean parks;
        private volatile int tid;
        private volatile boolean asked;
        private volatile long ran;

        Sleeping(int priority, boolean parks) throws InterruptedException {
            this.parks = parks;
            thread = start(priority, () -> {
                tid = Sched.gettid();
                while (true) {
                    sleep();
                    asked = false;
                    WORD.setVolatile(word, 0L, 0);
                    ran = System.nanoTime();
                }
            });
            await(() -> tid != 0);
        }

        private void sleep() {
            while (!asked) {
                if (parks) {
                    LockSupport.park();
                } else {
                    var unused = Futex.wait(word, 0, Futex.FOREVER, Futex.Scope.PRIVATE);
                }
            }
        }

        int tid() {
            return tid;
        }

        void prepare() throws InterruptedException {
            ran = 0;
            Thread.sleep(1); // asleep again
        }

        void wake() {
            asked = true;
            if (parks) {
                LockSupport.unpark(thread);
            } else {
                WORD.setVolatile(word, 0L, 1);
                var unused = Futex.wake(word, 1, Futex.Scope.PRIVATE);
            }
        }

        long awaitRunning() {
            await(() -> ran != 0);
            return ran;
        }
    }

    /** Runs while it is told to, and tells when it did last and for how long it did not. */
    final class Spinning {
        private final Thread thread;
        private volatile int tid;
        private volatile boolean on;
        private volatile long ran;
        private volatile long longestGap;

        Spinning(int priority) throws InterruptedException {
            thread = start(priority, () -> {
                tid = Sched.gettid();
                while (true) {
                    LockSupport.park();
                    long before = System.nanoTime();
                    while (on) {
                        long now = System.nanoTime();
                        longestGap = Math.max(longestGap, now - before);
                        before = now;
                        ran = now;
                    }
                }
            });
            await(() -> tid != 0);
        }

        void begin() {
            long then = System.nanoTime();
            on = true;
            LockSupport.unpark(thread);
            awaitRunningSince(then);
        }

        int tid() {
            return tid;
        }

        long awaitRunningSince(long then) {
            await(() -> ran - then > 0);
            return ran;
        }

        void forgetGaps() {
            longestGap = 0;
        }

        /** Since the last time that they were forgotten. */
        long longestGap() {
            return longestGap;
        }

        void end() {
            on = false;
        }
    }
}
