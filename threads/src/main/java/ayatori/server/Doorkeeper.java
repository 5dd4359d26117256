package ayatori.server;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.linux.AddressBudget;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Futex;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.Messages;
import ayatori.internal.shm.ServerPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where other processes reach an endpoint: a thread lets them in, hears of their end, and raises a server when a client asks for
 * that. The requests themselves are collected by the servers.
 */
final class Doorkeeper implements Runnable {
    private static final System.Logger LOG = System.getLogger("ayatori.server");

    /** Each server waits for a word of each of them, and for one of its own. */
    static final int MOST_CLIENTS = Futex.MOST_WORDS - 1;

    private static final long GREETING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Between two looks if all has been answered. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Then it is the next client's turn. */
    private static final int MOST_MESSAGES_AT_ONCE = 16;

    private final Endpoint<Area, Area> endpoint;
    private final Path path;
    private final UnixSocket entrance;
    private final ServerPage page;
    private final PublishedEndpoint.Rules rules;
    private final UserLimits limits = new UserLimits();
    private final PeerLog log = new PeerLog(LOG);
    private final Thread thread;
    /** Of the doorkeeper's thread. */
    private final List<Guest> guests = new ArrayList<>();
    /** The same. */
    private final List<Departed> departed = new ArrayList<>();
    /** Replaced, never changed. */
    private volatile Connection[] connections = {};

    private volatile boolean refusesRequests;
    private volatile boolean closed;
    private final AtomicBoolean fileRemoved = new AtomicBoolean();
    /** Until when nobody is let in, nanoTime: the process has no descriptors left. Of the doorkeeper's thread. */
    private long restsUntil = System.nanoTime();

    /** One who has been welcomed, and has not passed its memory yet. */
    private record Guest(UnixSocket socket, UnixSocket.Peer peer, long deadline, Remains remains) {}

    /** One who has gone, and keeps its place among its user's until nothing is left. */
    private record Departed(int uid, Remains remains) {}

    Doorkeeper(
            Endpoint<Area, Area> endpoint,
            Path path,
            UnixSocket entrance,
            ServerPage page,
            PublishedEndpoint.Rules rules) {
        this.endpoint = endpoint;
        this.path = path;
        this.entrance = entrance;
        this.page = page;
        this.rules = rules;
        thread = Thread.ofPlatform()
                .daemon()
                .name("door of " + endpoint.name())
                .priority(Thread.MAX_PRIORITY)
                .inheritInheritableThreadLocals(false)
                .unstarted(this);
    }

    void start() {
        thread.start();
    }

    /** As long as somebody listens there, nobody else replaces the file: later it may be a successor's. */
    void removeFile() {
        if (!fileRemoved.getAndSet(true)) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "{0} cannot be removed: {1}", path, e);
            }
        }
    }

    Path path() {
        return path;
    }

    @Override
    public String toString() {
        return endpoint + " at " + path + "[" + clients() + " clients" + (closed ? ", closed]" : "]");
    }

    /** What clients do wrong. */
    PeerLog log() {
        return log;
    }

    private boolean polls() {
        return page.has(ServerPage.POLLS);
    }

    int clients() {
        return connections.length;
    }

    // For the endpoint and its servers.

    /** Registers what clients have submitted, for a server that looks for requests now. */
    void collect() {
        for (Connection connection : connections) {
            connection.collect(endpoint, false);
        }
    }

    private boolean hasPending() {
        for (Connection connection : connections) {
            if (connection.hasPending()) {
                return true;
            }
        }
        return false;
    }

    private boolean isBusy() {
        // Asked first: what a server has in hand is in the connection's account before it says that it has none.
        return endpoint.servers().stream().anyMatch(ServerThread::hasInHand)
                || Arrays.stream(connections).anyMatch(connection -> !connection.isGone() && connection.isBusy());
    }

    /** What is collected by who has been told so before comes too late. */
    boolean refusesRequests() {
        return refusesRequests;
    }

    /** This thread is the only one that serves; 0: there is none, or more than one. */
    void serves(int id) {
        page.thread(id);
        page.level(0);
    }

    /** The only thread that serves, which calls this, is about to be at this Java priority. */
    void announce(int priority) {
        if (page.level() != priority) {
            page.level(priority);
        }
    }

    /** It is there now. */
    void arrived(ServerThread server) {
        int priority = server.thread().getPriority();
        if (page.level() != priority) {
            tellRank(priority);
            page.level(priority);
        }
    }

    /** What the kernel has made of the level that the only server is at, which calls this. */
    private void tellRank(int priority) {
        if (page.has(ServerPage.RAISES)) {
            int rank = Math.min(endpoint.levels().rankLentBy(priority), Caller.rank());
            if (page.rank(priority) != rank) {
                page.rank(priority, rank);
            }
        }
    }

    /**
     * Has a server sleep until a client sends something, or until somebody wakes it.
     *
     * @param left nanoseconds; 0 or less: until it is woken
     * @return if there is something else to do: a client has sent something, or no more will
     */
    boolean await(ServerThread server, Sleepers.Sleeper sleeper, long left) {
        Connection[] rung = connections;
        int priority = server.thread().getPriority();
        page.addSleeping(priority, 1);
        try {
            Futex.WaitList words = server.waitList();
            words.clear();
            words.add(server.bell(), Futex.Scope.PRIVATE);
            for (Connection connection : rung) {
                words.add(connection.memory().bell(), Futex.Scope.SHARED);
            }
            if (sleeper.isWoken()) {
                return false;
            }
            if (closed || hasPending()) {
                return true;
            }
            long most = Deadline.LOOK_AROUND_NANOS; // for an interrupt, which wakes nobody here
            int woken = words.await(System.nanoTime() + (left <= 0 || left > most ? most : left));
            return hasPending() || foundByAnother(rung, words, woken);
        } finally {
            page.addSleeping(priority, -1);
            for (Connection connection : rung) {
                connection.lookedAt();
            }
        }
    }

    /** A client has woken it, for a request that another server may have found and not begun yet, and be a less important one. */
    private boolean foundByAnother(Connection[] rung, Futex.WaitList words, int woken) {
        boolean any = false;
        for (int i = 0; i < rung.length; i++) {
            if (woken == 1 + i || words.hasChanged(1 + i)) {
                any = true;
                rung[i].wokeInVain();
            }
        }
        boolean pushed = any && page.has(ServerPage.RAISES) && pushServers();
        return any && (pushed || endpoint.isAnyWaiting());
    }

    /**
     * Has a server that is about to sleep look for requests before.
     *
     * @param other if there is something else to do
     * @return if it is not to sleep
     */
    boolean looks(ServerThread server, BooleanSupplier other, long deadline) throws InterruptedException {
        boolean sole = page.thread() != 0;
        if (sole) {
            tellRank(server.thread().getPriority()); // here, where the client computes meanwhile
        }
        BooleanSupplier found = () -> hasPending() || other.getAsBoolean();
        if (polls()) {
            poll(found, deadline);
            return true;
        }
        if (server.findsSoon(found, deadline)) {
            return true;
        }
        boolean lentToAnyway = sole && page.has(ServerPage.LENDS) && page.has(ServerPage.CAPS);
        if (!lentToAnyway && server.rises() && sole) {
            arrived(server);
        }
        return false;
    }

    private static void poll(BooleanSupplier found, long deadline) throws InterruptedException {
        int turns = 0;
        while (!found.getAsBoolean()) {
            Thread.onSpinWait();
            if ((++turns & 1023) == 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("while " + Thread.currentThread() + " waited for a request");
                }
                if (Deadline.hasCome(deadline)) {
                    return;
                }
            }
        }
    }

    /** Clients send no more from now on; what has come until now will be answered, and what one sends in spite of it refused. */
    void refuseRequests() {
        page.close();
        for (Connection connection : connections) {
            connection.collect(endpoint, true);
        }
        refusesRequests = true;
    }

    /** Ends all connections, after what has come has been answered, if anybody but the calling thread is there to do it. */
    void close() {
        refuseRequests();
        boolean serves = Carrier.current() instanceof ServerThread server
                && endpoint.servers().contains(server);
        while (!serves && !endpoint.servers().isEmpty() && isBusy()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        removeFile();
        closed = true;
        entrance.shutdown();
        if (thread != Thread.currentThread()) {
            Inheritance.joinUninterruptibly(thread);
        }
        endpoint.unpublished();
    }

    // The doorkeeper's own thread.

    @Override
    public void run() {
        try {
            while (!closed) {
                attend();
            }
        } finally {
            guests.forEach(guest -> departs(guest.socket, guest.peer.uid(), guest.remains));
            for (Connection connection : connections) {
                connection.end();
                departs(connection.socket(), connection.uid(), connection.remains());
            }
            connections = new Connection[0];
            new Remains().giveBack(entrance::closeHere); // with those who have not been accepted
            page.closeDescriptor();
        }
    }

    private void attend() {
        Connection[] known = connections;
        List<Guest> waiting = List.copyOf(guests);
        @Nullable UnixSocket[] sockets = new UnixSocket[1 + known.length + waiting.size()];
        boolean rests = restsUntil - System.nanoTime() > 0;
        sockets[0] = rests ? null : entrance;
        for (int i = 0; i < known.length; i++) {
            sockets[1 + i] = known[i].socket();
        }
        for (int i = 0; i < waiting.size(); i++) {
            sockets[1 + known.length + i] = waiting.get(i).socket;
        }
        boolean[] ready = new boolean[sockets.length];
        long most = rests ? REST_NANOS : waiting.isEmpty() ? -1 : GREETING_NANOS;
        var _ = UnixSocket.poll(sockets, ready, most);
        for (int i = 0; i < known.length; i++) {
            if (ready[1 + i]) {
                listen(known[i]);
            }
        }
        for (int i = 0; i < waiting.size(); i++) {
            Guest guest = waiting.get(i);
            if (ready[1 + known.length + i]) {
                seat(guest);
            } else if (guest.deadline - System.nanoTime() < 0) {
                dismiss(guest, "the client has not passed its memory in time");
            }
        }
        if (ready[0] && !closed) {
            welcome();
        }
    }

    private void listen(Connection connection) {
        try {
            if (hears(connection)) {
                return;
            }
        } catch (IOException e) {
            // the same as an end
        } catch (RuntimeException e) {
            connection.drop(e.toString());
        }
        connection.clientGone();
        List<Connection> others = new ArrayList<>(List.of(connections));
        others.remove(connection);
        connections = others.toArray(new Connection[0]);
        departs(connection.socket(), connection.uid(), connection.remains());
    }

    private void departs(UnixSocket socket, int user, Remains remains) {
        departed.removeIf(one -> one.remains.size() == 0);
        socket.shutdown(); // at once, whenever it is closed
        remains.giveBack(socket::closeHere);
        departed.add(new Departed(user, remains));
    }

    /** Does what the client asks for; false: it is over. */
    private boolean hears(Connection connection) throws IOException {
        byte[] buffer = new byte[Messages.LONGEST];
        try {
            for (int i = 0; i < MOST_MESSAGES_AT_ONCE && !connection.isGone(); i++) {
                UnixSocket.Message message = connection.socket().receive(buffer, false);
                if (message.length() == 0) {
                    return false;
                }
                heed(connection, buffer, message);
            }
        } catch (KernelException e) {
            if (e.errno() != Errno.EAGAIN && e.errno() != Errno.EINTR) {
                throw e;
            }
        }
        return !connection.isGone();
    }

    private void heed(Connection connection, byte[] buffer, UnixSocket.Message message) {
        int number = Messages.number(buffer, message.length());
        if (message.descriptors().size() > (buffer[0] == Messages.GUEST ? 1 : 0)) {
            connection.discard(message);
            connection.drop("passes descriptors with message " + buffer[0]);
            return;
        }
        switch (buffer[0]) {
            case Messages.GUEST -> introduce(connection, number, message);
            case Messages.RING -> {
                connection.rang(endpoint);
                var _ = pushServers();
            }
            case Messages.FORGET -> connection.forgets(number);
            default -> connection.drop("message " + buffer[0]);
        }
    }

    /**
     * What was rung for a server may have in hand already, and have lost its CPU before it could begin.
     *
     * @return if one has
     */
    private boolean pushServers() {
        boolean any = false;
        for (ServerThread server : endpoint.servers()) {
            if (server.pushThrough()) {
                any = true;
                endpoint.bringFirst();
            }
        }
        return any;
    }

    /** What is wrong with a client of the client's is no fault of that one's: it is told, and stays. */
    private void introduce(Connection host, int number, UnixSocket.Message message) {
        String flaw = flawOfGuest(host, message);
        if (flaw != null) {
            host.discard(message);
            host.refuses(number, flaw);
            return;
        }
        try {
            host.introduces(number, ConnectionMemory.ofPassed(message.descriptor(), host.budgetForGuests()));
        } catch (IOException e) {
            host.discard(message);
            host.refuses(number, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable String flawOfGuest(Connection host, UnixSocket.Message message) {
        if (message.descriptor() == UnixSocket.NO_DESCRIPTOR) {
            return "its memory has not come along: the server may have no descriptor left";
        }
        if (host.guests() >= MOST_CLIENTS) {
            return "process " + host.pid() + " has introduced " + MOST_CLIENTS + " clients, and can introduce no more";
        }
        if (limits.hold(host.uid()) && guestsOf(host.uid()) >= MOST_CLIENTS) {
            return "user " + host.uid() + " has introduced " + MOST_CLIENTS + " clients, and can introduce no more";
        }
        return null;
    }

    private long guestsOf(int user) {
        return Arrays.stream(connections)
                .filter(connection -> connection.uid() == user)
                .mapToLong(Connection::guests)
                .sum();
    }

    private void welcome() {
        UnixSocket socket;
        try {
            socket = entrance.accept();
        } catch (KernelException e) {
            if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE || e.errno() == Errno.ENOMEM) {
                log.say(System.Logger.Level.WARNING, path + ": nobody can be let in: " + e.getMessage());
                restsUntil = System.nanoTime() + REST_NANOS; // who waits outside goes on to do so
            }
            return; // else shut down, or the client has gone again
        } catch (IOException e) {
            throw new AssertionError("only the kernel refuses", e);
        }
        try {
            UnixSocket.Peer peer = socket.peer();
            Guest guest = new Guest(socket, peer, System.nanoTime() + GREETING_NANOS, new Remains());
            guests.add(guest);
            if (connections.length + guests.size() > MOST_CLIENTS) {
                dismiss(guest, "the server has " + MOST_CLIENTS + " clients, and can have no more");
            } else if (limits.hold(peer.uid()) && clientsOf(peer.uid()) > UserLimits.MOST_CLIENTS) {
                dismiss(
                        guest,
                        "user " + peer.uid() + " has " + UserLimits.MOST_CLIENTS
                                + " clients of the server, and can have no more");
            } else if (socket.send(Messages.of(Messages.WELCOME), page.descriptor()) < 0) {
                dismiss(guest, "");
            }
        } catch (IOException e) {
            new Remains().giveBack(socket::closeHere);
        }
    }

    /** With those who have not been seated yet, and those of whom something is left. */
    private long clientsOf(int user) {
        departed.removeIf(one -> one.remains.size() == 0);
        return Arrays.stream(connections)
                        .filter(connection -> connection.uid() == user)
                        .count()
                + guests.stream().filter(guest -> guest.peer.uid() == user).count()
                + departed.stream().filter(one -> one.uid == user).count();
    }

    private void seat(Guest guest) {
        try {
            ConnectionMemory memory = memoryOf(guest, limits.budgetFor(guest.peer));
            if (memory == null) {
                dismiss(guest, "");
                return;
            }
            Connection connection = new Connection(
                    this,
                    guest.socket,
                    guest.peer,
                    rules.capFor(guest.peer.uid()),
                    page.has(ServerPage.LENDS),
                    memory,
                    limits.budgetForGuests(guest.peer));
            guests.remove(guest);
            Connection[] more = Arrays.copyOf(connections, connections.length + 1);
            more[connections.length] = connection;
            connections = more;
            for (ServerThread server : endpoint.servers()) {
                server.unpark(); // to wait for this one too
            }
            var _ = guest.socket.send(Messages.of(Messages.READY), UnixSocket.NO_DESCRIPTOR);
        } catch (IOException | IllegalArgumentException e) {
            dismiss(guest, String.valueOf(e.getMessage()));
        }
    }

    /** Null: it has gone. */
    private static @Nullable ConnectionMemory memoryOf(Guest guest, AddressBudget budget) throws IOException {
        byte[] buffer = new byte[Messages.LONGEST];
        UnixSocket.Message message = guest.socket.receive(buffer, false);
        boolean passed = message.length() > 0 && buffer[0] == Messages.MEMORY && message.descriptor() >= 0;
        try {
            if (passed) {
                return ConnectionMemory.ofPassed(message.descriptor(), budget);
            }
        } catch (IOException e) {
            guest.remains.giveBack(message::discard);
            throw e;
        }
        guest.remains.giveBack(message::discard);
        if (message.length() == 0) {
            return null;
        }
        throw new IOException("the client speaks another protocol");
    }

    private void dismiss(Guest guest, String reason) {
        guests.remove(guest);
        if (!reason.isEmpty()) {
            log.say(
                    System.Logger.Level.INFO,
                    path + ": process " + guest.peer.pid() + " of user " + guest.peer.uid() + " is not let in: "
                            + reason);
            var _ = guest.socket.send(Messages.refusal(reason), UnixSocket.NO_DESCRIPTOR);
        }
        departs(guest.socket, guest.peer.uid(), guest.remains);
    }
}
