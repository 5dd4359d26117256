package ayatori.server;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Levels;
import ayatori.internal.inheritance.Loan;
import ayatori.internal.linux.Futex;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that serves an endpoint, with its priorities. */
final class ServerThread extends Carrier {
    private static final VarHandle BELL = ValueLayout.JAVA_INT.varHandle();
    /** How many lesser requests one after another it rises for in vain. */
    private static final int MOST_IN_VAIN = 64;

    private final Endpoint<?, ?> endpoint;
    private final Thread thread = Thread.currentThread();
    /** Java priority that it had before it became a server. */
    private final int before = thread.getPriority();

    private final @Nullable SchedulingParameters kernelBefore;
    /** Linux id; 0: no native calls. */
    private final int id;

    private Futex.@Nullable WaitList waitList;
    /** Null until it has to wait for words. */
    private volatile @Nullable MemorySegment bell;

    /** For as long as it takes to wake the client, whose next request may then find it awake. */
    private final BriefSpin spin = new BriefSpin(TimeUnit.MICROSECONDS.toNanos(50));
    /** Java priority that it sleeps at if it would sleep lower; 0: none. */
    private volatile int sleepLevel;
    /** Lesser requests that it has risen after. */
    private int inVain;
    /** Null while it is awake. */
    private volatile Sleepers.@Nullable Sleeper sleeper;
    /**
     * Odd while it may have requests of other processes in hand, which are no longer where those put them, and none of which it has
     * begun; each time another number, since who waits for the end of one may miss it.
     */
    private final AtomicInteger hand = new AtomicInteger();

    /**
     * Makes the calling thread a server.
     *
     * @param level Java priority that it takes on; 0: stays where it is, whatever that is
     */
    ServerThread(Endpoint<?, ?> endpoint, int level) {
        this.endpoint = endpoint;
        Carrier other = current();
        if (other != null) {
            throw new IllegalStateException(
                    thread + " serves or works in a pool already; one thread does one of both, once");
        }
        if (thread.isVirtual()) {
            throw new IllegalStateException(thread + " is virtual: it has no priority, and cannot be a server's");
        }
        LinuxThread known = levels().inForce() ? LinuxThread.current() : null;
        kernelBefore = known == null ? null : known.get();
        linuxThread(known);
        id = ServerThread.class.getModule().isNativeAccessEnabled() ? Caller.id() : 0;
        enter();
        if (level > 0) {
            take(level);
        }
    }

    /** The calling thread is no server any more, and back at the priority that it had. */
    void end() {
        Inheritance.left(this);
        levels().putBack(thread, linuxThread(), before, kernelBefore);
        leave();
    }

    /** Wakes it, wherever it sleeps. */
    void unpark() {
        MemorySegment word = bell;
        if (word != null) {
            var _ = (int) BELL.getAndAdd(word, 0L, 1);
            var _ = Futex.wake(word, 1, Futex.Scope.PRIVATE);
        }
        LockSupport.unpark(thread);
    }

    /** A word to be waited for beside others; {@link #unpark} changes it and wakes. */
    MemorySegment bell() {
        MemorySegment word = bell;
        if (word == null) {
            word = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
            bell = word;
        }
        return word;
    }

    /** Words that it waits for; for itself only. */
    Futex.WaitList waitList() {
        Futex.WaitList list = waitList;
        if (list == null) {
            list = new Futex.WaitList();
            waitList = list;
        }
        return list;
    }

    /** Its Linux id; 0: the kernel has not been asked. */
    int id() {
        return id;
    }

    /** It is about to sleep as this, or, with null, awake. */
    void sleepsAs(Sleepers.@Nullable Sleeper newSleeper) {
        sleeper = newSleeper;
    }

    /**
     * Wakes it if a sender was to do so that has not come to it yet: that one may be preempted, and less important.
     *
     * @return if it has been raised for that
     */
    boolean ensureWoken(int level) {
        Sleepers.Sleeper now = sleeper;
        return now != null && now.ensureWoken(level);
    }

    /** What it takes over from now on it takes by an atomic operation, before which this is seen; or has begun, or has not. By itself. */
    void hasInHand(boolean now) {
        if (now) {
            hand.setRelease(hand.getPlain() | 1);
        } else {
            hand.set((hand.getPlain() | 1) + 1); // before it looks if it is pushed
            Inheritance.cameThrough(this);
        }
    }

    /** If it is about to take something over, and may have begun none of it. */
    boolean hasInHand() {
        return (hand.getAcquire() & 1) != 0;
    }

    /**
     * Has it go on until it has begun, or put back, what it has in hand now.
     *
     * @return if it had anything
     */
    boolean pushThrough() {
        int now = hand.getAcquire();
        if ((now & 1) == 0) {
            return false;
        }
        Inheritance.pushThrough(this, () -> hand.getAcquire() != now);
        return true;
    }

    /** If there is something to do in the moment before it sleeps: not for one of several. */
    boolean findsSoon(BooleanSupplier found, long deadline) {
        return id != 0 && endpoint.servers().size() == 1 && spin.finds(found, deadline, isRealTime());
    }

    private boolean isRealTime() {
        boolean known = levels().inForce() && priority() > 0; // by this library; else the kernel is asked
        return known ? levels().isRealTime(priority()) : Caller.rank() > 0;
    }

    /** Another thread raises it while it sleeps: for a client in another process one that had to be woken for that. */
    void raiseAsleep(int level) {
        sleepLevel = level;
        assume(level);
    }

    /**
     * About to sleep: it goes by itself to where others had to raise it to, while that is still asked for now and then, since for
     * them that takes longer. It comes down when it takes a lesser request.
     *
     * @return if it has
     */
    boolean rises() {
        int level = sleepLevel;
        if (level <= thread.getPriority()) {
            return false;
        }
        if (inVain == MOST_IN_VAIN) {
            sleepLevel = 0;
            inVain = 0;
            return false;
        }
        inVain++;
        assume(level);
        return true;
    }

    /** Has taken a request, and is about to go down to it: {@link #announceFall}. */
    boolean falls(Request<?, ?> request) {
        return endpoint.protocol() == PriorityProtocol.VPSET && announceFall(request.priority());
    }

    /** Has taken a request. */
    void begin(Request<?, ?> request) {
        if (endpoint.servers().size() > 1) { // who can finish soonest
            markBegun();
        }
        if (request.priority() >= sleepLevel) {
            inVain = 0;
        }
        PriorityProtocol protocol = endpoint.protocol();
        Loan loan = request.replyFuture().loan();
        switch (protocol) {
            case NONE -> {}
            case VPGET -> changeTo(request.level(), request.level(), loan);
            case VPSET -> {
                if (request.isLentByKernel() && levels().isRealTime(request.priority())) {
                    sleepLevel = Math.max(sleepLevel, request.priority());
                    changeToLent(request.priority(), loan);
                } else {
                    changeTo(request.priority(), request.priority(), loan);
                }
            }
            case CEILING -> changeTo(priority(), request.level(), loan);
        }
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public Levels levels() {
        return endpoint.levels();
    }

    @Override
    protected @Nullable Loan unheeded() {
        return endpoint.unheeded();
    }

    @Override
    protected void lent(int before, int now) {
        if (now > before) {
            endpoint.counters().raises.increment();
        }
    }
}
