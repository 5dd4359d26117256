package jpi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses null where something is needed, at the call, rather than where somebody else would stumble over it. */
final class Given {
    private Given() {}

    /**
     * What is given to a call.
     *
     * @param call that needs it
     * @param what it needs
     * @param remedy what to do
     */
    static <T> T required(@Nullable T thing, String call, String what, String remedy) {
        if (thing == null) {
            throw new JException(call + " needs " + what + ", and is given null: " + remedy);
        }
        return thing;
    }

    /** A buffer. */
    static JBuffer buffer(@Nullable JBuffer buffer, String call) {
        return required(buffer, call, "a buffer", "make one by JBuffer.of; a message that is null is (Object) null");
    }

    /** Both buffers of a call. */
    static void buffers(@Nullable JBuffer one, @Nullable JBuffer other, String call) {
        var _ = buffer(one, call);
        var _ = buffer(other, call);
    }

    /** Both buffers of a reduction, and what it does. */
    static void reduction(
            @Nullable JBuffer send, @Nullable JBuffer receive, @Nullable JOperation<?> operation, String call) {
        buffers(send, receive, call);
        var _ = operation(operation, call);
    }

    /** Counts of blocks. */
    static int[] counts(int @Nullable [] counts, String call) {
        return required(counts, call, "counts", "give one for each rank");
    }

    /** Messages, of which any may be null. */
    static <T> List<? extends T> messages(@Nullable List<? extends T> messages, String call) {
        return required(messages, call, "a list", "give one with an element for each that gets one");
    }

    /** A group. */
    static JGroup group(@Nullable JGroup group, String call) {
        return required(group, call, "a group", "take one by group(); one of no ranks is group().incl()");
    }

    /** What a reduction does. */
    static <T> JOperation<T> operation(@Nullable JOperation<T> operation, String call) {
        return required(operation, call, "an operation", "name one, JOperation.SUM for instance, or make one");
    }
}
