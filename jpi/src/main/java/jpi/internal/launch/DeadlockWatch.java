package jpi.internal.launch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import jpi.internal.launch.ControlMessage.Standing;
import jpi.internal.launch.ControlMessage.Wait;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that the ranks wait for each other for good: nobody runs, and that was so, with the same counts of messages, when they
 * were asked before. One question is not enough, since workers answer one after the other. A message that was sent and not taken
 * may be under way, or one that nobody receives; which of both, time tells.
 */
final class DeadlockWatch {
    /** So many rounds alike show it, if all messages have been taken. */
    static final int SURE = 2;
    /** If not. */
    static final int PATIENT = 10;

    private @Nullable Counts before;
    private int alike;

    private record Counts(long sent, long taken, int blocked) {}

    /**
     * Looks at one round of answers.
     *
     * @param round of all workers, in order
     * @return who waits for what, if they do so for good
     */
    Optional<String> look(Collection<Standing> round) {
        int running = 0;
        int blocked = 0;
        long sent = 0;
        long taken = 0;
        List<Wait> waits = new ArrayList<>();
        for (Standing standing : round) {
            running += standing.running();
            blocked += standing.blocked();
            sent += standing.sent();
            taken += standing.taken();
            waits.addAll(standing.first());
        }
        if (running > 0 || blocked == 0) {
            before = null;
            return Optional.empty();
        }
        Counts now = new Counts(sent, taken, blocked);
        alike = now.equals(before) ? alike + 1 : 1;
        before = now;
        return alike >= (sent == taken ? SURE : PATIENT)
                ? Optional.of(explanation(blocked, waits, sent - taken))
                : Optional.empty();
    }

    private static String explanation(int blocked, List<Wait> waits, long left) {
        StringBuilder text = new StringBuilder("deadlock: every rank that has not ended waits");
        if (left > 0) {
            text.append(", and nobody receives ").append(left).append(left == 1 ? " message" : " messages");
        }
        waits.stream()
                .limit(Standing.LISTED)
                .forEach(wait -> text.append("\n  rank ")
                        .append(wait.rank())
                        .append(" waits ")
                        .append(wait.what()));
        int more = blocked - Math.min(waits.size(), Standing.LISTED);
        if (more > 0) {
            text.append("\n  and ").append(more).append(" more");
        }
        return text.toString();
    }
}
