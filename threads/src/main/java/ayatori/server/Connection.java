package ayatori.server;

import ayatori.internal.linux.AddressBudget;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.internal.shm.Messages;
import ayatori.internal.shm.WakeConditions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A client of a published endpoint, from the server's side. What the client writes is not trusted. */
final class Connection implements Area.Home {
    /** Of clients that are not let in, as many as might be. */
    private static final int MOST_REMAINS = Doorkeeper.MOST_CLIENTS;

    private static final String INTRODUCES = "introduces clients";

    private final Doorkeeper doorkeeper;
    private final UnixSocket socket;
    /** For what the client has to hear. */
    private final Messenger messenger;

    private final UnixSocket.Peer peer;
    private final int priorityCap;
    private final boolean lentTo;
    private final ConnectionMemory memory;
    /** From which the memory of those is taken that the client introduces. */
    private final AddressBudget budgetForGuests;
    /** Requests that have not been answered. */
    private final AtomicReferenceArray<@Nullable RemoteRequest> live =
            new AtomicReferenceArray<>(ConnectionMemory.SLOTS);

    /** Requests that are another process's to answer. */
    private final AtomicReferenceArray<@Nullable Delegation> delegations =
            new AtomicReferenceArray<>(ConnectionMemory.SLOTS);
    /** Clients of the client, requests of which it delegates, by their numbers. */
    private final Map<Integer, Connection> guests = new ConcurrentHashMap<>();
    /** Who has introduced this one; null: nobody, it has come itself. */
    private final @Nullable Connection host;
    /** Servers to which this one's requests are delegated. */
    private final Set<Introductions> introducedTo = ConcurrentHashMap.newKeySet();
    /** As a guest. */
    private final int number;

    private final Patience patience = new Patience();
    /** Of the connection, with all guests. */
    private final Remains remains;
    /** It is over. */
    private volatile boolean gone;
    /** For a flaw, of which several threads may find some at once: the first is told. */
    private final AtomicBoolean dropped = new AtomicBoolean();
    /** The client has ended it, or has ended. */
    private volatile boolean clientGone;

    /** What becomes of requests that are collected. */
    private enum Fate {
        QUEUED,
        /** And servers are told. */
        TOLD,
        REFUSED
    }

    /**
     * A request that another process is to answer.
     *
     * @param state of the slot, as submitted there
     */
    record Delegation(ClientConnection to, int state, int flags) {}

    /**
     * What became of an answer.
     *
     * @param wanted false: the client has given up
     * @param rung if the client's thread that hears of answers has been woken for it
     * @param waiter if who waits for the slot is still to be woken
     */
    record Given(boolean wanted, boolean rung, boolean waiter) {}

    /** A guest. */
    private Connection(Connection host, int number, ConnectionMemory memory) {
        this.doorkeeper = host.doorkeeper;
        this.socket = host.socket;
        this.messenger = host.messenger;
        this.peer = host.peer;
        this.priorityCap = host.priorityCap;
        this.lentTo = host.lentTo;
        this.memory = memory;
        this.budgetForGuests = host.budgetForGuests;
        this.remains = host.remains;
        this.host = host;
        this.number = number;
    }

    /**
     * A connection.
     *
     * @param priorityCap Java priority above which no request of the client counts
     * @param lentTo if the client may lend its priority through the kernel
     * @param budgetForGuests from which the memory of those is taken that it introduces
     */
    Connection(
            Doorkeeper doorkeeper,
            UnixSocket socket,
            UnixSocket.Peer peer,
            int priorityCap,
            boolean lentTo,
            ConnectionMemory memory,
            AddressBudget budgetForGuests) {
        this.doorkeeper = doorkeeper;
        this.socket = socket;
        this.messenger = new Messenger(socket, () -> drop("does not read what it is sent"));
        this.peer = peer;
        this.priorityCap = priorityCap;
        this.lentTo = lentTo;
        this.memory = memory;
        this.budgetForGuests = budgetForGuests;
        this.remains = new Remains();
        this.host = null;
        this.number = 0;
    }

    ConnectionMemory memory() {
        return memory;
    }

    UnixSocket socket() {
        return socket;
    }

    /** The client's user. */
    int uid() {
        return peer.uid();
    }

    int pid() {
        return peer.pid();
    }

    AddressBudget budgetForGuests() {
        return budgetForGuests;
    }

    /** How many clients of its own it has introduced. */
    int guests() {
        return guests.size();
    }

    Remains remains() {
        return remains;
    }

    /** A message has brought descriptors that are not kept. */
    void discard(UnixSocket.Message message) {
        if (message.descriptors().isEmpty()) {
            return;
        }
        remains.giveBack(message::discard);
        if (remains.size() > MOST_REMAINS) {
            drop("passes descriptors more quickly than they can be closed");
        }
    }

    boolean isLentTo() {
        return lentTo;
    }

    boolean isGone() {
        return gone;
    }

    /** If the client has submitted something. */
    boolean hasPending() {
        if (gone) {
            return false;
        }
        boolean found = memory.pending() != 0;
        lookedAt();
        return found && !gone;
    }

    /** Its memory has been, perhaps after it was given back: a look brings a page of it here again. */
    void lookedAt() {
        if (gone) {
            discardIfIdle();
        }
    }

    @Override
    public MemorySegment area(long offset, long size, Arena arena) {
        return memory.area(offset, size, arena);
    }

    /** It belongs to the client, and goes back with the answer. */
    @Override
    public void release(Area area) {}

    /**
     * Registers what the client has submitted since the last time.
     *
     * @param notify if servers are to be told of it
     */
    void collect(Endpoint<Area, Area> endpoint, boolean notify) {
        if (gone) {
            return;
        }
        // Decided first: what came before the door refused any is answered.
        Fate fate = doorkeeper.refusesRequests() ? Fate.REFUSED : notify ? Fate.TOLD : Fate.QUEUED;
        long submitted = memory.collect();
        while (submitted != 0) {
            int slot = first(submitted, endpoint.protocol().orders());
            submitted &= ~(1L << slot);
            register(endpoint, slot, fate);
        }
        lookedAt();
    }

    /**
     * Of some slots that with the first request: the most important one, since a server that looks for work meanwhile is not to take
     * a lesser one; of equal ones that which was sent first. A slot's number says nothing: the lowest free one is used.
     */
    private int first(long slots, boolean byPriority) {
        int first = Long.numberOfTrailingZeros(slots);
        if ((slots & (slots - 1)) == 0) {
            return first;
        }
        int highest = Integer.MIN_VALUE;
        long earliest = 0;
        for (long left = slots; left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            int priority = byPriority ? memory.descriptor(slot).priority() : 0;
            long number = memory.number(slot);
            if (priority > highest || (priority == highest && number < earliest)) {
                highest = priority;
                earliest = number;
                first = slot;
            }
        }
        return first;
    }

    private void register(Endpoint<Area, Area> endpoint, int slot, Fate fate) {
        Descriptor descriptor = memory.descriptor(slot);
        if ((descriptor.flags() & ConnectionMemory.DELEGATED) != 0) {
            registerDelegated(endpoint, slot, descriptor, fate);
        } else {
            register(endpoint, slot, descriptor, fate);
        }
    }

    private void register(Endpoint<Area, Area> endpoint, int slot, Descriptor descriptor, Fate fate) {
        delegations.set(slot, null);
        int state = memory.state(slot);
        String flaw = flaw(ConnectionMemory.phase(state), descriptor);
        if (flaw != null) {
            drop("slot " + slot + ": " + flaw);
            return;
        }
        RemoteRequest remote = new RemoteRequest(
                this, slot, ConnectionMemory.withPhase(state, ConnectionMemory.SUBMITTED), descriptor);
        boolean refused = fate == Fate.REFUSED; // and never live: else there might always be one that is
        if (refused ? live.get(slot) != null : !live.compareAndSet(slot, null, remote)) {
            drop("slot " + slot + " is submitted twice");
            return;
        }
        if (refused) {
            var _ = remote.fail(new RejectedExecutionException(doorkeeper.path() + " takes no more requests"));
            return;
        }
        patience.paid();
        int priority = Math.min(descriptor.priority(), priorityCap);
        Request<Area, Area> request = new Request<>(endpoint, remote.area(), new Reply<>(priority), priority, remote);
        remote.of(request);
        try {
            if (fate == Fate.TOLD) {
                endpoint.accept(request);
            } else {
                var _ = endpoint.register(request);
            }
        } catch (RejectedExecutionException | IllegalArgumentException e) {
            var _ = request.fail(e);
        }
        if (gone) { // and may have been missed
            remote.clientGone();
        }
    }

    private void registerDelegated(Endpoint<Area, Area> endpoint, int slot, Descriptor descriptor, Fate fate) {
        Connection guest = guests.get((int) descriptor.offset());
        long guestsSlot = descriptor.size();
        var _ = memory.answer(slot, new Answer(ConnectionMemory.RESULT, 0, ""));
        if (guestsSlot < 0 || guestsSlot >= ConnectionMemory.SLOTS) {
            drop("slot " + slot + ": slot " + guestsSlot + " of a guest");
        } else if (!isPriority(descriptor.priority())) {
            drop("slot " + slot + ": Java priority " + descriptor.priority() + " for a guest");
        } else if (guest == null || guest.gone) { // or about to be forgotten
            inVain("delegates");
        } else {
            patience.paid();
            // What the guest itself says counts no more: the host may have capped it, or raised it since.
            Descriptor asked = guest.memory.descriptor((int) guestsSlot).atPriority(descriptor.priority());
            guest.register(endpoint, (int) guestsSlot, asked, fate);
        }
    }

    /** If a server has requests of the client's to answer, or will have. */
    boolean isBusy() {
        for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
            RemoteRequest remote = live.get(slot);
            if (remote != null && remote.isServed()) {
                return true;
            }
        }
        return guests.values().stream().anyMatch(Connection::isBusy);
    }

    /** If the client has ended, or the connection has; servers that it has been introduced to have been told, or are being told. */
    boolean isClientGone() {
        return clientGone;
    }

    /** Its memory is about to be passed on to a server. */
    void introducedTo(Introductions server) {
        introducedTo.add(server);
    }

    /** Passes the client's memory on. */
    synchronized int passMemory(UnixSocket to, byte[] message) {
        return gone ? -Errno.ESRCH : to.send(message, memory.descriptor());
    }

    /** The client introduces one of its own. */
    void introduces(int guest, ConnectionMemory guestsMemory) {
        Connection introduced = new Connection(this, guest, guestsMemory);
        if (gone || guests.putIfAbsent(guest, introduced) != null) {
            introduced.end();
            drop("guest " + guest + " is introduced twice");
            return;
        }
        messenger.send(Messages.of(Messages.KNOWN, guest));
        inVain(INTRODUCES); // as long as no request of it comes
    }

    /** A client of the client's is not let in. */
    void refuses(int guest, String reason) {
        doorkeeper
                .log()
                .say(
                        System.Logger.Level.INFO,
                        doorkeeper.path() + ": a client of process " + peer.pid() + " of user " + peer.uid()
                                + " is not let in: " + reason);
        messenger.send(Messages.unknown(guest, reason));
        inVain(INTRODUCES);
    }

    /** A client of the client's is gone. */
    void forgets(int guest) {
        Connection forgotten = guests.remove(guest);
        if (forgotten == null) {
            inVain("forgets whom nobody knows");
        } else {
            forgotten.end();
        }
    }

    /**
     * Another process is to answer.
     *
     * @param state of the slot, as submitted there
     */
    Delegation delegates(int slot, RemoteRequest remote, ClientConnection to, int state, int flags) {
        Delegation delegation = new Delegation(to, state, flags);
        delegations.set(slot, delegation);
        live.compareAndSet(slot, remote, null);
        return delegation;
    }

    /** It has not come to that. */
    void comesBack(int slot, RemoteRequest remote) {
        delegations.set(slot, null);
        live.compareAndSet(slot, null, remote);
    }

    /** It is this process's again; false: the client has an answer, or is being given one, by {@link #failDelegations}. */
    boolean takesBack(int slot, Delegation delegation, RemoteRequest remote) {
        if (!delegations.compareAndSet(slot, delegation, null)) {
            return false;
        }
        live.compareAndSet(slot, null, remote);
        return true;
    }

    /** The process that was to answer has ended. */
    void failDelegations(ClientConnection to, String reason) {
        for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
            Delegation delegation = delegations.get(slot);
            if (delegation == null || delegation.to != to) {
                continue;
            }
            int now = memory.state(slot);
            int phase = ConnectionMemory.phase(now);
            boolean same = ConnectionMemory.withPhase(now, ConnectionMemory.SUBMITTED) == delegation.state;
            // If not, it is about to be submitted there, which will fail; or it is over.
            if (!same || phase == ConnectionMemory.FREE || !delegations.compareAndSet(slot, delegation, null)) {
                continue;
            }
            if (phase == ConnectionMemory.ANSWERED) {
                var _ = memory.announce(slot);
            } else {
                var _ = answer(slot, delegation.flags, new Answer(ConnectionMemory.FAILURE, 0, reason));
            }
            memory.wakeStateWaiter(slot);
        }
        ring(); // it may have announced answers, and ended before it said so
    }

    private @Nullable String flaw(int phase, Descriptor descriptor) {
        if (phase != ConnectionMemory.SUBMITTED && phase != ConnectionMemory.ABANDONED) {
            return "submitted in phase " + phase;
        }
        if (!isPriority(descriptor.priority())) {
            return "Java priority " + descriptor.priority();
        }
        long size = descriptor.size();
        if (size < 1 || descriptor.offset() < 0 || size > memory.areasSize() - descriptor.offset()) {
            return "an area of " + size + " bytes at " + descriptor.offset() + ", of " + memory.areasSize();
        }
        return descriptor.length() < 0 || descriptor.length() > size
                ? "length " + descriptor.length() + " of an area of " + size + " bytes"
                : null;
    }

    private static boolean isPriority(int priority) {
        return priority >= Thread.MIN_PRIORITY && priority <= Thread.MAX_PRIORITY;
    }

    /** The client has rung. */
    void rang(Endpoint<Area, Area> endpoint) {
        collect(endpoint, true);
        inVain("rings");
    }

    /** A server that slept has been woken by the client's bell, and has found nothing of anybody's. */
    void wokeInVain() {
        inVain("wakes servers");
    }

    private void inVain(String what) {
        if (!patience.outlasts()) {
            drop(what + " again and again, and nothing comes of it");
        }
    }

    /** Answers, and announces that if nobody need wait for it. */
    Given answer(int slot, int flags, Answer answer) {
        ConnectionMemory.Answered answered = memory.answer(slot, answer);
        boolean announced = answered.abandoned() || (flags & ConnectionMemory.ASYNCHRONOUS) != 0;
        return new Given(!answered.abandoned(), announced && announce(slot), answered.waiter());
    }

    /** Tells the client to look at what has been given back; false: it has been told, or has looked. */
    private boolean announce(int slot) {
        int before = Long.bitCount(memory.announce(slot));
        boolean wakes = !gone
                && WakeConditions.wakesClient(before, WakeConditions.NONE_ELSEWHERE, Long.bitCount(memory.returned()));
        if (wakes) {
            ring();
        }
        return wakes;
    }

    /** Has the client look at what has been given back. */
    void ring() {
        messenger.send(host == null ? Messages.of(Messages.RETURNED) : Messages.of(Messages.RELAY, number));
    }

    /** A request is about to be answered: from then on the client may use the slot for another one. */
    void finishes(int slot, RemoteRequest remote) {
        live.compareAndSet(slot, remote, null);
    }

    /** The client has broken the rules: it loses its connection, and nobody else anything. */
    void drop(String flaw) {
        if (gone || dropped.getAndSet(true)) {
            return;
        }
        doorkeeper
                .log()
                .say(
                        System.Logger.Level.WARNING,
                        doorkeeper.path() + ": process " + peer.pid() + " of user " + peer.uid()
                                + " loses its connection: " + flaw);
        if (host == null) { // a guest's flaw is no fault of its host's
            var _ = socket.send(Messages.refusal(flaw), UnixSocket.NO_DESCRIPTOR);
        }
        end();
    }

    /**
     * The client is gone, as far as this connection goes. The memory itself goes when nobody can reach it any more; what is in it
     * need not wait for that, once no server works on it.
     */
    void clientGone() {
        clientGone = true;
        introducedTo.forEach(server -> server.forget(this));
        end();
        discardIfIdle();
    }

    /** It is over: requests that wait are withdrawn, and what servers work on is for nobody. The socket is one of the remains. */
    void end() {
        gone = true;
        synchronized (this) {
            memory.closeDescriptor(); // nobody is just passing it on
        }
        if (host == null) {
            socket.shutdown();
        }
        guests.values().forEach(Connection::end);
        for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
            RemoteRequest remote = live.get(slot);
            if (remote != null) {
                remote.clientGone();
            }
        }
    }

    /** A request has been answered. */
    void finished() {
        discardIfIdle();
    }

    private void discardIfIdle() {
        if (!clientGone) {
            return;
        }
        for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
            if (live.get(slot) != null) {
                return;
            }
        }
        remains.giveBack(memory::discard); // perhaps once more: another answer may have been written meanwhile
    }
}
