package jpi.internal.engine;

import ayatori.internal.inheritance.Inheritance;
import jpi.internal.shm.SharedWord;

/**
 * Sees to what goes on between this JVM and others while no rank waits for it: ranks that are virtual threads cannot sleep in the
 * kernel, what has followers may have nobody that waits, and a long message may have been sent by a rank that computes.
 */
final class Attendant {
    private static final long LOOK_NANOS = 1_000_000;

    private final World world;
    private final SharedWord word;
    private final Thread thread;
    private volatile boolean ended;

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
        return world.settings().virtual() || world.isUnattended() || world.hasPending();
    }

    private void attend() {
        while (!ended) {
            int ticket = word.enter();
            boolean needed = isNeeded();
            boolean moves = needed && world.poll(Baton.SOMEBODY, null, null);
            if (!ended && !moves && !(needed && world.isLeft())) {
                word.sleep(ticket, until(needed));
            }
            word.leave();
        }
    }

    private long until(boolean needed) {
        if (world.settings().virtual() || world.hasPending()) {
            return world.napUntil(); // others ring
        }
        return needed ? System.nanoTime() + LOOK_NANOS : Bell.FOREVER;
    }
}
