package jpi.internal.engine;

import org.jspecify.annotations.Nullable;

/** The way to a rank. */
sealed interface Route permits Local, Remote {
    /** See {@link Rank#send}. */
    @Nullable
    Sending send(Rank sender, Envelope envelope, @Nullable Object body, Rank.Mode mode);
}
