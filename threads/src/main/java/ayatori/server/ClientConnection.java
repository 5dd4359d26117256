package ayatori.server;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.AreaAllocator;
import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import ayatori.internal.shm.Messages;
import ayatori.internal.shm.ServerPage;
import ayatori.internal.shm.WakeConditions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A client's side of a connection: slots, areas, waiting, and a thread that hears what the server has given back and its end. */
final class ClientConnection implements Area.Home {
    private static final int TURNS_BETWEEN_LOOKS = 1000;

    /** A server that is there lets a client in at once. */
    private static final long GREETING_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A message for which nothing is found may come late; who sends such ones again and again is no server of ours. */
    private static final int MOST_EMPTY_MESSAGES = 10_000;

    /** The server gives back what was delegated to it without a word. */
    private static final long RECLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path path;
    private final UnixSocket socket;
    private final ServerPage page;
    private final ConnectionMemory memory;
    private final AreaAllocator allocator;
    private final boolean polls;
    /** If the server's thread ids are what this process calls them too. */
    private final boolean sameThreadIds;

    private final String server;
    private final Semaphore freeSlots = new Semaphore(ConnectionMemory.SLOTS);
    /** A bit for each slot in use. */
    private final AtomicLong slots = new AtomicLong();

    private final AtomicReferenceArray<@Nullable SharedReply> replies =
            new AtomicReferenceArray<>(ConnectionMemory.SLOTS);
    /** A bit for each slot by which a client's request was delegated, and that the server gives back unannounced. */
    private final AtomicLong delegated = new AtomicLong();

    /** Bytes in areas that have gone and come by each slot: its owner's to change, so that it takes no atomic operation. */
    private final AtomicLongArray areaBytes = new AtomicLongArray(ConnectionMemory.SLOTS);

    private final BriefSpin spin = new BriefSpin(BriefSpin.UNLENT_NANOS);
    private final Introductions introductions;
    private final LongAdder sends = new LongAdder();
    private final LongAdder wakes = new LongAdder();
    private final LongAdder wakesSkipped = new LongAdder();
    private final LongAdder lends = new LongAdder();
    private final LongAdder raises = new LongAdder();
    private final LongAdder raisesSkipped = new LongAdder();
    private final Thread watcher;
    /** A delegated request has waited for a slot in vain: the next one finds one at once, or does not wait. */
    private volatile boolean takesNone;
    /** Why it is over; null: it is not. */
    private volatile @Nullable String end;

    private ClientConnection(Path path, UnixSocket socket, ServerPage page, ConnectionMemory memory, boolean polls)
            throws IOException {
        this.path = path;
        this.socket = socket;
        this.page = page;
        this.memory = memory;
        this.polls = polls;
        allocator = new AreaAllocator(memory.areasSize());
        int pid = socket.peer().pid();
        sameThreadIds = page.hasOurThreadIds();
        server = "the server of " + path + " (process " + pid + ")";
        introductions = new Introductions(socket, server);
        watcher = Thread.ofPlatform()
                .daemon()
                .name("answers of " + path.getFileName())
                .priority(Thread.MAX_PRIORITY)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::watch);
    }

    private static UnixSocket socket(Path path) throws IOException {
        try {
            return UnixSocket.connect(path, GREETING_NANOS);
        } catch (KernelException e) {
            IOException refused = switch (e.errno()) {
                case Errno.ENOENT ->
                    new NoSuchFileException(path.toString(), null, "no endpoint is published there (ENOENT)");
                case Errno.ECONNREFUSED ->
                    new ConnectException(
                            "nobody serves at \"" + path + "\" any more (ECONNREFUSED); try again when a server does");
                case Errno.EACCES ->
                    new AccessDeniedException(
                            path.toString(),
                            null,
                            "not for this user (EACCES); who may connect is PublishedEndpoint's mode");
                default -> e;
            };
            if (refused != e) {
                refused.initCause(e);
            }
            throw refused;
        }
    }

    static ClientConnection open(Path path, long areas, boolean polls) throws IOException {
        long deadline = System.nanoTime() + GREETING_NANOS;
        UnixSocket socket = socket(path);
        try {
            ServerPage page = ServerPage.ofPassed(expect(socket, Messages.WELCOME, path, deadline));
            ConnectionMemory memory = ConnectionMemory.create(String.valueOf(path.getFileName()), areas);
            try {
                int sent = socket.send(Messages.of(Messages.MEMORY), memory.descriptor());
                if (sent < 0) {
                    throw ended(path);
                }
            } finally {
                memory.closeDescriptor();
            }
            var _ = expect(socket, Messages.READY, path, deadline);
            ClientConnection connection = new ClientConnection(path, socket, page, memory, polls);
            connection.watcher.start();
            return connection;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** The descriptor that comes along. */
    private static int expect(UnixSocket socket, byte kind, Path path, long deadline) throws IOException {
        byte[] buffer = new byte[Messages.LONGEST];
        UnixSocket.Message message = receive(socket, buffer, path, deadline);
        if (message.length() > 0 && buffer[0] == kind && (kind == Messages.WELCOME) == (message.descriptor() >= 0)) {
            return message.descriptor();
        }
        message.discard();
        if (message.length() == 0) {
            throw ended(path);
        }
        throw new IOException("connect to " + path + ": "
                + (buffer[0] == Messages.REFUSAL
                        ? Messages.text(buffer, message.length())
                        : "the server speaks another protocol"));
    }

    private static IOException ended(Path path) {
        return new IOException("connect to " + path + ": the server has closed the connection");
    }

    private static UnixSocket.Message receive(UnixSocket socket, byte[] buffer, Path path, long deadline)
            throws IOException {
        long left;
        while ((left = deadline - System.nanoTime()) > 0) {
            boolean[] ready = new boolean[1];
            if (UnixSocket.poll(new UnixSocket[] {socket}, ready, left) > 0) {
                try {
                    return socket.receive(buffer, false);
                } catch (KernelException e) {
                    throw ended(path);
                }
            }
        }
        throw new IOException("connect to " + path + ": the server does not answer");
    }

    Area allocate(long size, boolean shared) {
        if (size < 1) {
            throw new IllegalArgumentException("size of an area is " + size + " bytes: must be 1 or more");
        }
        requireConnected();
        long offset = allocator.allocate(size);
        if (offset < 0) {
            throw new IllegalStateException("no area of " + size + " bytes is left: " + allocator.used() + " of "
                    + allocator.total() + " bytes are in use; close areas, or connect with more memory");
        }
        return new Area(this, offset, size, size, shared);
    }

    @Override
    public MemorySegment area(long offset, long size, Arena arena) {
        return memory.area(offset, size, arena);
    }

    @Override
    public void release(Area area) {
        allocator.free(area.offset());
    }

    /**
     * Hands an area over with a request.
     *
     * @param announced if the answer is to be announced, since nobody need wait for it
     * @param deadline nanoTime, or {@link Deadline#FOREVER}; until when to wait for a free slot
     */
    SharedReply submit(int priority, Area area, boolean announced, long deadline)
            throws InterruptedException, TimeoutException {
        if (area.home() != this) {
            throw new IllegalArgumentException(area + " is not of this connection: allocate it here");
        }
        requireOpen();
        if (!acquireSlot(deadline)) {
            throw new TimeoutException(ConnectionMemory.SLOTS + " requests to " + path + " are on their way, and none"
                    + " was answered in time");
        }
        boolean lending = !polls
                && page.has(ServerPage.LENDS)
                && sameThreadIds
                && Caller.lends()
                && (announced || !isServerHigh(priority));
        int slot;
        SharedReply reply;
        try {
            requireOpen();
            area.handOver();
        } catch (RuntimeException e) {
            freeSlots.release();
            throw e;
        }
        slot = claimSlot();
        reply = new SharedReply(this, slot, priority, area, lending);
        int flags = (lending ? ConnectionMemory.LENDS : 0) | (announced ? ConnectionMemory.ASYNCHRONOUS : 0);
        memory.fill(slot, new Descriptor(priority, flags, area.offset(), area.size(), area.length()));
        replies.set(slot, reply);
        handedOver(slot, area.length());
        long before = memory.submit(slot, lending ? page.thread() : 0);
        sends.increment();
        if (lending) {
            lends.increment();
        }
        notifyServer(priority, before, lending && !announced);
        if (end != null) { // whoever was to answer it may have been missed
            reply.serverDied();
        }
        return reply;
    }

    /**
     * If the only thread that serves is by itself where the caller would lift it to, or above, and will be there for this request:
     * to wait is cheaper than to lend. Who serves others may be raised by them meanwhile, and lends in any case.
     */
    private boolean isServerHigh(int priority) {
        return page.has(ServerPage.RAISES)
                && !page.has(ServerPage.CAPS)
                && page.thread() != 0
                && Carrier.current() == null
                && page.level() >= priority
                && page.rank(priority) >= Caller.rank() - 1; // as who is raised for another stands just below that one
    }

    /** Clients of this process that the server knows. */
    Introductions introductions() {
        requireOpen();
        return introductions;
    }

    /** Linux id of the thread that will answer and may be lent a priority; 0: that is not known. */
    int lendsTo() {
        return page.has(ServerPage.LENDS) && sameThreadIds ? page.thread() : 0;
    }

    /** False: the deadline has come. */
    private boolean acquireSlot(long deadline) throws InterruptedException {
        reclaimDelegated();
        while (!freeSlots.tryAcquire()) {
            long left = Deadline.orLookAround(deadline) - System.nanoTime();
            long moment = delegated.get() == 0 ? left : Math.min(left, RECLAIM_NANOS);
            if (freeSlots.tryAcquire(moment, TimeUnit.NANOSECONDS)) {
                return true;
            }
            if (Deadline.hasCome(deadline)) {
                return false;
            }
            reclaimDelegated();
        }
        return true;
    }

    /**
     * Hands a request of a guest over, which stands in a slot of that one's memory.
     *
     * @param raisedByWait if a client waits for the answer and lends the server its priority
     * @throws RejectedExecutionException if the connection is over, or no slot becomes free in time
     */
    void submitDelegated(int priority, int guest, int guestsSlot, boolean raisedByWait) throws InterruptedException {
        requireOpen();
        if (!acquireSlot(System.nanoTime() + (takesNone ? 0 : Introductions.MOST_NANOS))) {
            takesNone = true;
            throw new RejectedExecutionException(ConnectionMemory.SLOTS + " requests to " + server
                    + " are on their way, and it takes none: it is stopped, or has no CPU");
        }
        takesNone = false;
        if (end != null) {
            freeSlots.release();
            requireOpen();
        }
        int slot = claimSlot();
        memory.fill(slot, new Descriptor(priority, ConnectionMemory.DELEGATED, guest, guestsSlot, 0));
        long before = memory.submit(slot, 0);
        delegated.getAndUpdate(bits -> bits | 1L << slot);
        sends.increment();
        notifyServer(priority, before, raisedByWait && lendsTo() != 0);
        if (end != null) { // whoever was to answer it may have been missed
            failGuests();
        }
    }

    private void reclaimDelegated() {
        for (long bits = delegated.get(); bits != 0; bits &= bits - 1) {
            int slot = Long.numberOfTrailingZeros(bits);
            long bit = 1L << slot;
            // Asked once more by who has taken the bit: the slot may be another request's by then.
            if (memory.isAnswered(slot) && (delegated.getAndUpdate(now -> now & ~bit) & bit) != 0) {
                if (memory.isAnswered(slot)) {
                    free(slot);
                } else {
                    delegated.getAndUpdate(now -> now | bit);
                }
            }
        }
    }

    private void failGuests() {
        String reason = String.valueOf(end);
        introductions.over(reason);
        introductions.clients().forEach(client -> client.failDelegations(this, reason));
    }

    private void requireConnected() {
        String reason = end;
        if (reason != null) {
            throw new RejectedExecutionException(reason);
        }
    }

    private void requireOpen() {
        requireConnected();
        if (page.isClosed()) {
            throw new RejectedExecutionException(server + " takes no more requests");
        }
    }

    private int claimSlot() {
        while (true) {
            long used = slots.get();
            int slot = Long.numberOfTrailingZeros(~used);
            if (slots.compareAndSet(used, used | 1L << slot)) {
                return slot;
            }
        }
    }

    /** One operation at most: raised by who waits, which costs none here, or by the server, which wakes as well; or woken. */
    private void notifyServer(int priority, long before, boolean raisedByWait) {
        boolean sole = page.thread() != 0;
        boolean raised = page.has(ServerPage.RAISES);
        if (raised && !(raisedByWait && sole)) {
            boolean high = sole ? page.level() >= priority : page.isReady(priority);
            if (!high) {
                raises.increment();
                var _ = socket.send(
                        Messages.of(Messages.RING), UnixSocket.NO_DESCRIPTOR); // if it is full, it has been rung
                return;
            }
            raisesSkipped.increment();
        }
        // One of several that was woken for an earlier one may be a lower one: who is woken for this one pushes it.
        boolean each = raised && !sole;
        if (!page.isAnySleeping() || !(each || isFirst(before))) {
            wakesSkipped.increment();
            return;
        }
        wakes.increment();
        memory.ringBell();
        memory.rung(before);
    }

    private boolean isFirst(long before) {
        return WakeConditions.wakesServer(
                memory.submittedBefore(before), WakeConditions.NONE_ELSEWHERE, memory.pending());
    }

    /** Waits until a reply's slot has been answered; false: the deadline has come, or the connection is over. */
    boolean await(SharedReply reply, long deadline) throws InterruptedException {
        int slot = reply.slot();
        if (!polls) {
            var _ = spin.finds(() -> memory.isDone(slot), deadline, Caller.lends());
        }
        while (!(polls ? spin(slot) : memory.isAnswered(slot))) {
            int state = memory.state(slot);
            if (ConnectionMemory.phase(state) == ConnectionMemory.ABANDONED || end != null) {
                return memory.isAnswered(slot);
            }
            if (Deadline.hasCome(deadline)) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("while " + server + " was to answer");
            }
            if (!polls && ConnectionMemory.phase(state) != ConnectionMemory.ANSWERED) {
                sleep(reply, state, Deadline.orLookAround(deadline));
            }
        }
        return true;
    }

    private void sleep(SharedReply reply, int state, long until) {
        int result = reply.lends()
                ? memory.awaitLending(reply.slot(), state, Caller.id(), until)
                : memory.awaitChange(reply.slot(), state, until);
        if (result == -Errno.EDEADLK) {
            throw new IllegalStateException(
                    server + " waits, by way of others, for the calling thread itself: a cycle of calls");
        }
    }

    private boolean spin(int slot) {
        for (int i = 0; i < TURNS_BETWEEN_LOOKS; i++) {
            if (memory.isDone(slot) && memory.isAnswered(slot)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    boolean isAnswered(int slot) {
        return memory.isAnswered(slot);
    }

    /** Who answers, in words. */
    String server() {
        return server;
    }

    boolean isOver() {
        return end != null;
    }

    boolean isWatcher(Thread thread) {
        return thread == watcher;
    }

    boolean abandon(int slot, BooleanSupplier ours) {
        return memory.abandon(slot, ours);
    }

    /** What the slot says, if it has been answered. */
    ConnectionMemory.Answer answer(int slot) {
        return memory.answer(slot);
    }

    /** An area has gone or come by a slot that is the caller's. */
    void handedOver(int slot, long bytes) {
        areaBytes.setOpaque(slot, areaBytes.getOpaque(slot) + bytes);
    }

    /** The slot is done with. */
    void free(int slot) {
        replies.set(slot, null);
        memory.free(slot); // or a late announcement would take the old answer for the next request's
        slots.getAndUpdate(used -> used & ~(1L << slot));
        freeSlots.release();
    }

    /** Why nobody answers. */
    ServerDiedException death() {
        return new ServerDiedException(end == null ? server + " answers in a way that cannot be" : end);
    }

    private void watch() {
        String reason = server + " has ended; connect again when there is another";
        byte[] buffer = new byte[Messages.LONGEST];
        int empty = 0;
        try {
            int length;
            while (empty < MOST_EMPTY_MESSAGES && (length = receive(buffer)) > 0) {
                if (buffer[0] == Messages.REFUSAL) {
                    reason = server + " has ended the connection: " + Messages.text(buffer, length);
                    break;
                }
                empty = heed(buffer, length) ? 0 : empty + 1;
            }
        } catch (IOException e) {
            // the same as an end
        } finally {
            over(reason);
            socket.close();
        }
    }

    /** Does what the server asks for; false: nothing came of it. */
    private boolean heed(byte[] buffer, int length) {
        return buffer[0] == Messages.RETURNED ? collectReturned() : introductions.heed(buffer, length);
    }

    private int receive(byte[] buffer) throws IOException {
        while (true) {
            try {
                return socket.receiveBytes(buffer, true);
            } catch (KernelException e) {
                if (e.errno() != Errno.EINTR) {
                    throw e;
                }
            }
        }
    }

    private synchronized void over(String reason) {
        if (end == null) {
            end = reason;
        }
        for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
            SharedReply reply = replies.get(slot);
            if (reply != null) {
                reply.serverDied();
                memory.wakeStateWaiters(slot);
            }
        }
        failGuests();
        freeSlots.release(ConnectionMemory.SLOTS); // who waits for one finds that it is over
    }

    /** If there was anything. */
    private boolean collectReturned() {
        long returned = memory.takeReturned();
        boolean any = returned != 0;
        for (int priority = Thread.MAX_PRIORITY; priority >= Thread.MIN_PRIORITY && returned != 0; priority--) {
            for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
                SharedReply reply = (returned & 1L << slot) == 0 ? null : replies.get(slot);
                if (reply != null && reply.priority() == priority) {
                    returned &= ~(1L << slot);
                    reply.announced();
                }
            }
        }
        return any;
    }

    SharedEndpointStatistics statistics() {
        int abandoned = 0;
        long handedOver = 0;
        for (int slot = 0; slot < ConnectionMemory.SLOTS; slot++) {
            handedOver += areaBytes.getOpaque(slot);
            if ((slots.get() & 1L << slot) != 0
                    && ConnectionMemory.phase(memory.state(slot)) == ConnectionMemory.ABANDONED) {
                abandoned++;
            }
        }
        return new SharedEndpointStatistics(
                sends.sum(),
                wakes.sum(),
                wakesSkipped.sum(),
                lends.sum(),
                raises.sum(),
                raisesSkipped.sum(),
                abandoned,
                allocator.used(),
                handedOver);
    }

    void close() {
        synchronized (this) {
            if (end == null) {
                end = "the connection to " + path + " has been closed";
            }
        }
        socket.shutdown();
    }

    @Override
    public String toString() {
        return "connection to " + path + (end == null ? "" : ", over: " + end);
    }
}
