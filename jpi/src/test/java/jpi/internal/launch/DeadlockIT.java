package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JException;
import jpi.JHandle;
import jpi.JOperation;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks whose collective calls do not match wait for each other: JRun says in which, and of whom. */
class DeadlockIT extends JRunCase {
    /** Each rank does something else. */
    static final class Disagrees extends JApplication {
        @Override
        public void Jmain(String[] args) {
            switch (JPI.COMM_WORLD.rank()) {
                case 0 -> JPI.COMM_WORLD.barrier();
                case 1 -> JPI.COMM_WORLD.recv(0, 7);
                default -> {
                    JPI.COMM_WORLD.send("nobody wants this", 1, 8);
                    JPI.COMM_WORLD.bcast((Object) null, 0);
                }
            }
        }
    }

    /** The root of a broadcast has other plans. */
    static final class Forgets extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            JComm backwards = world.split(0, world.size() - world.rank());
            if (backwards == null) {
                throw new AssertionError();
            }
            backwards.setName("backwards");
            switch (world.rank()) {
                case 0 -> {}
                case 1 -> {
                    var _ = backwards.ibcast((Object) null, 2).await();
                }
                default -> backwards.recv(1, 3);
            }
        }
    }

    /** Says what each rank is told of calls that do not match, and makes some that do. */
    static final class Differs extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            try {
                if (world.rank() == 1) {
                    world.bcast(JBuffer.of(new int[3]), 0);
                } else {
                    world.barrier();
                }
            } catch (JException e) {
                System.out.println(e.getMessage());
            }
            int sum = world.allreduce(world.rank(), JOperation.SUM);
            if (sum != 3) {
                throw new AssertionError(sum);
            }
        }
    }

    @Test
    void whoChecksIsToldAtOnceAndMayGoOn() throws Exception {
        String told =
                "collective calls in COMM_WORLD do not match: ranks 0, 2 called barrier; rank 1 called bcast of 3 ints,"
                        + " root 0: let all ranks make the same calls in the same order\n";
        assertEquals(new Result(0, told.repeat(3), ""), run("-np", "2", "-nt", "3", "-check", name(Differs.class)));
    }

    /** One rank has finished, as many programs do, and the others wait for it. */
    static final class Exits extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                JPI.setFinished(true);
                System.exit(0);
            }
            JPI.COMM_WORLD.recv(0, 4);
        }
    }

    /** A thread of each rank waits for what another one of the next rank computes. */
    static final class Computes extends JApplication {
        /** Longer than it takes to find a deadlock. */
        private static final long NANOS = 4_000_000_000L;

        static void compute() {
            long end = System.nanoTime() + NANOS;
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            Runnable waits = () -> System.out.println(world.recv(String.class, JHandle.ANY_SOURCE, 5));
            Runnable computes = () -> {
                compute();
                world.send("a result", (world.rank() + 1) % world.size(), 5);
            };
            boolean beside = args[0].equals("beside");
            Thread other = Thread.ofPlatform().start(beside ? computes : waits);
            (beside ? waits : computes).run();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"-nt,itself", "-np,beside"})
    void aRankOfWhichOneThreadComputesIsNotBlocked(String together, String who) throws Exception {
        assertEquals(new Result(0, "a result\na result\n", ""), run(together, "2", name(Computes.class), who));
    }

    /** A rank returns, and what follows on its receive computes before it sends what the other one waits for. */
    static final class Returns extends JApplication {
        /** For as long as a rank would compute. */
        private void awaitProcess() {
            String seconds = String.valueOf(TimeUnit.NANOSECONDS.toSeconds(Computes.NANOS));
            try {
                int code = new ProcessBuilder("sleep", seconds).start().waitFor();
                JPI.COMM_WORLD.send(code == 0 ? "an answer" : "code " + code, 0, 7);
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            if (world.rank() == 0) {
                world.send("a question", 1, 6);
                System.out.println(world.recv(String.class, 1, 7));
                return;
            }
            Runnable answers = () -> {
                Computes.compute();
                world.send("an answer", 0, 7);
            };
            switch (args[0]) {
                case "thread" -> {
                    var _ = world.recv(0, 6);
                    var _ = Thread.ofPlatform().start(answers);
                }
                case "process" -> {
                    var _ = world.recv(0, 6);
                    var _ = Thread.ofPlatform().start(this::awaitProcess);
                }
                case "pool" -> {
                    var _ = world.irecv(0, 6).thenRunAsync(answers);
                }
                default -> {
                    var _ = world.irecv(0, 6).thenRun(answers);
                }
            }
        }
    }

    /** One rank has returned; the other one sends it more than there is room for on the way, and then waits for an answer. */
    static final class Floods extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            if (world.rank() == 0) {
                for (int i = 0; i < 5000; i++) {
                    world.send(new byte[Integer.parseInt(args[0])], 1, 8);
                }
                world.recv(1, 9);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"-nt,follower", "-np,follower", "-np,thread", "-np,pool", "-np,process"})
    void aRankThatHasReturnedMayHaveSomethingToSayYet(String together, String who) throws Exception {
        assertEquals(new Result(0, "an answer\n", ""), run(together, "2", name(Returns.class), who));
    }

    @ParameterizedTest
    @CsvSource({"-nt,8", "-np,8", "-np,20000"})
    void whatIsSentToARankThatHasReturnedFillsNoWay(String together, String bytes) throws Exception {
        assertExplained(
                run(together, "2", name(Floods.class), bytes),
                "jpi: deadlock: every rank that has not ended waits, and nobody receives 5000 messages",
                "  rank 0 waits for a message from rank 1, tag 9");
    }

    private static void assertExplained(Result result, String... lines) {
        assertEquals(List.of(lines), result.err().lines().toList());
        assertEquals(1, result.exit());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-nt", "-np"})
    void whoWaitsInWhichOperationForWhom(String together) throws Exception {
        assertExplained(
                run(together, "3", name(Disagrees.class)),
                "jpi: deadlock: every rank that has not ended waits, and nobody receives 1 message",
                "  rank 0 waits in barrier of COMM_WORLD, for ranks 1, 2",
                "  rank 1 waits for a message from rank 0, tag 7",
                "  rank 2 waits in bcast of COMM_WORLD, for rank 0");
    }

    @ParameterizedTest
    @CsvSource({"-l,1", "-vt,2"})
    void ranksAreThoseOfTheWholeProgram(String also, String workers) throws Exception {
        assertExplained(
                run(also, "-np", workers, "-nt", "3", name(Forgets.class)),
                "jpi: deadlock: every rank that has not ended waits",
                "  rank 1 waits in bcast of backwards, for rank 0",
                "  rank 2 waits for a message from rank 1, tag 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-nt", "-np"})
    void whoHasExitedIsNotAtWork(String together) throws Exception {
        assertExplained(
                run(together, "2", name(Exits.class)),
                "jpi: deadlock: every rank that has not ended waits",
                "  rank 1 waits for a message from rank 0, tag 4");
    }
}
