package ayatori.sched;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Random operations by several threads on the ledgers of others. At each pause, and at the end, the kernel has for
 * every thread the highest of its own level and its dues; at the end nothing is owed, and each is at its own level.
 */
public final class LedgerStress {
    private static final int OPERATORS = 4;
    private static final int TARGETS = 6;
    private static final int PAUSES = 20;
    /** Few, so that a thread is owed nothing, one thing or two most of the time, and its level changes at most steps. */
    private static final int MOST_DUES_OF_AN_OPERATOR = 3;

    private final PriorityLedger ledger;
    private final int operations;
    private final List<ParkedThread> targets = new ArrayList<>();
    private final SchedulingParameters[] own = new SchedulingParameters[TARGETS];
    private final List<Operator> operators = new ArrayList<>();

    /** A due, and what it was last changed to. */
    private static final class Held {
        final PriorityLedger.Due due;
        int rank;

        Held(PriorityLedger.Due due, int rank) {
            this.due = due;
            this.rank = rank;
        }
    }

    private final class Operator {
        final Random random;
        final int number;
        final List<Held> held = new ArrayList<>();

        Operator(int number) {
            this.number = number;
            this.random = new Random(4711L + number);
        }

        void operate() {
            int dice = random.nextInt(100);
            if (dice < 5) {
                setOwn();
            } else if (dice < 20 && !held.isEmpty()) {
                Held one = held.get(random.nextInt(held.size()));
                one.rank = rank();
                one.due.change(one.rank);
            } else if (held.isEmpty() || (dice < 60 && held.size() < MOST_DUES_OF_AN_OPERATOR)) {
                int rank = rank();
                LinuxThread target = targets.get(random.nextInt(TARGETS)).linuxThread();
                held.add(new Held(ledger.owe(target, rank), rank));
            } else {
                held.remove(random.nextInt(held.size())).due.close();
            }
        }

        /** Each target's own level is the business of one operator, so that the test knows what it is. */
        void setOwn() {
            int target = random.nextInt(TARGETS / OPERATORS + 1) * OPERATORS + number;
            if (target < TARGETS) {
                SchedulingParameters level = SchedulingParameters.ofRank(
                        rank(), random.nextBoolean() ? SchedulingPolicy.RR : SchedulingPolicy.FIFO);
                ledger.setOwn(targets.get(target).linuxThread(), level);
                own[target] = level;
            }
        }

        int rank() {
            return random.nextBoolean() ? 1 + random.nextInt(40) : 101 + random.nextInt(29);
        }
    }

    LedgerStress(PriorityLedger ledger, int operations) {
        this.ledger = ledger;
        this.operations = operations;
    }

    /** In a virtual machine of its own, where the agent may keep the ledger. */
    public static void main(String[] arguments) throws Exception {
        PriorityLedger ledger = PriorityLedger.ofThisProcess();
        new LedgerStress(ledger, Integer.parseInt(arguments[0])).run();
        System.out.println(ledger.isKeptByAgent() ? "agent: all back" : "library: all back");
    }

    void run() throws Exception {
        for (int i = 0; i < TARGETS; i++) {
            targets.add(new ParkedThread("target-" + i));
            own[i] = targets.get(i).linuxThread().get();
        }
        try {
            operate();
            operators.forEach(operator -> operator.held.forEach(held -> held.due.close()));
            for (int i = 0; i < TARGETS; i++) {
                // The agent keeps reset-on-fork at all Java threads.
                SchedulingParameters now = targets.get(i).linuxThread().get();
                require(own[i].withResetOnFork(now.resetOnFork()), now, "target " + i);
            }
        } finally {
            for (ParkedThread target : targets) {
                target.close();
            }
        }
    }

    private static void require(Object expected, Object found, String what) {
        if (!expected.equals(found)) {
            throw new AssertionError(what + ": expected " + expected + ", found " + found);
        }
    }

    private void operate() throws Exception {
        CyclicBarrier pause = new CyclicBarrier(OPERATORS, this::check);
        try (ExecutorService pool = Executors.newFixedThreadPool(OPERATORS)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < OPERATORS; i++) {
                Operator operator = new Operator(i);
                operators.add(operator);
            }
            for (Operator operator : operators) {
                runs.add(pool.submit(() -> {
                    for (int n = 0; n < operations / OPERATORS; n++) {
                        if (n % (operations / OPERATORS / PAUSES) == 0) {
                            pause.await(60, TimeUnit.SECONDS);
                        }
                        operator.operate();
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get(300, TimeUnit.SECONDS);
            }
        }
        check();
    }

    private void check() {
        for (int i = 0; i < TARGETS; i++) {
            LinuxThread target = targets.get(i).linuxThread();
            int highest = own[i].rank();
            for (Operator operator : operators) {
                for (Held held : operator.held) {
                    if (held.due.thread().equals(target)) {
                        highest = Math.max(highest, held.rank);
                    }
                }
            }
            require(highest, target.get().rank(), target.toString());
            require(highest, ledger.rank(target), target.toString());
        }
    }
}
