package ayatori.internal.linux;

import static ayatori.internal.linux.Futex.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import ayatori.internal.linux.Futex.Scope;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FutexTest {
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
    private final MemorySegment piWord = arena.allocate(ValueLayout.JAVA_INT);

    /** A thread that does one thing after the other, and holds what it has locked until it is told to release it. */
    private final ExecutorService owner = Executors.newSingleThreadExecutor();

    private final ExecutorService waiter = Executors.newSingleThreadExecutor();

    @AfterEach
    void endThreads() throws Exception {
        for (ExecutorService thread : new ExecutorService[] {owner, waiter}) {
            thread.shutdownNow();
            Waiting.until("the end of the test's threads", () -> thread.awaitTermination(1, TimeUnit.SECONDS));
        }
        arena.close();
    }

    @ParameterizedTest
    @EnumSource
    void aSleeperIsWoken(Scope scope) throws Exception {
        Future<Integer> sleep = waiter.submit(() -> Futex.wait(word, 0, FOREVER, scope));
        Waiting.until("one sleeper to wake", () -> Futex.wake(word, 1, scope) == 1);
        assertEquals(0, sleep.get(30, TimeUnit.SECONDS));
    }

    @Test
    void aSleeperIsWokenThroughAnotherMappingOfTheWord() throws Exception {
        MappedMemory one = MappedMemory.createAnonymous("futex-test", 4096, arena);
        MappedMemory two = MappedMemory.open(Path.of("/proc/self/fd/" + one.descriptor()), arena);
        Future<Integer> sleep = waiter.submit(() -> Futex.wait(one.segment(), 0, FOREVER, Scope.SHARED));
        Waiting.until("one sleeper to wake", () -> Futex.wake(two.segment(), 1, Scope.SHARED) == 1);
        assertEquals(0, sleep.get(30, TimeUnit.SECONDS));
    }

    @Test
    void oneWaitsForSeveralWordsOfBothScopes() throws Exception {
        Futex.WaitList words = new Futex.WaitList();
        for (MemorySegment woken : new MemorySegment[] {word, piWord}) {
            Scope scope = woken == word ? Scope.PRIVATE : Scope.SHARED;
            words.clear();
            words.add(word, Scope.PRIVATE);
            words.add(piWord, Scope.SHARED);
            Future<Integer> sleep = waiter.submit(() -> words.await(FOREVER));
            Waiting.until("one sleeper to wake", () -> Futex.wake(woken, 1, scope) == 1);
            assertEquals(woken == word ? 0 : 1, sleep.get(30, TimeUnit.SECONDS));
        }
        assertEquals(-Errno.ETIMEDOUT, words.await(System.nanoTime() + 1_000_000));
        WORD.setVolatile(piWord, 0L, 1);
        assertEquals(-Errno.EAGAIN, words.await(FOREVER));
    }

    @Test
    void nobodySleepsOnAnotherValueOrPastTheDeadline() {
        assertEquals(-Errno.EAGAIN, Futex.wait(word, 1, FOREVER, Scope.PRIVATE));
        assertEquals(-Errno.ETIMEDOUT, Futex.wait(word, 0, System.nanoTime() + 1_000_000, Scope.PRIVATE));
        assertEquals(-Errno.ETIMEDOUT, Futex.wait(word, 0, System.nanoTime() - 1_000_000, Scope.PRIVATE));
        assertEquals(0, Futex.wake(word, 1, Scope.PRIVATE));
    }

    /** What {@link Futex} says of nanoTime: else a deadline would be years away. */
    @Test
    void nanoTimeIsTheKernelsMonotonicClock() {
        long deadline = System.nanoTime() + 20_000_000;
        assertEquals(-Errno.ETIMEDOUT, Futex.wait(word, 0, deadline, Scope.PRIVATE));
        assertEquals(true, System.nanoTime() - deadline >= 0);
    }

    @ParameterizedTest
    @EnumSource
    void theOwnerRunsAtTheWaitersPriority(Scope scope) throws Exception {
        Needs.realTime();
        LinuxThread owning = own();
        Future<Integer> lock = waiter.submit(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(30));
            return Futex.lockPi(piWord, FOREVER, scope);
        });
        Waiting.until("the owner to be raised to RR 30", () -> owning.effectiveRank() == 130);
        assertEquals(0, owning.get().staticPriority(), "what the owner itself asks for");
        assertEquals(owning.id() | Futex.WAITERS, (int) WORD.getVolatile(piWord, 0L));
        assertEquals(0, owner.submit(() -> Futex.unlockPi(piWord, scope)).get(30, TimeUnit.SECONDS));
        assertEquals(0, lock.get(30, TimeUnit.SECONDS));
        assertEquals(20, owning.effectiveRank());
        int waiting = waiter.submit(Sched::gettid).get(30, TimeUnit.SECONDS);
        assertEquals(waiting, (int) WORD.getVolatile(piWord, 0L) & Futex.TID_MASK);
    }

    @Test
    void aWaiterThatGivesUpTakesItsPriorityBack() throws Exception {
        Needs.realTime();
        LinuxThread owning = own();
        Future<Integer> lock = waiter.submit(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(30));
            return Futex.lockPi(piWord, System.nanoTime() + 300_000_000, Scope.PRIVATE);
        });
        Waiting.until("the owner to be raised to RR 30", () -> owning.effectiveRank() == 130);
        assertEquals(-Errno.ETIMEDOUT, lock.get(30, TimeUnit.SECONDS));
        assertEquals(20, owning.effectiveRank());
    }

    @Test
    void waitersThatAreMovedOverRaiseTheOwner() throws Exception {
        Needs.realTime();
        LinuxThread owning = own();
        Future<Integer> wait = waiter.submit(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(30));
            return Futex.waitRequeuePi(word, 0, piWord, FOREVER, Scope.PRIVATE);
        });
        Waiting.until("the waiter to be moved over", () -> Futex.cmpRequeuePi(word, 0, piWord, 1, Scope.PRIVATE) == 1);
        assertEquals(130, owning.effectiveRank());
        assertEquals(
                0, owner.submit(() -> Futex.unlockPi(piWord, Scope.PRIVATE)).get(30, TimeUnit.SECONDS));
        assertEquals(0, wait.get(30, TimeUnit.SECONDS));
        assertEquals(20, owning.effectiveRank());
        assertNotEquals(owning.id(), (int) WORD.getVolatile(piWord, 0L) & Futex.TID_MASK);
        assertEquals(-Errno.EAGAIN, Futex.cmpRequeuePi(word, 1, piWord, 1, Scope.PRIVATE));
    }

    @Test
    void mistakesAreNamed() throws Exception {
        int self = Sched.gettid();
        WORD.setVolatile(piWord, 0L, self);
        assertEquals(-Errno.EDEADLK, Futex.lockPi(piWord, FOREVER, Scope.PRIVATE));
        assertEquals(0, Futex.unlockPi(piWord, Scope.PRIVATE));
        assertEquals(0, Futex.tryLockPi(piWord, Scope.PRIVATE));
        assertEquals(self, (int) WORD.getVolatile(piWord, 0L) & Futex.TID_MASK);
        assertEquals(0, Futex.unlockPi(piWord, Scope.PRIVATE));
        own();
        assertEquals(-Errno.EPERM, Futex.unlockPi(piWord, Scope.PRIVATE));
        assertEquals(-Errno.EAGAIN, Futex.tryLockPi(piWord, Scope.PRIVATE));
        WORD.setVolatile(piWord, 0L, 0x3fff_fff0);
        assertEquals(-Errno.ESRCH, Futex.lockPi(piWord, FOREVER, Scope.PRIVATE));
    }

    /** The owner's thread takes the PI word without the kernel. */
    private LinuxThread own() throws Exception {
        return owner.submit(() -> {
                    assertEquals(0, (int) WORD.compareAndExchange(piWord, 0L, 0, Sched.gettid()));
                    return LinuxThread.current();
                })
                .get(30, TimeUnit.SECONDS);
    }
}
