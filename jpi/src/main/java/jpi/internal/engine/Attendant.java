package jpi.internal.engine;

import ayatori.internal.inheritance.Inheritance;
import jpi.JException;
import jpi.internal.shm.SharedWord;

/**
 * Sees to what goes on between this JVM and others while no rank waits for it: ranks that are virtual threads cannot sleep in the
 * kernel, what has followers may have nobody that waits, a long message may have been sent by a rank that computes, and what is sent to
 * one in {@link Rank.Mode#BUFFERED} mode is not to wait. As long as
 * ranks look at that themselves it keeps off: it would take a CPU from them, and lose it again with what they want in its hands.
 */
final class Attendant {
    private static final long LOOK_NANOS = 1_000_000;

    private final World world;
    private final SharedWord word;
    private final Thread thread;
    private volatile boolean ended;

    // Of its thread.
    private long lookedBefore;
    /** For how long it keeps off; doubles as long as ranks go on to look. */
    private long keepsOff = World.NAP_NANOS;

    Attendant(World world, SharedWord word) {
        this.world = world;
        this.word = word;
        thread = Thread.ofPlatform().name("jpi-attendant").daemon().unstarted(this::attend);
    }

    void start() {
        thread.start();
    }

    /** There is more to do than before. */
    void wake() {
        word.ring();
    }

    /** Returns when it has ended: what it sleeps on may go afterwards. */
    void end() {
        ended = true;
        word.ring();
        Inheritance.joinUninterruptibly(thread);
    }

    private boolean isNeeded() {
        return world.settings().virtual() || world.isUnattended() || world.hasPending() || world.isAsked();
    }

    /** What fails here is of no rank: all learn it. */
    private void attend() {
        try {
            world.guard(() -> {
                while (!ended) {
                    look();
                }
            });
        } catch (RuntimeException | Error e) {
            world.abort(
                    new JException("what came from other JVMs while no rank looked could not be taken in: " + e, e));
        }
    }

    private void look() {
        int ticket = word.enter();
        boolean works = isToWork();
        boolean moves = works && world.poll(Baton.SOMEBODY, null, null);
        if (!ended && !moves && !(works && world.isLeft())) {
            word.sleep(ticket, until(works));
        }
        word.leave();
    }

    /** If something is under way, and no rank has looked at it since this was asked before. Virtual ones do not look all the time. */
    boolean isToWork() {
        if (!isNeeded()) {
            return false;
        }
        if (world.settings().virtual()) {
            return true;
        }
        long looked = world.looked();
        boolean seenTo = looked != lookedBefore;
        lookedBefore = looked;
        keepsOff = seenTo ? Math.min(2 * keepsOff, LOOK_NANOS) : World.NAP_NANOS;
        return !seenTo;
    }

    private long until(boolean works) {
        if (!isNeeded()) {
            return Bell.FOREVER;
        }
        if (!works) {
            return System.nanoTime() + keepsOff;
        }
        if (world.settings().virtual()) {
            return world.napUntil(); // others ring
        }
        return System.nanoTime() + (world.hasPending() || world.isAsked() ? World.NAP_NANOS : LOOK_NANOS);
    }
}
