package jpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import jpi.internal.engine.Rank;
import jpi.internal.shm.WindowLayout;
import jpi.internal.shm.WindowMemory;
import jpi.internal.shm.WindowMemory.Place;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of a communicator come to a window: the first learns how large each one's part is to be, makes the memory, and says where
 * it is; all map it; then the first lets go of what it was found by. What goes wrong anywhere goes wrong on all ranks.
 */
final class WindowFounding {
    /** Numbers that say where it is. */
    private static final int PLAN = 3;

    private final Exchange exchange;
    private final Rank rank;
    private final String name;

    private WindowFounding(Exchange exchange) {
        this.exchange = exchange;
        rank = exchange.members().rank();
        name = "window of " + exchange.members().name();
    }

    /** A window, with a communicator of its own. */
    static JWindow found(Exchange exchange, JType type, long count) {
        return new WindowFounding(exchange).found(type, count);
    }

    private JWindow found(JType type, long count) {
        List<@Nullable Object> wishes = Gathering.objects(exchange, new Object[] {type.toString(), count}, 0);
        try (Arena found = Arena.ofConfined()) {
            Object told = Broadcast.object(exchange, wishes == null ? null : make(wishes, type, found), 0);
            if (told instanceof String trouble) {
                throw new JException(trouble);
            }
            if (!(told instanceof long[] plan) || plan.length != PLAN) {
                throw Gathering.mismatch();
            }
            int id = (int) plan[0];
            WindowMemory memory = null;
            String trouble = null;
            try {
                memory = rank.openWindow(id, new Place(plan[1], (int) plan[2], exchange.size()));
            } catch (IOException e) {
                trouble = "rank " + exchange.me() + " cannot map the memory of the " + name + " (" + e
                        + "): all ranks must run as the same user, with address space to spare";
            }
            trouble = agree(trouble);
            if (trouble == null) {
                Members own = exchange.members().first(exchange.size(), name, id);
                return new JWindow(Objects.requireNonNull(own), Objects.requireNonNull(memory), type);
            }
            if (memory != null) {
                rank.closeWindow(id);
            }
            throw new JException(trouble);
        }
    }

    /** The number of the window's communicator and where the memory is; or a sentence that says why there is none. */
    private Object make(List<@Nullable Object> wishes, JType type, Arena arena) {
        if (wishes.size() > WindowLayout.MOST_RANKS) {
            return "a " + name + " would have " + wishes.size() + " ranks: must be at most " + WindowLayout.MOST_RANKS;
        }
        long[] counts = new long[wishes.size()];
        for (int i = 0; i < counts.length; i++) {
            if (!(wishes.get(i) instanceof Object[] wish) || wish.length != 2 || !(wish[1] instanceof Long count)) {
                return String.valueOf(Gathering.mismatch().getMessage());
            }
            counts[i] = count;
            if (!type.toString().equals(wish[0])) {
                return "rank 0 wants a " + name + " of " + type + "s, rank " + i + " of " + wish[0]
                        + "s: all must name the same type";
            }
            if (counts[i] < 0) {
                return "rank " + i + " wants " + counts[i] + " " + type + "s in a " + name + ": must be 0 or more";
            }
        }
        try {
            Place place = WindowMemory.make(counts, type.size(), arena);
            return new long[] {rank.newCommunicator(), place.process(), place.descriptor()};
        } catch (ArithmeticException e) {
            return "a " + name + " would have more bytes than can be counted: make it smaller";
        } catch (IOException e) {
            return "no memory can be had for a " + name + " (" + e.getMessage() + "): make it smaller";
        }
    }

    /** What has gone wrong, the same on all ranks; null: nothing. Ends when all have mapped the memory. */
    private @Nullable String agree(@Nullable String mine) {
        List<@Nullable Object> troubles = Gathering.objects(exchange, mine, 0);
        Object first = troubles == null
                ? null
                : troubles.stream().filter(Objects::nonNull).findFirst().orElse(null);
        Object told = Broadcast.object(exchange, first, 0);
        return told == null ? null : String.valueOf(told);
    }
}
