package jpi.internal.engine;

import jpi.internal.shm.SharedWord;

/**
 * For threads that other JVMs wake too. A virtual thread, which must not sleep in the kernel, is woken by those of this JVM only: what
 * comes from another one is seen by a thread of the rank that waits too, or by the {@link Attendant}.
 */
final class SharedBell extends Bell {
    private final SharedWord word;
    private final ParkBell virtual = new ParkBell();

    SharedBell(SharedWord word) {
        this.word = word;
    }

    @Override
    void ring() {
        word.ring();
        virtual.ring();
    }

    @Override
    boolean hasSleepers() {
        return word.hasSleepers() || virtual.hasSleepers();
    }

    @Override
    int enter() {
        return Thread.currentThread().isVirtual() ? virtual.enter() : word.enter();
    }

    @Override
    void sleep(int ticket, long deadline) {
        if (Thread.currentThread().isVirtual()) {
            virtual.sleep(ticket, deadline);
        } else {
            word.sleep(ticket, deadline);
        }
    }

    @Override
    void leave() {
        if (Thread.currentThread().isVirtual()) {
            virtual.leave();
        } else {
            word.leave();
        }
    }

    @Override
    boolean hearsOthers() {
        return !Thread.currentThread().isVirtual();
    }
}
