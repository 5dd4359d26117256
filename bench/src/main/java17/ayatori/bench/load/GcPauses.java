package ayatori.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;

/**
 * How long {@code System.gc()} takes the thread of the highest priority, by turns with nothing beside it and with a load
 * of lower threads on every CPU. Arguments: load (spin, native, critical), turns, collections a turn.
 *
 * <p>A turn of the load is short: with real-time threads on every CPU for a second the kernel's throttling begins, which
 * holds up the collector and the program alike, and is not what is asked here.
 */
public final class GcPauses {
    private static final int LIVE_ARRAYS = 200_000;
    private static final int LIVE_ARRAY_SIZE = 1 << 10;
    private static final int SPINNER_PRIORITY = 7;
    private static final int MIDDLE_PRIORITY = 5;
    private static final int LOW_PRIORITY = 2;
    private static final int NATIVE_INPUT = 4 << 20;
    private static final int CRITICAL_INPUT = 64 << 10;
    /** Between two collections, so that the load comes to what it does. */
    private static final long PAUSE_MILLIS = 30;

    private static volatile boolean loaded;
    private static volatile long sink;
    private static final Object[] live = new Object[LIVE_ARRAYS];

    private GcPauses() {}

    public static void main(String[] arguments) throws InterruptedException {
        String load = arguments[0];
        int turns = Integer.parseInt(arguments[1]);
        int collections = Integer.parseInt(arguments[2]);
        for (int i = 0; i < LIVE_ARRAYS; i++) {
            live[i] = new byte[LIVE_ARRAY_SIZE];
        }
        Thread top = new Thread(() -> measure(load, turns, collections), "top");
        top.setPriority(Thread.MAX_PRIORITY);
        top.start();
        top.join();
    }

    private static void measure(String load, int turns, int collections) {
        try {
            turn("warm-up", 2);
            for (int i = 0; i < turns; i++) {
                turn("idle", collections);
                List<Thread> threads = start(load);
                turn(load, collections);
                loaded = false;
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void turn(String situation, int collections) throws InterruptedException {
        for (int i = 0; i < collections; i++) {
            Thread.sleep(PAUSE_MILLIS);
            long start = System.nanoTime();
            System.gc();
            Result.print(situation, System.nanoTime() - start);
        }
    }

    private static List<Thread> start(String load) {
        List<Thread> threads = new ArrayList<>();
        loaded = true;
        for (int cpu = 0; cpu < Runtime.getRuntime().availableProcessors(); cpu++) {
            switch (load) {
                case "spin" -> threads.add(thread("spinner", SPINNER_PRIORITY, GcPauses::spin));
                case "native" -> {
                    threads.add(thread("low", LOW_PRIORITY, GcPauses::spin));
                    threads.add(thread("middle", MIDDLE_PRIORITY, GcPauses::longNativeCalls));
                }
                case "critical" -> {
                    threads.add(thread("low", LOW_PRIORITY, GcPauses::spin));
                    threads.add(thread("middle", MIDDLE_PRIORITY, GcPauses::criticalSections));
                }
                default -> throw new IllegalArgumentException(load);
            }
        }
        threads.forEach(Thread::start);
        return threads;
    }

    private static Thread thread(String name, int priority, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setPriority(priority);
        thread.setDaemon(true);
        return thread;
    }

    private static void spin() {
        long count = 0;
        while (loaded) {
            count++;
        }
        sink = count;
    }

    /** Direct buffers: in native code for about 0.1 s at a time, where no safepoint waits for it. */
    private static void longNativeCalls() {
        ByteBuffer in = ByteBuffer.allocateDirect(NATIVE_INPUT);
        in.put(noise(NATIVE_INPUT));
        ByteBuffer out = ByteBuffer.allocateDirect(2 * NATIVE_INPUT);
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        while (loaded) {
            deflater.reset();
            deflater.setInput(in.clear());
            deflater.finish();
            deflater.deflate(out.clear());
        }
        deflater.end();
    }

    /** Arrays: each call is a JNI critical section of a millisecond or two. */
    private static void criticalSections() {
        byte[] in = noise(CRITICAL_INPUT);
        byte[] out = new byte[2 * CRITICAL_INPUT];
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        while (loaded) {
            deflater.reset();
            deflater.setInput(in);
            deflater.finish();
            deflater.deflate(out);
        }
        deflater.end();
    }

    private static byte[] noise(int size) {
        byte[] bytes = new byte[size];
        new Random(1).nextBytes(bytes);
        return bytes;
    }
}
