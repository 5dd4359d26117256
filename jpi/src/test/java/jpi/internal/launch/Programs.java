package jpi.internal.launch;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JException;
import jpi.JHandle;
import jpi.JOperation;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** What the ranks of {@link JRunIT} run. Few of them pass messages. */
final class Programs {
    private Programs() {}

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Says who it is; that is known in the constructor already. */
    static final class Greets extends JApplication {
        private final int rank = JPI.COMM_WORLD.rank();

        @Override
        public void Jmain(String[] args) {
            Thread thread = Thread.currentThread();
            System.out.println("rank " + rank + " in " + ProcessHandle.current().pid() + " by " + thread.getName()
                    + (thread.isVirtual() ? ", virtual, " : ", ") + List.of(args));
        }
    }

    /** Says if its heap asks the kernel for huge pages. */
    static final class Pages extends JApplication {
        /** As the kernel says it of this process. */
        @Override
        public void Jmain(String[] arguments) {
            try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps"))) {
                boolean asked = lines.anyMatch(line -> line.startsWith("VmFlags:") && line.contains(" hg "));
                System.out.println("asks for huge pages: " + asked);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** No JApplication: a thread of its own passes a message on to the next rank, in a circle. */
    static final class Plain {
        public static void main(String[] args) throws Exception {
            CompletableFuture<Void> sent = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                try {
                    JComm world = JHandle.current().COMM_WORLD;
                    world.send(world.rank(), (world.rank() + 1) % world.size(), 1);
                    sent.complete(null);
                } catch (RuntimeException e) {
                    sent.completeExceptionally(e);
                }
            });
            sent.join();
            JComm world = JHandle.current().COMM_WORLD;
            Object received = world.recv(JHandle.ANY_SOURCE, 1);
            System.out.println("rank " + world.rank() + " got " + received + " and " + List.of(args));
        }
    }

    /** With something checked. */
    static final class PlainlyFails {
        public static void main(String[] args) throws IOException {
            if (args.length == 0) {
                throw new IOException("no disk");
            }
        }
    }

    /** Ends without a line's end. */
    static final class Murmurs extends JApplication {
        @Override
        public void Jmain(String[] args) {
            System.out.print("no end of " + JPI.COMM_WORLD.rank());
            System.err.print("nor of " + JPI.COMM_WORLD.rank());
        }
    }

    /** Each rank waits for the one before it. */
    static final class Circle extends JApplication {
        @Override
        public void Jmain(String[] args) {
            int size = JPI.COMM_WORLD.size();
            JPI.COMM_WORLD.recv((JPI.COMM_WORLD.rank() + size - 1) % size, 7);
        }
    }

    /** Each rank counts and passes on what the one before it has counted; after the barrier all have. In one JVM. */
    static final class Rings extends JApplication {
        private static final AtomicInteger PASSED = new AtomicInteger();

        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            int rank = world.rank();
            int next = (rank + 1) % world.size();
            if (rank == 0) {
                world.send(1, next, 7);
                System.out.println(world.recv(world.size() - 1, 7) + " passed it");
            } else {
                world.send(world.recv(Integer.class, rank - 1, 7) + 1, next, 7);
            }
            PASSED.incrementAndGet();
            world.barrier();
            if (PASSED.get() != world.size()) {
                throw new AssertionError("after the barrier " + PASSED.get() + " have passed it");
            }
        }
    }

    /** What {@link Tours} sends. */
    @SuppressWarnings("ArrayRecordComponent") // users have such too
    record Stop(
            int rank,
            String name,
            double[] figures,
            @Nullable Stop before) {}

    /** An object goes round, and each rank adds to it; at the end rank 0 looks at it. */
    static final class Tours extends JApplication {
        @Override
        public void Jmain(String[] args) {
            int rank = JPI.COMM_WORLD.rank();
            int size = JPI.COMM_WORLD.size();
            Stop before = rank == 0 ? null : JPI.COMM_WORLD.recv(Stop.class, rank - 1, 0);
            double[] figures = new double[100_000];
            figures[rank] = rank;
            JPI.COMM_WORLD.isolated().send(new Stop(rank, "rank " + rank, figures, before), (rank + 1) % size, 0);
            if (rank == 0) {
                Stop stop = JPI.COMM_WORLD.recv(Stop.class, size - 1, 0);
                int expected = size;
                for (Stop one = stop; one != null; one = one.before) {
                    expected--;
                    if (one.rank != expected
                            || !one.name.equals("rank " + expected)
                            || one.figures[expected] != expected) {
                        throw new AssertionError(one.toString());
                    }
                }
                System.out.println("round");
            }
        }
    }

    /**
     * Rank 0, important, waits for rank 1, which is not, has something to compute first, and shares its CPU with rank 2, which is more
     * important than that and computes until rank 0 has its message, or far longer than that may take.
     */
    static final class Inversion extends JApplication {
        private static final long LIMIT_NANOS = 20_000_000_000L;
        private static final int ROUNDS = 50_000_000;
        private static final CountDownLatch LOW_IS_UP = new CountDownLatch(1);
        private static volatile boolean waits;
        private static volatile boolean got;

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // that priorities can be relied on is what this is for
        public void Jmain(String[] args) {
            Thread thread = Thread.currentThread();
            switch (JPI.COMM_WORLD.rank()) {
                case 0 -> {
                    thread.setPriority(9);
                    await();
                    waits = true;
                    JPI.COMM_WORLD.recv(1, 0);
                    got = true;
                    System.out.println("got it");
                }
                case 1 -> {
                    LOW_IS_UP.countDown();
                    long sum = 0;
                    while (!waits) {
                        Thread.onSpinWait();
                    }
                    thread.setPriority(2); // not before: it would not get as far as this
                    for (int i = 0; i < ROUNDS; i++) {
                        sum += i ^ (sum << 1);
                    }
                    JPI.COMM_WORLD.send(sum, 0, 0);
                }
                default -> {
                    thread.setPriority(5);
                    long end = System.nanoTime() + LIMIT_NANOS;
                    while (!got && System.nanoTime() - end < 0) {
                        Thread.onSpinWait();
                    }
                    System.out.println(got ? "seen" : "rank 0 waited in vain");
                }
            }
        }

        private static void await() {
            try {
                LOW_IS_UP.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /**
     * A high rank gets messages from another JVM while a low one of its own takes in large ones all the time, from which a middle
     * one takes the CPU again and again.
     */
    static final class TakesIn extends JApplication {
        private static final int BULK = 0;
        private static final int ASKED = 1;
        private static final int HIGH = 2;
        private static final int LOW = 3;
        private static final int MIDDLE = 4;
        /** Real-time threads have the CPU all the while, which the guard lets them for ten seconds. */
        private static final int ROUNDS = 20;

        private static final int END = -1;
        private static final long LIMIT_NANOS = 20_000_000_000L;
        private static volatile int got;

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // that priorities can be relied on is what this is for
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            int rank = world.rank();
            Thread.currentThread().setPriority(rank == HIGH ? 9 : rank == LOW ? 2 : rank == MIDDLE ? 5 : 8);
            switch (rank) {
                case BULK -> sendBulk(world);
                case ASKED -> answer(world);
                case HIGH -> count(world);
                case LOW -> takeIn(world);
                default -> takeTheCpu(world);
            }
        }

        private static void sendBulk(JComm world) {
            byte[] large = new byte[1 << 20];
            while (world.iprobe(MIDDLE, 0) == null) {
                world.send(JBuffer.of(large), LOW, 0);
            }
            world.recv(MIDDLE, 0);
            world.send(JBuffer.of(new byte[0]), LOW, 0);
        }

        private static void takeIn(JComm world) {
            JBuffer into = JBuffer.of(new byte[1 << 20]);
            while (world.recv(into, BULK, 0).count() > 0) {
                // the next one
            }
        }

        private static void answer(JComm world) {
            int round;
            do {
                round = world.recv(Integer.class, MIDDLE, 0);
                world.send(round, HIGH, 0);
            } while (round != END);
        }

        private static void count(JComm world) {
            int round = world.recv(Integer.class, ASKED, 0);
            while (round != END) {
                got = round;
                round = world.recv(Integer.class, ASKED, 0);
            }
        }

        private static void takeTheCpu(JComm world) {
            for (int round = 1; round <= ROUNDS; round++) {
                LockSupport.parkNanos(2_000_000);
                world.send(round, ASKED, 0);
                long end = System.nanoTime() + LIMIT_NANOS;
                while (got < round) {
                    if (System.nanoTime() - end > 0) {
                        throw new IllegalStateException("the high rank has " + got + " of " + round + " messages");
                    }
                    Thread.onSpinWait();
                }
            }
            System.out.println("all came");
            world.send(END, ASKED, 0);
            world.send(END, BULK, 0);
        }
    }

    /** Says so, and exchanges messages from then on. */
    static final class Begins extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            if (world.rank() == 0) {
                System.out.println("begun");
                world.send(JBuffer.of(new byte[1 << 20]), 1, 0);
                world.send(List.of("text", 1), 1, 0);
            } else {
                world.recv(JBuffer.of(new byte[1 << 20]), 0, 0);
                world.recv(List.class, JHandle.ANY_SOURCE, 0);
            }
            world.barrier();
            int sum = world.allreduce(1, JOperation.SUM);
            if (sum != world.size()) {
                throw new IllegalStateException("counted " + sum);
            }
        }
    }

    /** What {@link SendsAStream} sends. */
    record Parcel(int number, InputStream stream) {}

    /** Tries to. */
    static final class SendsAStream extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                try {
                    JPI.COMM_WORLD.send(new Parcel(1, new ByteArrayInputStream(new byte[1])), 1, 0);
                } catch (JException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    /** Rank 0 ends by an exception; rank 1, which waits for it, says what it learns. */
    static final class Learns extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                throw new IllegalStateException("a reason");
            }
            try {
                JPI.COMM_WORLD.recv(0, 7);
            } catch (JException e) {
                System.out.println("learnt: " + e.getMessage());
                throw e;
            }
        }
    }

    /** Says its process, and stays. */
    static final class Stays extends JApplication {
        @Override
        public void Jmain(String[] args) {
            System.out.println("pid " + ProcessHandle.current().pid() + " of rank " + JPI.COMM_WORLD.rank());
            waitForEver();
        }
    }

    /** Prints for as long as it can. */
    static final class Chatters extends JApplication {
        @Override
        public void Jmain(String[] args) {
            while (true) {
                System.out.println("rank " + JPI.COMM_WORLD.rank() + " says no more than that");
            }
        }
    }

    /** How many workers have mapped the shared memory at the time that this rank begins. */
    static final class Counts extends JApplication {
        @Override
        public void Jmain(String[] args) {
            long mapped = ProcessHandle.current()
                    .parent()
                    .orElseThrow()
                    .children()
                    .filter(Counts::hasMapped)
                    .count();
            System.out.println("rank " + JPI.COMM_WORLD.rank() + " sees " + mapped);
        }

        private static boolean hasMapped(ProcessHandle worker) {
            try {
                return Files.readString(Path.of("/proc/" + worker.pid() + "/maps"))
                        .contains("/dev/shm/jpi-");
            } catch (IOException e) {
                return false; // has it not, or has it ended already?
            }
        }
    }

    /** One rank exits, with a code; the others have ended. */
    static final class Exits extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == Integer.parseInt(args[0])) {
                System.exit(Integer.parseInt(args[1]));
            }
        }
    }

    /** Another thread than the rank's exits. */
    static final class ExitsBeside extends JApplication {
        @Override
        public void Jmain(String[] args) {
            Thread.ofPlatform().start(() -> System.exit(Integer.parseInt(args[0])));
            waitForEver();
        }
    }

    /** Rank 0 exits, in good order as it believes; the others stay. */
    static final class ExitsAlone extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                System.exit(0);
            }
            waitForEver();
        }
    }

    /** Rank 0 has finished and exits, and the others still have something to say; then one of them may exit too early. */
    static final class Leaves extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm others = JPI.COMM_WORLD.split(JPI.COMM_WORLD.rank() == 0 ? JHandle.UNDEFINED : 0, 0);
            if (others == null) {
                JPI.setFinished(true);
                System.exit(0);
                return;
            }
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum += others.allreduce(1, JOperation.SUM);
            }
            if (others.rank() == 0) {
                System.out.println(sum);
            } else if (args.length > 0) {
                while (!isExiting()) {
                    Thread.onSpinWait();
                }
                System.exit(0);
            }
        }

        private static boolean isExiting() {
            Thread hook = new Thread();
            try {
                Runtime.getRuntime().addShutdownHook(hook);
                var _ = Runtime.getRuntime().removeShutdownHook(hook);
                return false;
            } catch (IllegalStateException e) {
                return true;
            }
        }
    }

    /** Ends the JVM without its shutdown. */
    static final class Halts extends JApplication {
        @Override
        public void Jmain(String[] args) {
            Runtime.getRuntime().halt(Integer.parseInt(args[0]));
        }
    }

    /** Rank 1 throws; the others have ended. */
    static final class Throws extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 1) {
                throw new IllegalStateException("a reason");
            }
        }
    }

    /** Cannot be made. */
    static final class Unmade extends JApplication {
        Unmade() {
            throw new IllegalArgumentException("not today");
        }

        @Override
        public void Jmain(String[] args) {}
    }

    /** Cannot be made by JPI. */
    static final class Demanding extends JApplication {
        Demanding(int wanted) {
            System.out.println(wanted);
        }

        @Override
        public void Jmain(String[] args) {}
    }

    /** Reads all of standard input. */
    static final class Reads extends JApplication {
        @Override
        public void Jmain(String[] args) {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                System.out.println("rank " + JPI.COMM_WORLD.rank() + " reads "
                        + in.readAllAsString().strip());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Prints from threads of its own. */
    static final class Starts extends JApplication {
        @Override
        public void Jmain(String[] args) {
            try {
                System.out.print("half a line, ");
                Thread.ofPlatform().start(() -> System.out.println("platform")).join();
                Thread.ofVirtual().start(() -> System.err.println("virtual")).join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Rank 1 is sent more than its heap has room for. */
    static final class Overwhelms extends JApplication {
        private static final long BYTES = 100L << 20;
        private static final int FLAGS = 20 << 20;
        /** With this there is room for the flags once, but not twice. */
        private static final int HELD = 24 << 20;

        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            byte[] held = new byte[args.length * world.rank() * HELD];
            try {
                if (world.rank() == 0 && args.length > 0) {
                    world.send(new boolean[FLAGS], 1, 1);
                    System.out.println(world.recv(1, 2));
                } else if (world.rank() == 0) {
                    try (Arena arena = Arena.ofShared()) {
                        world.send(JBuffer.of(arena.allocate(BYTES), JType.BYTE), 1, 1);
                    }
                    System.out.println(world.recv(1, 2));
                } else {
                    String answer = "received";
                    try {
                        var _ = world.recv(0, 1);
                    } catch (JException e) {
                        answer = e.getMessage();
                    }
                    world.send(answer, 0, 2);
                }
            } finally {
                Reference.reachabilityFence(held);
            }
        }
    }

    /** What of the worker's options arrived. */
    static final class Tells extends JApplication {
        @Override
        public void Jmain(String[] args) {
            try {
                System.out.println("told " + System.getProperty("told") + ", agent "
                        + Files.readString(Path.of("/proc/self/maps")).contains("libayatori.so"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
