package jpi;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;
import jpi.internal.engine.Sending;
import jpi.internal.shm.SharedLocks;
import org.jspecify.annotations.Nullable;

/**
 * When one rank may access which parts of a window, and who tells whom. Whatever it waits for is a message, so that it waits like a
 * receive; the memory itself needs none.
 *
 * <p>Several threads of the rank may begin epochs at once. What goes on is compared and noted in one step, under the monitor; then they wait.
 */
final class Epochs {
    /** That a part may be accessed. */
    private static final int POST = 0;
    /** That it is accessed no more. */
    private static final int COMPLETE = 1;
    /** That the lock of a part has been given to the receiver; the part's rank is added. */
    private static final int GRANT = 2;

    /** Access is about to be started. */
    private static final BitSet STARTING = new BitSet();
    /** A part is about to be posted. */
    private static final List<Receive> POSTING = new ArrayList<>();

    private final Members members;
    private final Rank rank;
    private final SharedLocks locks;

    /** By target, what this rank has locked, or waits for. */
    private final Map<Integer, Hold> held = new ConcurrentHashMap<>();

    private final AtomicReference<Hold> all = new AtomicReference<>(Hold.NONE);
    /** Targets of the access that has been started, or {@link #STARTING}; null: none has. */
    private final AtomicReference<@Nullable BitSet> started = new AtomicReference<>();
    /** Origins that have not completed their access, or {@link #POSTING}; null: nothing is posted. */
    private final AtomicReference<@Nullable List<Receive>> posted = new AtomicReference<>();
    /** Since the last fence no other epoch has begun. */
    private volatile boolean fenced;
    /** Something has been accessed since then. */
    private boolean usedSinceFence;

    private enum Hold {
        NONE,
        AWAITED,
        SHARED,
        EXCLUSIVE;

        boolean isHeld() {
            return compareTo(SHARED) >= 0;
        }
    }

    Epochs(Members members, SharedLocks locks) {
        this.members = members;
        this.locks = locks;
        rank = members.rank();
    }

    // What may be done.

    /** Refuses an access to a part that may not be accessed now. */
    void requireAccess(int target) {
        if (fenced) {
            usedSinceFence = true;
            return;
        }
        BitSet targets = started.get();
        if (!isLocked(target) && (targets == null || !targets.get(target))) {
            throw refusal(
                    "accesses the part of rank " + target + " in the " + members.name() + " outside of any epoch",
                    "call fence, lock(" + target + "), lockAll or start(" + target + ") first");
        }
    }

    private boolean isLocked(int target) {
        return all.get().isHeld() || held.getOrDefault(target, Hold.NONE).isHeld();
    }

    private JException refusal(String what, String remedy) {
        return new JException("rank " + members.me() + " " + what + ": " + remedy);
    }

    /** Refuses a flush of what is not locked. */
    void requireLocked(int target) {
        if (!isLocked(target)) {
            throw refusal(
                    "flushes its access to rank " + target + " in the " + members.name() + ", which it has not locked",
                    "call lock(" + target + ") or lockAll first; the end of another epoch flushes of itself");
        }
    }

    /** Refuses what may not happen while an epoch goes on. */
    void requireNone(String what) {
        Integer locked = held.keySet().stream().findFirst().orElse(null);
        if (locked != null) {
            throw refusal(
                    what + " the " + members.name() + " while it has locked the part of rank " + locked,
                    "call unlock(" + locked + ") first");
        }
        if (all.get() != Hold.NONE) {
            throw refusal(what + " the " + members.name() + " while it has locked all of it", "call unlockAll first");
        }
        if (started.get() != null) {
            throw refusal(
                    what + " the " + members.name() + " while it has started access to it", "call complete first");
        }
    }

    /** Refuses what may not happen while others may access this rank's part. */
    void requireNotPosted(String what) {
        if (posted.get() != null) {
            throw refusal(what + " the " + members.name() + " while it has posted its part", "call await first");
        }
    }

    /** After what was done since the fence another one is to come. */
    private void leaveFence(String what) {
        if (fenced && usedSinceFence) {
            throw refusal(
                    what + " the " + members.name() + " after it has accessed it since its last fence",
                    "call fence before");
        }
        fenced = false;
    }

    // Messages.

    private void tell(int member, int tag) {
        Sending sending = rank.send(
                members.number(member),
                members.context(),
                members.me(),
                tag,
                Thread.NORM_PRIORITY,
                null,
                Rank.Mode.STANDARD);
        if (sending != null) {
            throw new AssertionError("a message of nothing is gone at once");
        }
    }

    private Receive expect(int member, int tag, Object purpose) {
        Receive receive = rank.receive(Receive.Kind.TAKE, members.context(), member, tag, members.sender(member), null);
        receive.partOf(purpose);
        return receive;
    }

    private void await(Receive message) {
        rank.await(message);
        message.check();
    }

    // Fence.

    void fence() {
        requireNone("fences");
        requireNotPosted("fences");
        VarHandle.fullFence();
        var _ = JCollectives.barrierOf("fence").run(new Exchange(members, Rank.Mode.STANDARD, Thread.NORM_PRIORITY));
        usedSinceFence = false;
        fenced = true;
    }

    // Locks.

    /** What it means to wait for a lock. */
    private record Turn(int part, int holder, String window) {
        @Override
        public String toString() {
            return "to lock the part of rank " + part + " in the " + window
                    + (holder < 0 ? ", which others have locked" : ", which rank " + holder + " has locked");
        }
    }

    void lock(int target, boolean exclusive) {
        beginLock(target);
        acquire(target, exclusive);
        held.put(target, exclusive ? Hold.EXCLUSIVE : Hold.SHARED);
    }

    private synchronized void beginLock(int target) {
        if (all.get() != Hold.NONE || started.get() != null) {
            requireNone("locks a part of");
        }
        if (held.containsKey(target)) {
            throw refusal(
                    "locks the part of rank " + target + " in the " + members.name() + " a second time",
                    "call unlock(" + target + ") before");
        }
        leaveFence("locks a part of");
        held.put(target, Hold.AWAITED);
    }

    private void acquire(int target, boolean exclusive) {
        if (!locks.acquire(target, members.me(), exclusive, granting(target))) {
            await(expect(Receive.ANY, GRANT + target, new Turn(target, locks.holder(target), members.name())));
        }
        if (exclusive) {
            locks.noteHolder(target, members.me());
        }
    }

    private IntConsumer granting(int target) {
        return next -> tell(next, GRANT + target);
    }

    void unlock(int target) {
        Hold hold = held.getOrDefault(target, Hold.NONE);
        if (!hold.isHeld() || !held.remove(target, hold)) {
            throw refusal(
                    "unlocks the part of rank " + target + " in the " + members.name() + ", which it has not locked",
                    "call lock(" + target + ") first");
        }
        locks.release(target, hold == Hold.EXCLUSIVE, granting(target));
    }

    private synchronized void beginLockAll() {
        requireNone("locks all of");
        leaveFence("locks all of");
        all.set(Hold.AWAITED);
    }

    void lockAll() {
        beginLockAll();
        for (int target = 0; target < members.size(); target++) {
            acquire(target, false);
        }
        all.set(Hold.SHARED);
    }

    void unlockAll() {
        if (!all.compareAndSet(Hold.SHARED, Hold.NONE)) {
            throw refusal("unlocks all of the " + members.name() + ", which it has not locked", "call lockAll first");
        }
        for (int target = 0; target < members.size(); target++) {
            locks.release(target, false, granting(target));
        }
    }

    // Post, start, complete, await.

    private synchronized void beginPost() {
        requireNotPosted("posts its part of");
        leaveFence("posts its part of");
        posted.set(POSTING);
    }

    void post(int[] origins) {
        beginPost();
        List<Receive> ends = new ArrayList<>();
        String purpose = "until access to its part in the " + members.name() + " is complete";
        for (int origin : origins) {
            ends.add(expect(origin, COMPLETE, purpose));
        }
        posted.set(ends);
        VarHandle.fullFence();
        for (int origin : origins) {
            tell(origin, POST);
        }
    }

    void awaitComplete() {
        List<Receive> ends = requirePosted();
        for (Receive end : ends) {
            await(end);
        }
        endPost(ends);
    }

    /** Once, whoever has waited for it: the part may have been posted again since. */
    private void endPost(List<Receive> ends) {
        var _ = posted.compareAndSet(ends, null);
    }

    boolean testComplete() {
        List<Receive> ends = requirePosted();
        if (!ends.stream().allMatch(Receive::isDone)) {
            rank.progress();
            rank.check();
            if (!ends.stream().allMatch(Receive::isDone)) {
                return false;
            }
        }
        endPost(ends);
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // those are empty
    private List<Receive> requirePosted() {
        List<Receive> ends = posted.get();
        if (ends == null || ends == POSTING) {
            throw refusal(
                    "awaits the end of access to its part in the " + members.name() + ", which it has not posted",
                    "call post first");
        }
        return ends;
    }

    private synchronized void beginStart() {
        requireNone("starts access to");
        leaveFence("starts access to");
        started.set(STARTING);
    }

    void start(int[] targets) {
        beginStart();
        BitSet some = new BitSet();
        for (int target : targets) {
            await(expect(target, POST, "to start access to the " + members.name()));
            some.set(target);
        }
        started.set(some);
    }

    @SuppressWarnings("ReferenceEquality") // those are empty
    void complete() {
        BitSet targets = started.get();
        if (targets == null || targets == STARTING || !started.compareAndSet(targets, null)) {
            throw refusal(
                    "completes access to the " + members.name() + ", which it has not started", "call start first");
        }
        VarHandle.fullFence();
        targets.stream().forEach(target -> tell(target, COMPLETE));
    }
}
