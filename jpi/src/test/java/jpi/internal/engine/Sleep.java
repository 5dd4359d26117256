package jpi.internal.engine;

import org.jspecify.annotations.Nullable;

/** Tells tests when a rank sleeps: one that waits for another JVM does so in the kernel, which its thread's state does not show. */
public final class Sleep {
    private Sleep() {}

    /**
     * If the rank's own thread sleeps until something comes.
     *
     * @param rank null: it has not begun
     */
    public static boolean isOf(@Nullable Rank rank) {
        return rank != null && rank.mailbox().waitsFor() != null;
    }
}
