import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that do what standard input says. A line `ID ACTOR VERB WORD…` makes that thread do it, and then write
 * `#ID# ANSWER #ID.`; ends with standard input. The actors are `main`, `prompter` (priority 10, reads standard input), and
 * those that `start` and `attach` make. Nothing here takes a lock that a low thread may hold while a high one wants it.
 */
public final class Actors {
    private static final Map<String, Actor> ACTORS = new ConcurrentHashMap<String, Actor>();
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
    /** Not 0: those in native code shall return. */
    private static final ByteBuffer NATIVE_STOP = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());

    private static final ConcurrentHashMap<String, String> TABLE = new ConcurrentHashMap<String, String>();
    private static final FutureTask<String> TASK = new FutureTask<String>(new Callable<String>() {
        @Override
        public String call() {
            return "called";
        }
    });

    private static volatile boolean done;
    private static volatile Object garbage;

    public static void main(String[] arguments) throws Exception {
        Actor main = new Actor("main");
        main.thread = Thread.currentThread();
        ACTORS.put("main", main);
        say("pid", Paths.get("/proc/self").toRealPath().getFileName().toString());
        Actor prompter = new Actor("prompter") {
            @Override
            void act() throws Exception {
                prompt();
                System.exit(0);
            }
        };
        prompter.start(10);
        main.run();
    }

    private static void say(String id, String answer) throws IOException {
        // One write(2), no lock.
        OUT.write(("#" + id + "# " + answer + " #" + id + ".\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void prompt() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            if (words[1].equals("prompter")) {
                say(words[0], ACTORS.get("prompter").perform(words));
            } else if (ACTORS.containsKey(words[1])) {
                ACTORS.get(words[1]).give(words);
            } else {
                say(words[0], "no actor " + words[1]);
            }
        }
    }

    /** Called by the C program of the tests on a thread that it has attached. */
    static void attached(String name) throws Exception {
        Actor actor = new Actor(name);
        actor.thread = Thread.currentThread();
        ACTORS.put(name, actor);
        say(name + "-attached", "by native code");
        actor.run();
    }

    private static native void attach(String name, int policy, int priority);

    private static native void work(ByteBuffer stop);

    private static native void workInCriticalSections(ByteBuffer stop, byte[] array);

    /** A thread, its orders, and what it found when it began. */
    private static class Actor implements Runnable {
        final String name;
        final ConcurrentLinkedQueue<String[]> orders = new ConcurrentLinkedQueue<String[]>();
        volatile Thread thread;
        volatile boolean stop;
        String born;
        boolean ends;

        Actor(String name) {
            this.name = name;
        }

        void start(int priority) {
            start(priority, null);
        }

        void start(int priority, ThreadGroup group) {
            thread = new Thread(group, this, name);
            thread.setDaemon(true);
            thread.setPriority(priority);
            ACTORS.put(name, this);
            thread.start();
        }

        @Override
        public void run() {
            born = level("/proc/thread-self/stat");
            try {
                act();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        void act() throws Exception {
            while (!ends) {
                String[] order = orders.poll();
                if (order == null) {
                    LockSupport.park();
                } else {
                    say(order[0], perform(order));
                }
            }
        }

        void give(String[] order) {
            orders.add(order);
            LockSupport.unpark(thread);
        }

        String perform(String[] order) {
            try {
                return perform(order[2], Arrays.copyOfRange(order, 3, order.length));
            } catch (Throwable e) {
                return e.toString();
            }
        }

        private String perform(String verb, String[] words) throws Exception {
            if (verb.equals("start")) {
                new Actor(words[0]).start(Integer.parseInt(words[1]));
                return "started";
            } else if (verb.equals("start-in")) {
                new Actor(words[1]).start(Integer.parseInt(words[2]), new ThreadGroup(words[0]));
                return "started";
            } else if (verb.equals("rename")) { // itself, which all JDKs pass on to the JVM
                Thread.currentThread().setName(words[0]);
                return "renamed";
            } else if (verb.equals("born")) {
                return born;
            } else if (verb.equals("end")) {
                ends = true;
                return "ends";
            } else if (verb.equals("priority")) {
                ACTORS.get(words[0]).thread.setPriority(Integer.parseInt(words[1]));
                return "set";
            } else if (verb.equals("priority-of")) {
                return Integer.toString(ACTORS.get(words[0]).thread.getPriority());
            } else if (verb.equals("race")) {
                Random random = new Random(Long.parseLong(words[1]));
                for (int i = 0; i < 3000; i++) {
                    ACTORS.get(words[0]).thread.setPriority(1 + random.nextInt(10));
                }
                return "raced";
            } else if (verb.equals("stop")) {
                ACTORS.get(words[0]).stop = true;
                return "stopped";
            } else if (verb.equals("spin")) {
                return spin(words);
            } else if (verb.equals("churn")) {
                return churn(Integer.parseInt(words[0]));
            } else if (verb.equals("compute")) { // for so many milliseconds of its CPU time
                long end = cpuNanos() + Long.parseLong(words[0]) * 1000000L;
                while (cpuNanos() < end) {
                    compute(10000L);
                }
                return "computed";
            } else if (verb.equals("rest")) {
                LockSupport.parkNanos(Long.parseLong(words[0]) * 1000000L);
                return "rested";
            } else if (verb.equals("where")) {
                return ACTORS.get(words[0]).thread.getStackTrace()[0].getMethodName();
            } else if (verb.equals("gc")) {
                System.gc();
                return "collected";
            } else if (verb.equals("exit")) {
                System.exit(Integer.parseInt(words[0]));
                return "exited";
            } else if (verb.equals("hook")) {
                hook(words[0]);
                return "hooked";
            } else if (verb.equals("process")) {
                return process(words);
            } else if (verb.equals("virtual")) {
                return virtual();
            }
            return performYield(verb, words);
        }

        private String performYield(String verb, String[] words) throws Exception {
            if (verb.equals("yield-until-done")) {
                while (!done) {
                    Thread.yield();
                }
                return "done";
            } else if (verb.equals("hold-table")) { // as the thread that is making the table does
                set(TABLE, "sizeCtl", -1);
                return "held";
            } else if (verb.equals("put")) {
                TABLE.put("key", "value");
                return "put";
            } else if (verb.equals("hold-task")) { // as the thread that is setting the result does
                set(TASK, "state", 1);
                return "held";
            } else if (verb.equals("get")) {
                return String.valueOf(TASK.get());
            } else if (verb.equals("finish")) {
                // Takes the CPU long enough for those that wait to be waiting.
                compute(20000000L);
                set(TABLE, "sizeCtl", 0);
                set(TASK, "state", 2);
                done = true;
                return "finished";
            }
            return performNative(verb, words);
        }

        private String performNative(String verb, String[] words) {
            if (verb.equals("load")) {
                System.load(words[0]);
                return "loaded";
            } else if (verb.equals("attach")) {
                attach(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                return "made";
            } else if (verb.equals("work-in-native")) {
                begin(words);
                work(NATIVE_STOP);
                return "returned";
            } else if (verb.equals("work-in-critical-sections")) {
                begin(words);
                workInCriticalSections(NATIVE_STOP, new byte[4096]);
                return "returned";
            } else if (verb.equals("allocate")) { // by malloc, for which the JVM calls the C library
                garbage = ByteBuffer.allocateDirect(Integer.parseInt(words[0]));
                return "allocated";
            } else if (verb.equals("stop-native")) {
                NATIVE_STOP.putInt(0, 1);
                return "stopped";
            }
            throw new IllegalArgumentException(verb);
        }

        /** Says that it begins, if a word for that was given. */
        private static void begin(String[] words) {
            if (words.length > 0) {
                try {
                    Actors.say(words[0], "begins");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        private String spin(String[] words) {
            long turns = 0;
            begin(words);
            while (!stop) {
                turns++;
            }
            stop = false;
            return Long.toString(turns);
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void compute(long turns) {
        long sum = 0;
        for (long i = 0; i < turns; i++) {
            sum += i ^ (sum << 1);
        }
        garbage = Long.valueOf(sum);
    }

    private static void set(Object object, String field, int value) throws Exception {
        Field declared = object.getClass().getDeclaredField(field);
        declared.setAccessible(true);
        declared.setInt(object, value);
    }

    private static void hook(final String text) {
        Thread hook = new Thread(text) {
            @Override
            public void run() {
                try {
                    say(text, "ran");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        hook.setPriority(5);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Garbage and a changing live set, and many methods for the compilers. */
    private static String churn(int rounds) {
        Random random = new Random(rounds);
        Map<Integer, byte[]> live = new TreeMap<Integer, byte[]>();
        for (int i = 0; i < rounds; i++) {
            live.put(random.nextInt(2000), new byte[random.nextInt(20000)]);
            garbage = String.format("%d %s", i, Integer.toHexString(i)).split(" ");
        }
        return "churned";
    }

    private static String process(String[] command) throws Exception {
        Process process = new ProcessBuilder(command).start();
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        process.waitFor();
        return levelIn(line);
    }

    /** Needs JDK 21; runs one to its end, whose carrier stays for the next. */
    private static String virtual() throws Exception {
        final String[] seen = new String[1];
        Thread thread = (Thread) Thread.class
                .getMethod("startVirtualThread", Runnable.class)
                .invoke(null, (Runnable) new Runnable() {
                    @Override
                    public void run() {
                        seen[0] = level("/proc/thread-self/stat");
                    }
                });
        thread.join();
        return seen[0];
    }

    private static String level(String file) {
        try {
            return levelIn(new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** `TID POLICY VALUE`, the value being nice or static priority: fields 1, 41, 40, 19 of proc(5) stat. */
    private static String levelIn(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ");
        String policy = fields[41 - 3];
        boolean realTime = policy.equals("1") || policy.equals("2");
        return stat.substring(0, stat.indexOf(' ')) + " " + policy + " " + fields[(realTime ? 40 : 19) - 3];
    }
}
