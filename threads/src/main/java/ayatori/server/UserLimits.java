package ayatori.server;

import ayatori.internal.linux.AddressBudget;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What one user may have of a server, so that none but root and that of this process can keep all others out. Thread-safe. */
final class UserLimits {
    /** Of an endpoint. */
    static final int MOST_CLIENTS = 32;

    /** Address space: as many of the largest memories as it may have clients. */
    private static final long MOST_BYTES = (MOST_CLIENTS + 1) * ConnectionMemory.MOST_AREAS;

    /**
     * Of a client, for those that it introduces, and of all such clients of a user: half of what there is for all, and twice what
     * one user can have the client introduce, if the client lets no more in than is let in here.
     */
    private static final long MOST_BYTES_OF_GUESTS = 2 * MOST_CLIENTS * ConnectionMemory.MOST_AREAS;

    /** Of users in all endpoints of this process. */
    private static final Map<Integer, AddressBudget> USERS = new ConcurrentHashMap<>();
    /** The same, of what their clients introduce. */
    private static final Map<Integer, AddressBudget> HOSTS = new ConcurrentHashMap<>();

    private final int uid = Sched.geteuid();

    /** If they hold for a user. */
    boolean hold(int user) {
        return user != 0 && user != uid;
    }

    /** From which a client's memory is taken. */
    AddressBudget budgetFor(UnixSocket.Peer peer) {
        return hold(peer.uid())
                ? USERS.computeIfAbsent(peer.uid(), user -> AddressBudget.PROCESS.part("user " + user, MOST_BYTES))
                : AddressBudget.PROCESS;
    }

    /** From which the memory of those is taken that a client introduces. */
    AddressBudget budgetForGuests(UnixSocket.Peer peer) {
        AddressBudget within = hold(peer.uid())
                ? HOSTS.computeIfAbsent(
                        peer.uid(), user -> AddressBudget.PROCESS.part("clients of user " + user, MOST_BYTES_OF_GUESTS))
                : AddressBudget.PROCESS;
        return within.part("clients of process " + peer.pid(), MOST_BYTES_OF_GUESTS);
    }
}
