package ayatori.server;

import ayatori.sched.LinuxThread;
import ayatori.sched.Waiting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers of a test stop with what they have taken, each request by its number, until they are let on. To be closed before
 * the endpoint is, which waits for them.
 */
final class Gates implements AutoCloseable {
    /** In the order in which they were taken. */
    private final Map<Integer, LinuxThread> takers = new LinkedHashMap<>();

    private final Set<Integer> open = new HashSet<>();
    private boolean allOpen;

    /** For a server that has taken a request. */
    void pass(int number) throws InterruptedException {
        LinuxThread taker = LinuxThread.current();
        synchronized (this) {
            takers.put(number, taker);
            while (!allOpen && !open.contains(number)) {
                wait();
            }
        }
    }

    /** Waits until a request has been taken; by whom. */
    LinuxThread awaitTaken(int number) {
        Waiting.until("request " + number + " taken", () -> taker(number) != null);
        return Objects.requireNonNull(taker(number));
    }

    private synchronized @Nullable LinuxThread taker(int number) {
        return takers.get(number);
    }

    /** Numbers in the order in which they were taken. */
    synchronized List<Integer> taken() {
        return new ArrayList<>(takers.keySet());
    }

    /** Lets whoever has this one on. */
    synchronized void open(int number) {
        open.add(number);
        notifyAll();
    }

    /** Stops nobody any more. */
    synchronized void openAll() {
        allOpen = true;
        notifyAll();
    }

    @Override
    public void close() {
        openAll();
    }
}
