package jpi.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * A collective operation, for whoever tells of it.
 *
 * @param communicator its name
 * @param ranks of the communicator
 * @param root negative: none
 * @param number of the operations of the communicator, the same on all its ranks
 * @param priority of its messages
 * @param sample a buffer or an array with what this rank gives or gets; anything else: the size is not known
 */
public record Operation(
        String name,
        String communicator,
        int ranks,
        int root,
        int number,
        int priority,
        @Nullable Object sample) {
    long bytes() {
        return sample == null ? Message.BY_REFERENCE : Message.bytes(sample);
    }
}
