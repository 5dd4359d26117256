package ayatori.cli;

import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A thread as the agent's ledger has it, for tests in other packages.
 *
 * @param kind as {@code ayatori ps} shows it
 * @param dues how many causes it is owed a level by
 * @param errno of the last attempt to set its level
 */
public record LedgerReading(
        int tid, String name, String kind, int javaPriority, SchedulingParameters wanted, int dues, int errno) {
    /** All threads of a JVM that carries the agent. */
    public static List<LedgerReading> of(long pid) {
        try (LedgerPage page = LedgerPage.open(pid).orElseThrow(() -> new AssertionError("no ledger in " + pid))) {
            return page.entries().stream()
                    .map(entry -> new LedgerReading(
                            entry.tid(),
                            entry.name(),
                            entry.kind().label(),
                            entry.javaPriority(),
                            entry.wanted().orElseThrow(),
                            entry.dues(),
                            entry.errno()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
