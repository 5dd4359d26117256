package ayatori.bench.load;

import ayatori.bench.load.ThreadsOfOneCpu.Computing;
import ayatori.bench.load.ThreadsOfOneCpu.Sleeping;
import ayatori.bench.load.ThreadsOfOneCpu.Spinning;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import ayatori.server.Endpoint;
import ayatori.server.EndpointStatistics;
import ayatori.server.Reply;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * {@code IntercoreOperations ROUNDS CLIENTS_CPU SERVERS_CPU}: what it costs a thread (Java priority 8) to wake one on another CPU
 * (4), to raise it to just below itself, and to do both, while a lower thread (2), one between the two (6) or none computes there;
 * and what a call of no work takes whose answer the client polls for. Operations take turns.
 *
 * <p>Prints {@code result,OPERATION,BESIDE,CALLER,DONE} for each: how long the caller was at it; and after how long it was done
 * and had its effect: the thread that was woken or raised runs. Of a thread that runs already DONE is the longest interruption
 * that it saw. Nanoseconds. Then, of as many operations again, which are not timed since looking takes its time,
 * {@code result,OPERATION,BESIDE,interrupts,RESCHEDULING,FUNCTION_CALLS}: the interrupts that the servers' CPU has had from others
 * from before the operation until shortly after its effect. At the end {@code result,wakes,nobody,N}: wakes in the calls that are to
 * wake nobody.
 */
public final class IntercoreOperations {
    private static final int CLIENT = 8;
    private static final int MIDDLE = 6;
    private static final int SERVER = 4;
    private static final int LOW = 2;
    /** Where Java priority 4 is under static, and what 8 lends. */
    private static final int OWN_VALUE = 8;

    private static final int LENT_VALUE = 15;

    private static final int MOST_WARM_UP = 500;
    /** A call of no work takes so little that there can be many a round. */
    private static final int CALLS_A_ROUND = 20;
    /** Until an interruption is over. */
    private static final long SETTLED_NANOS = 30_000;

    private enum Rounds {
        WARM_UP,
        TIMED,
        COUNTED
    }

    private final Computing low;
    private final Computing middle;
    private final Sleeping byFutex;
    private final Sleeping byPark;
    private final Spinning spinning;
    private final Endpoint<Runnable, Long> server =
            Endpoint.<Runnable, Long>builder().name("server").build();
    /** The server, after it has answered, stays awake until the next request has come. */
    private volatile boolean staysAwake;

    private final Interrupts interrupts;
    private Rounds rounds = Rounds.WARM_UP;
    /** Before the operation, and then in it. */
    private Interrupts.Count counted = new Interrupts.Count(0, 0);

    private long wakesOfNobody;

    private IntercoreOperations(int cpu) throws InterruptedException, ExecutionException {
        interrupts = new Interrupts(cpu);
        ThreadsOfOneCpu threads = new ThreadsOfOneCpu(cpu);
        low = threads.new Computing(LOW);
        middle = threads.new Computing(MIDDLE);
        byFutex = threads.new Sleeping(SERVER, false);
        byPark = threads.new Sleeping(SERVER, true);
        spinning = threads.new Spinning(SERVER);
        server.serve(1, request -> {
            request.body().run();
            request.reply(0L);
            while (staysAwake && nothingCame()) {
                Thread.onSpinWait();
            }
        });
        server.call(() -> PinnedWork.moveTo(cpu));
    }

    private boolean nothingCame() {
        EndpointStatistics now = server.statistics();
        return now.requests() == now.taken();
    }

    private static void set(int tid, int value) {
        int result = Sched.setAttributes(tid, new Sched.Attributes(Sched.RR, Sched.RESET_ON_FORK, 0, value, 0, 0, 0));
        if (result < 0) {
            throw new IllegalStateException("SCHED_RR " + value + " of a thread: " + Errno.name(result));
        }
    }

    /** The operation comes now. */
    private long begin() {
        if (rounds == Rounds.COUNTED) {
            counted = interrupts.now();
        }
        return System.nanoTime();
    }

    /** It has had its effect. */
    private void end() {
        if (rounds == Rounds.COUNTED) {
            PinnedWork.spinUntil(System.nanoTime() + SETTLED_NANOS);
            counted = interrupts.now().since(counted);
        }
    }

    private void tell(String operation, String beside, long caller, long done) {
        String line = "result," + operation + "," + beside + ",";
        switch (rounds) {
            case WARM_UP -> {}
            case TIMED -> System.out.println(line + caller + "," + done);
            case COUNTED ->
                System.out.println(line + "interrupts," + counted.rescheduling() + "," + counted.functionCalls());
        }
    }

    private static void begin(@Nullable Computing beside) {
        if (beside != null) {
            beside.begin();
        }
    }

    private static void end(@Nullable Computing beside) {
        if (beside != null) {
            beside.end();
        }
    }

    /** What is done with a thread that sleeps. */
    private interface Operation {
        void on(Sleeping thread);
    }

    /** An operation after which the thread runs. */
    private void wakes(String name, String besideName, @Nullable Computing beside, Sleeping thread, Operation operation)
            throws InterruptedException {
        thread.prepare();
        begin(beside);
        long begin = begin();
        operation.on(thread);
        long end = System.nanoTime();
        long ran = thread.awaitRunning();
        end();
        end(beside);
        set(thread.tid(), OWN_VALUE);
        tell(name, besideName, end - begin, Math.max(ran, end) - begin);
    }

    private void raises() throws InterruptedException {
        byFutex.prepare();
        long begin = begin();
        set(byFutex.tid(), LENT_VALUE);
        long end = System.nanoTime();
        end();
        set(byFutex.tid(), OWN_VALUE);
        tell("raise one that sleeps", "nobody", end - begin, end - begin);

        spinning.begin();
        middle.begin();
        begin = begin();
        set(spinning.tid(), LENT_VALUE);
        end = System.nanoTime();
        long ran = spinning.awaitRunningSince(begin);
        end();
        set(spinning.tid(), OWN_VALUE);
        middle.end(); // it runs again
        tell("raise one that is ready", "a middle thread", end - begin, Math.max(ran, end) - begin);

        spinning.forgetGaps();
        begin = begin();
        set(spinning.tid(), LENT_VALUE);
        end = System.nanoTime();
        PinnedWork.spinUntil(end + SETTLED_NANOS);
        end();
        tell("raise one that runs", "nobody", end - begin, spinning.longestGap());
        set(spinning.tid(), OWN_VALUE);

        spinning.forgetGaps();
        begin = begin();
        PinnedWork.spinUntil(begin + SETTLED_NANOS);
        end();
        tell("leave one alone that runs", "nobody", 0, spinning.longestGap());
        spinning.end();
    }

    private void calls() throws InterruptedException {
        staysAwake = true;
        call();
        long wakes = server.statistics().wakes();
        for (int i = 0; i < CALLS_A_ROUND; i++) {
            long took = call();
            tell("call that wakes nobody", "nobody", took, took);
        }
        wakesOfNobody += rounds == Rounds.WARM_UP ? 0 : server.statistics().wakes() - wakes;
        staysAwake = false;
        Thread.sleep(1);
        low.begin();
        long took = call();
        low.end();
        tell("call that wakes the server", "a low thread", took, took);

        Reply<Long> first = server.send(SERVER, () -> {});
        ThreadsOfOneCpu.await(first::isDone);
        Thread.sleep(1);
        low.begin();
        took = call();
        low.end();
        tell("call that raises and wakes the server", "a low thread", took, took);
    }

    private long call() throws InterruptedException {
        long begin = begin();
        Reply<Long> reply = server.send(() -> {});
        while (!reply.isDone()) {
            Thread.onSpinWait();
        }
        long took = System.nanoTime() - begin;
        end();
        return took;
    }

    private boolean run(int number) throws InterruptedException {
        run(Rounds.WARM_UP, Math.min(MOST_WARM_UP, 5 * number));
        run(Rounds.TIMED, number);
        run(Rounds.COUNTED, number);
        System.out.println("result,wakes,nobody," + wakesOfNobody);
        return true;
    }

    private void run(Rounds kind, int number) throws InterruptedException {
        rounds = kind;
        for (int i = 0; i < number; i++) {
            wakes("wake (futex)", "nobody", null, byFutex, Sleeping::wake);
            wakes("wake (futex)", "a low thread", low, byFutex, Sleeping::wake);
            wakes("wake (unpark)", "nobody", null, byPark, Sleeping::wake);
            wakes("wake (unpark)", "a low thread", low, byPark, Sleeping::wake);
            wakes("raise then wake", "a low thread", low, byFutex, IntercoreOperations::raiseThenWake);
            wakes("wake then raise", "a low thread", low, byFutex, IntercoreOperations::wakeThenRaise);
            wakes("raise then wake", "a middle thread", middle, byFutex, IntercoreOperations::raiseThenWake);
            wakes("wake then raise", "a middle thread", middle, byFutex, IntercoreOperations::wakeThenRaise);
            raises();
            calls();
        }
    }

    private static void raiseThenWake(Sleeping thread) {
        set(thread.tid(), LENT_VALUE);
        thread.wake();
    }

    private static void wakeThenRaise(Sleeping thread) {
        thread.wake();
        set(thread.tid(), LENT_VALUE);
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        int rounds = Integer.parseInt(arguments[0]);
        PinnedWork.moveTo(Integer.parseInt(arguments[1])); // and what it starts
        IntercoreOperations operations = new IntercoreOperations(Integer.parseInt(arguments[2]));
        FutureTask<Boolean> client = new FutureTask<>(() -> operations.run(rounds));
        Thread.ofPlatform().priority(CLIENT).start(client);
        client.get();
        operations.server.close();
    }
}
