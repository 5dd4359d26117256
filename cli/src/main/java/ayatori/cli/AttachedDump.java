package ayatori.cli;

import java.io.IOException;
import java.util.List;

/**
 * The thread dump of a JVM without the agent, as {@code jcmd PID Thread.print}. It stops the JVM's Java threads for an
 * instant (a safepoint), so it is never used where there is a ledger.
 */
final class AttachedDump {
    private AttachedDump() {}

    /**
     * Asks for the dump.
     *
     * @throws IOException if the JVM does not answer
     */
    static List<ThreadDump.Entry> of(int pid) throws IOException {
        return ThreadDump.parse(DiagnosticCommand.ask(pid, "Thread.print"));
    }
}
