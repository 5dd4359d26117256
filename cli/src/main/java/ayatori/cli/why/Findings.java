package ayatori.cli.why;

import java.util.Map;
import java.util.Optional;

/**
 * All that was found out about a thread.
 *
 * @param source where names and priorities come from
 * @param jvm counted by the JVM meanwhile; empty if it does not answer
 * @param dumps how many thread dumps were taken
 * @param states what they said of the thread, and how often
 */
record Findings(
        WatchedThread thread,
        String source,
        Watch watch,
        Optional<JvmCounters> jvm,
        int dumps,
        Map<String, Integer> states) {

    /**
     * What the kernel said.
     *
     * @param nanos how long the thread was watched
     * @param ended whether it ended meanwhile
     * @param shares of that time
     * @param counted by the kernel meanwhile; empty if the thread has ended
     * @param trace empty if there was none
     * @param refusal why there was none
     */
    record Watch(
            long nanos,
            boolean ended,
            Shares shares,
            Optional<Look> counted,
            Optional<Trace> trace,
            Optional<TraceRefusal> refusal) {}

    /**
     * The trace itself.
     *
     * @param switches of all threads of the host
     * @param lost events that had no room
     * @param unread lines that could not be read
     */
    record Trace(long switches, long lost, long unread) {}
}
