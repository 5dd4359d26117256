package jpi.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * Messages that nobody has taken yet. The most important one that suits is taken first, of several the one that came first;
 * but one that others have overtaken too often comes before them. For who tends the mailbox.
 */
final class Arrivals {
    /** So many may overtake a message; of so many pieces one is of the message that began first. */
    static final int MOST_OVERTAKING = 100;

    private static final int PRIORITIES = Thread.MAX_PRIORITY + 1;

    /** Of each priority; made when a message has to wait, since most ranks of very many never need them. */
    private @Nullable Message @Nullable [] first;

    private @Nullable Message @Nullable [] last;
    /** A bit for each priority of which there is one. */
    private int present;
    /** Of the last one that came. */
    private long came;

    void add(Message message) {
        message.came = ++came;
        if (first == null || last == null) {
            first = new Message[PRIORITIES];
            last = new Message[PRIORITIES];
        }
        int priority = message.priority;
        Message before = last[priority];
        message.earlier = before;
        if (before == null) {
            first[priority] = message;
            present |= 1 << priority;
        } else {
            before.later = message;
        }
        last[priority] = message;
    }

    boolean isEmpty() {
        return present == 0;
    }

    /** If the oldest of the most important ones suits, and is as important as that. */
    boolean isFirst(Receive receive, int priority) {
        int most = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(present);
        Message message = first == null || most < priority ? null : first[most];
        return message != null && receive.wants(message.context, message.source, message.tag);
    }

    void remove(Message message) {
        if (first == null || last == null) {
            throw new AssertionError("nothing is there");
        }
        Message before = message.earlier;
        Message after = message.later;
        if (before == null) {
            first[message.priority] = after;
        } else {
            before.later = after;
        }
        if (after == null) {
            last[message.priority] = before;
        } else {
            after.earlier = before;
        }
        if (first[message.priority] == null) {
            present &= ~(1 << message.priority);
        }
        message.earlier = null;
        message.later = null;
    }

    /** The one that is to be taken; null if none suits. */
    @Nullable
    Message find(Receive receive) {
        Message chosen = null;
        boolean takes = receive.kind != Receive.Kind.PROBE;
        for (int left = present; left != 0; ) {
            int priority = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(left);
            left &= ~(1 << priority);
            Message message = firstSuiting(receive, priority);
            if (message == null) {
                continue;
            }
            if (chosen == null) {
                chosen = message;
            } else if (message.overtaken >= MOST_OVERTAKING) {
                return message;
            } else if (takes && message.came < chosen.came) {
                message.overtaken++;
            }
        }
        return chosen;
    }

    private @Nullable Message firstSuiting(Receive receive, int priority) {
        if (first == null) {
            return null;
        }
        Message message = first[priority];
        while (message != null && !receive.wants(message.context, message.source, message.tag)) {
            message = message.later;
        }
        return message;
    }
}
