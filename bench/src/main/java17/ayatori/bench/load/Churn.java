package ayatori.bench.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A long run of everything that moves threads: random starts, ends, {@code setPriority} on one's own and others' threads,
 * collections, processes, and threads that attach through JNI where the JVM can make them from Java. Arguments: seconds,
 * seed. At the end everybody stands still, tells its priority, and waits for the end of standard input.
 */
public final class Churn {
    private static final int SLOTS = 24;
    private static final int ACTORS = 4;
    private static final int SPIN = 20_000;
    private static final long SAMPLE_NANOS = 500_000_000;

    private static final AtomicReferenceArray<Worker> slots = new AtomicReferenceArray<>(SLOTS);
    private static final AtomicInteger names = new AtomicInteger();
    private static final AtomicLong starts = new AtomicLong();
    private static final AtomicLong changes = new AtomicLong();
    private static final AtomicLong collections = new AtomicLong();
    private static final AtomicLong processes = new AtomicLong();
    private static final AtomicLong attached = new AtomicLong();
    private static final AtomicLong misborn = new AtomicLong();

    private static volatile boolean stop;
    private static volatile boolean still;
    private static volatile long sink;

    private Churn() {}

    public static void main(String[] arguments) throws Exception {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000;
        long seed = Long.parseLong(arguments[1]);
        Runnable attach = foreign("attach", Runnable.class, attached::decrementAndGet);
        LongSupplier mallocBytes = foreign("mallocBytes", LongSupplier.class, () -> -1);
        List<Thread> actors = new ArrayList<>();
        for (int i = 0; i < ACTORS; i++) {
            SplittableRandom random = new SplittableRandom(seed + i);
            actors.add(new Thread(() -> act(random, attach), "actor-" + i));
        }
        Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
        actors.forEach(Thread::start);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(SAMPLE_NANOS);
            sample(mallocBytes);
        }
        stop = true;
        for (Thread actor : actors) {
            actor.join();
        }
        standStill(seed);
    }

    /** What needs JDK 22 or later is in a class that older JVMs never load. */
    @SuppressWarnings("unchecked")
    private static <T> T foreign(String field, Class<T> type, T otherwise) {
        if (Runtime.version().feature() < 22) {
            return otherwise;
        }
        try {
            return (T) Class.forName("ayatori.bench.ForeignThreads")
                    .getMethod(field)
                    .invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void act(SplittableRandom random, Runnable attach) {
        try {
            while (!stop) {
                step(random, attach);
                LockSupport.parkNanos(random.nextInt(4_000_000));
            }
        } catch (IOException | InterruptedException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void step(SplittableRandom random, Runnable attach) throws IOException, InterruptedException {
        int slot = random.nextInt(SLOTS);
        Worker worker = slots.get(slot);
        int what = random.nextInt(1000);
        if (what < 8) {
            System.gc();
            collections.incrementAndGet();
        } else if (what < 14) {
            checkBirthOfProcess();
        } else if (what < 60) {
            attach.run();
            attached.incrementAndGet();
        } else if (what < 300) {
            Thread.currentThread().setPriority(random.nextInt(1, 11));
            changes.incrementAndGet();
        } else if (worker == null || worker.getState() == Thread.State.TERMINATED) { // not: one that another starts
            Worker born = new Worker(random.split());
            if (slots.compareAndSet(slot, worker, born)) {
                born.setPriority(random.nextInt(1, 11));
                born.start();
                starts.incrementAndGet();
            }
        } else if (what < 500) {
            worker.ended = true;
        } else {
            worker.setPriority(random.nextInt(1, 11));
            changes.incrementAndGet();
        }
    }

    /** A process is born as the JVM was launched, whoever starts it: SCHED_OTHER and nice 0, which the driver sees to. */
    private static void checkBirthOfProcess() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("cat", "/proc/self/stat").start();
        process.getOutputStream().close();
        String stat = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.getErrorStream().close();
        process.waitFor();
        // proc(5): after "pid (comm) ", state is field 3; nice 19, rt_priority 40, policy 41
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        if (!fields[16].equals("0") || !fields[37].equals("0") || !fields[38].equals("0")) {
            misborn.incrementAndGet();
        }
        processes.incrementAndGet();
    }

    private static void sample(LongSupplier mallocBytes) throws IOException {
        long residentKb = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) {
                residentKb = Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        String[] descriptors = Path.of("/proc/self/fd").toFile().list();
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        Result.print(
                "sample",
                starts.get() + attached.get(),
                residentKb,
                mallocBytes.getAsLong() >> 10,
                descriptors == null ? -1 : descriptors.length,
                memory.getNonHeapMemoryUsage().getUsed() >> 10);
    }

    private static void standStill(long seed) throws IOException, InterruptedException {
        still = true;
        for (int slot = 0; slot < SLOTS; slot++) {
            Worker worker = slots.get(slot);
            if (worker == null || !worker.isAlive()) {
                worker = new Worker(new SplittableRandom(seed + slot));
                worker.setPriority(1 + slot % 10);
                slots.set(slot, worker);
                worker.start();
                starts.incrementAndGet();
            }
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            Worker worker = slots.get(slot);
            while (worker.isAlive() && !worker.parked) {
                Thread.sleep(1);
            }
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            Result.print("thread", thread.getName(), thread.getPriority());
        }
        Result.print(
                "counts",
                starts.get(),
                changes.get(),
                collections.get(),
                processes.get(),
                attached.get(),
                misborn.get());
        Result.print("still");
        while (System.in.read() >= 0) {
            continue; // until the driver has read all levels
        }
        System.exit(0);
    }

    /** Works a little, sleeps a little, changes its own priority now and then. */
    private static final class Worker extends Thread {
        private final SplittableRandom random;
        private volatile boolean ended;
        private volatile boolean parked;

        Worker(SplittableRandom random) {
            super("w-" + names.incrementAndGet()); // short: the kernel keeps 15 characters
            this.random = random;
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!ended || still) {
                for (int i = random.nextInt(SPIN); i > 0; i--) {
                    sink = i;
                }
                if (random.nextInt(20) == 0) {
                    setPriority(random.nextInt(1, 11));
                    changes.incrementAndGet();
                }
                LockSupport.parkNanos(random.nextInt(20_000_000));
                while (still) {
                    parked = true;
                    LockSupport.park();
                }
            }
        }
    }
}
