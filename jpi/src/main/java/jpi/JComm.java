package jpi;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;
import jpi.internal.engine.Completion;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;
import jpi.internal.engine.Sending;
import org.jspecify.annotations.Nullable;

/**
 * A communicator: ranks that pass messages among themselves, apart from those of all other communicators.
 *
 * <p>Within one JVM an object that is sent is the object that is received: who sends it does not write to it any more, or sends a
 * copy, {@link #isolated}. To another JVM a copy travels always. The contents of a {@link JBuffer} are copied always.
 *
 * <p>A message has the Java priority of the thread that sends it (a virtual thread's is 5), or one that is given, {@link #priority}.
 * Of the messages that suit a receive the most important is taken first; messages of one sender, tag and priority keep their order.
 *
 * <p>Errors are {@link JException}s: a rank or tag out of range, null for anything but a message, a message that does not fit, the end
 * of another rank by failure. One object is one rank's; all its methods are safe for use by several threads at once
 * (MPI_THREAD_MULTIPLE).
 */
public sealed class JComm extends JCollectives implements JPeers permits JTopology {
    private static final int WORLD = 0;
    private static final int SELF = 1;
    /** As many bits as the system keeps. */
    private static final int EXIT_CODES = 0xff;

    JComm(Members members, Rank.Mode mode, int priority) {
        super(members, mode, priority);
    }

    JComm(Members members) {
        this(members, Rank.Mode.STANDARD, 0);
    }

    static JComm world(Rank rank) {
        return new JComm(new Members(rank, "COMM_WORLD", WORLD, null, rank.number()));
    }

    static JComm self(Rank rank) {
        return new JComm(new Members(rank, "COMM_SELF", SELF, new int[] {rank.number()}, 0));
    }

    /** The rank of who asks. */
    public int rank() {
        return members.me();
    }

    /** How many ranks it has. */
    public int size() {
        return members.size();
    }

    /** Its name, for messages. */
    public String name() {
        return members.name();
    }

    /** Gives it a name, at this rank. */
    public void setName(String name) {
        members.rename(Given.required(name, "setName", "a name", "give a text"));
    }

    /** The same communicator, over which copies of objects are sent. What cannot change need not be copied, and is not. */
    @Override
    public JComm isolated() {
        return as(members, Rank.Mode.ISOLATED, priority);
    }

    /**
     * The same communicator, over which messages are sent with a priority of their own.
     *
     * @param newPriority 1 to 10; 0: that of the sending thread
     */
    @Override
    public JComm priority(int newPriority) {
        return as(members, mode, requirePriority(newPriority));
    }

    static int requirePriority(int newPriority) {
        if (newPriority < 0 || newPriority > Thread.MAX_PRIORITY) {
            throw new JException(
                    "priority " + newPriority + " of messages: must be 1 to 10, or 0 for the thread's own");
        }
        return newPriority;
    }

    /** A communicator like this one, with the same topology if it has one. */
    JComm as(Members others, Rank.Mode newMode, int newPriority) {
        return new JComm(others, newMode, newPriority);
    }

    // Sending.

    private @Nullable Sending begin(@Nullable Object message, int destination, int tag, Rank.Mode how) {
        int receiver = members.receiver(destination);
        requireTag(tag);
        if (receiver == JHandle.PROC_NULL) {
            return null;
        }
        return members.rank().send(receiver, members.context(), members.me(), tag, priorityNow(), message, how);
    }

    private void finish(@Nullable Sending sending) {
        if (sending != null) {
            members.rank().await(sending);
            sending.check();
        }
    }

    /** It goes on although nobody waits for it. */
    private static @Nullable Sending leave(@Nullable Sending sending) {
        if (sending != null && !sending.isDone()) {
            sending.leave();
        }
        return sending;
    }

    private JRequest<@Nullable Void> request(@Nullable Completion completion) {
        if (completion == null) {
            return new JRequest<@Nullable Void>(members.rank(), null, () -> null);
        }
        return new JRequest<@Nullable Void>(members.rank(), completion, () -> {
            completion.check();
            return null;
        });
    }

    static void requireTag(int tag) {
        if (tag < 0) {
            throw new JException("tag " + tag + ": must be 0 to " + Integer.MAX_VALUE);
        }
    }

    /**
     * Sends an object. May return before it is received.
     *
     * @param message anything, null too; a {@link JBuffer}: its contents
     * @param destination rank, or {@link JHandle#PROC_NULL}
     * @param tag 0 or more
     */
    @Override
    public void send(@Nullable Object message, int destination, int tag) {
        finish(begin(message, destination, tag, mode));
    }

    /** Sends an object; ends when it has been received. */
    @Override
    public void ssend(@Nullable Object message, int destination, int tag) {
        finish(begin(message, destination, tag, mode.synchronous()));
    }

    /** Sends an object, and does not wait until it is wanted: what a buffer or an array contains is copied first. */
    @Override
    public void bsend(@Nullable Object message, int destination, int tag) {
        Object own = message;
        if (message instanceof JBuffer buffer) {
            own = buffer.toArray();
        } else if (message instanceof boolean[] flags) {
            own = flags.clone();
        } else if (message != null && JType.ofArray(message) != null) {
            own = JBuffer.ofArray(message).toArray();
        }
        var _ = leave(begin(own, destination, tag, mode.buffered()));
    }

    /** Begins to send. The object, or a buffer's memory, is to be left alone until the request is over. */
    @Override
    public JRequest<@Nullable Void> isend(@Nullable Object message, int destination, int tag) {
        return request(leave(begin(message, destination, tag, mode.buffered())));
    }

    /** Begins to send; the request is over when the message has been received. */
    @Override
    public JRequest<@Nullable Void> issend(@Nullable Object message, int destination, int tag) {
        return request(leave(begin(message, destination, tag, mode.synchronous())));
    }

    // Receiving.

    private void requireAsked(int source, int tag) {
        if (tag < JHandle.ANY_TAG) {
            throw new JException("tag " + tag + ": must be 0 or more, or ANY_TAG");
        }
        members.requireSource(source);
    }

    /** False: of nobody. */
    private boolean isReal(int source, int tag) {
        requireAsked(source, tag);
        return source != JHandle.PROC_NULL;
    }

    private @Nullable Receive start(Receive.Kind kind, int source, int tag, @Nullable JBuffer into) {
        return isReal(source, tag)
                ? members.rank().receive(kind, members.context(), source, tag, members.sender(source), into)
                : null;
    }

    /** Of a message that is to be taken: see {@link Rank#newFetch}. */
    private @Nullable Receive prepare(int source, int tag, @Nullable JBuffer into) {
        return isReal(source, tag)
                ? members.rank().newFetch(members.context(), source, tag, members.sender(source), into)
                : null;
    }

    private @Nullable Receive fetch(Receive.Kind kind, int source, int tag) {
        if (!isReal(source, tag)) {
            return null;
        }
        Rank rank = members.rank();
        return rank.fetch(rank.newReceive(kind, members.context(), source, tag, members.sender(source), null));
    }

    private static final JStatus NOTHING = new JStatus(JHandle.PROC_NULL, JHandle.ANY_TAG, Thread.NORM_PRIORITY, 0);

    private static JStatus status(@Nullable Receive receive) {
        return receive == null ? NOTHING : receive.status();
    }

    private static @Nullable JStatus ofNobody(@Nullable Receive receive) {
        return receive == null ? NOTHING : null;
    }

    @SuppressWarnings("NullAway") // null only where null was sent
    private static Object value(@Nullable Receive receive) {
        return receive == null ? null : receive.value();
    }

    /**
     * Receives an object.
     *
     * @param source rank, {@link JHandle#ANY_SOURCE} or {@link JHandle#PROC_NULL}
     * @param tag 0 or more, or {@link JHandle#ANY_TAG}
     * @return the message; of a buffer an array
     */
    @Override
    @SuppressWarnings("NullAway") // null only where null was sent
    public Object recv(int source, int tag) {
        return isReal(source, tag)
                ? members.rank().fetchObject(members.context(), source, tag, members.sender(source))
                : null;
    }

    /**
     * Receives an object of a class.
     *
     * @param type a primitive one stands for its wrapper
     * @throws JException if it is of another; it has been received then
     */
    @Override
    public <T> T recv(Class<T> type, int source, int tag) {
        var _ = Given.required(type, "recv", "a class or a buffer", "name the class of what is sent, or leave it out");
        return cast(type, recv(source, tag));
    }

    @SuppressWarnings({"NullAway", "unchecked"}) // null only where null was sent; Class<Integer> of an int too
    static <T> T cast(Class<T> type, @Nullable Object message) {
        Class<?> reference =
                type.isPrimitive() ? MethodType.methodType(type).wrap().returnType() : type;
        if (message != null && !reference.isInstance(message)) {
            throw new JException("received a " + message.getClass().getTypeName() + " where a "
                    + reference.getTypeName() + " was expected: name the class of what is sent, or Object.class");
        }
        return (T) message;
    }

    /**
     * Receives into a buffer. The message may be shorter than it.
     *
     * @return what is known of the message, its count among it
     * @throws JException if it is longer, of another type, or an object; it has been received then
     */
    @Override
    public JStatus recv(JBuffer into, int source, int tag) {
        var _ = Given.buffer(into, "recv");
        return isReal(source, tag)
                ? members.rank().fetchInto(into, members.context(), source, tag, members.sender(source))
                : NOTHING;
    }

    /** Begins to receive an object. */
    @Override
    public JRequest<Object> irecv(int source, int tag) {
        Receive receive = start(Receive.Kind.TAKE, source, tag, null);
        return new JRequest<>(members.rank(), receive, () -> value(receive), ofNobody(receive));
    }

    /** Begins to receive into a buffer, which is to be left alone until the request is over. */
    @Override
    public JRequest<JStatus> irecv(JBuffer into, int source, int tag) {
        Receive receive = start(Receive.Kind.TAKE, source, tag, Given.buffer(into, "irecv"));
        return new JRequest<>(members.rank(), receive, () -> status(receive), ofNobody(receive));
    }

    /** Sends and receives at once, so that neither waits for the other. */
    @Override
    @SuppressWarnings("NullAway") // null only where null was sent
    public Object sendrecv(@Nullable Object message, int destination, int sendTag, int source, int receiveTag) {
        Receive receive = prepare(source, receiveTag, null);
        Sending sending = begin(message, destination, sendTag, mode);
        if (receive == null) {
            finish(sending);
            return null;
        }
        var _ = members.rank().fetch(receive);
        finish(sending);
        return receive.takeValue();
    }

    /** Sends a buffer and receives into another at once. The two must not overlap; checking mode refuses that. */
    @Override
    public JStatus sendrecv(JBuffer message, int destination, int sendTag, JBuffer into, int source, int receiveTag) {
        Given.buffers(message, into, "sendrecv");
        members.requireApart(message, into, "sendrecv");
        Receive receive = prepare(source, receiveTag, into);
        Sending sending = begin(message, destination, sendTag, mode);
        if (receive == null) {
            finish(sending);
            return NOTHING;
        }
        var _ = members.rank().fetch(receive);
        finish(sending);
        receive.rest();
        return receive.status();
    }

    // Looking.

    /** Waits until a message is there. It stays: another thread of the rank may take it. */
    @Override
    public JStatus probe(int source, int tag) {
        return status(fetch(Receive.Kind.PROBE, source, tag));
    }

    /** If a message is there, what is known of it; else null. */
    @Override
    public @Nullable JStatus iprobe(int source, int tag) {
        Receive receive = start(Receive.Kind.PROBE, source, tag, null);
        if (receive != null && !receive.isDone()) {
            members.rank().giveUp(receive);
            return receive.isGivenUp() ? null : receive.status();
        }
        return status(receive);
    }

    /** Waits for a message, which is then this caller's alone. Null of {@link JHandle#PROC_NULL}. */
    @Override
    public @Nullable JMessage mprobe(int source, int tag) {
        Receive receive = fetch(Receive.Kind.CLAIM, source, tag);
        return receive == null ? null : new JMessage(members.rank(), receive);
    }

    /** Takes a message if one is there, else null; always null of {@link JHandle#PROC_NULL}. */
    @Override
    public @Nullable JMessage improbe(int source, int tag) {
        Receive receive = start(Receive.Kind.CLAIM, source, tag, null);
        if (receive == null) {
            return null;
        }
        if (!receive.isDone()) {
            members.rank().giveUp(receive);
        }
        return receive.isGivenUp() ? null : new JMessage(members.rank(), receive);
    }

    // Persistent requests.

    /** A send that can be begun again and again. */
    @Override
    public JPersistent<@Nullable Void> sendInit(@Nullable Object message, int destination, int tag) {
        members.receiver(destination);
        requireTag(tag);
        return new JPersistent<@Nullable Void>(() -> isend(message, destination, tag));
    }

    /** A receive that can be begun again and again. */
    @Override
    public JPersistent<Object> recvInit(int source, int tag) {
        requireAsked(source, tag);
        return new JPersistent<>(() -> irecv(source, tag));
    }

    /** The same, into a buffer. */
    @Override
    public JPersistent<JStatus> recvInit(JBuffer into, int source, int tag) {
        Given.buffer(into, "recvInit").requireWritable();
        requireAsked(source, tag);
        return new JPersistent<>(() -> irecv(into, source, tag));
    }

    // Other communicators. All of these but group and compare are collective.

    /** The number that a new communicator gets. */
    private int agree(Call call, Function<Exchange, Integer> steps) {
        return new Collective<>(call, steps).run(exchange());
    }

    @Nullable
    Members splitMembers(String call, int color, int key, String name) {
        return new Collective<@Nullable Members>(
                        Call.of(call, null), exchange -> Partition.split(exchange, color, key, name))
                .run(exchange());
    }

    private @Nullable JComm plain(@Nullable Members others) {
        return others == null ? null : new JComm(others, mode, priority);
    }

    /** Another communicator of the same ranks, with the same topology, and with those attributes that are to be copied. */
    public JComm dup() {
        return as(members.copy(agree(Call.of("dup", null), Partition::agree)), mode, priority);
    }

    /** Begins {@link #dup}; messages may not be passed over the new one before the request is over. */
    public JRequest<JComm> idup() {
        return new Collective<JComm>(
                        Call.of("dup", null), exchange -> as(members.copy(Partition.agree(exchange)), mode, priority))
                .begin(exchange());
    }

    /**
     * A communicator for each colour.
     *
     * @param color ranks that give the same come together; 0 or more, or {@link JHandle#UNDEFINED}
     * @param key they are numbered in the order of this; of equal ones in that of their ranks here
     * @return that of this rank's colour; null if it has none
     */
    public @Nullable JComm split(int color, int key) {
        if (color < 0 && color != JHandle.UNDEFINED) {
            throw new JException("colour " + color + " in a split: must be 0 or more, or UNDEFINED");
        }
        return plain(splitMembers("split", color, key, "part of " + name()));
    }

    /** A communicator for each machine: ranks that can share memory. As yet all are of one machine. */
    public JComm splitShared() {
        return requireNonNull(plain(splitMembers("splitShared", 0, 0, "machine's part of " + name())));
    }

    /** A communicator for each JVM: ranks that pass objects by reference. */
    public JComm splitByJvm() {
        int worker = members.worker(rank());
        return requireNonNull(plain(splitMembers("splitByJvm", worker, 0, "JVM's part of " + name())));
    }

    /**
     * A communicator of a group.
     *
     * @param some the same on all ranks, or on each the one that it is in, if these have no rank in common
     * @return null for a rank that is not in it
     */
    public @Nullable JComm create(JGroup some) {
        var _ = Given.group(some, "create");
        int outside = some.difference(group()).size();
        if (outside > 0) {
            throw new JException(
                    outside + " ranks of the group are not in " + name() + ": make it of " + name() + ".group()");
        }
        int id = agree(Call.of("create", null), exchange -> Partition.agree(exchange, some.numbers()));
        int me = some.rankOf(members.rank().number());
        return me == JHandle.UNDEFINED ? null : plain(members.part("part of " + name(), id, some.numbers(), me));
    }

    /**
     * Lets these ranks pass messages to those of another communicator, none of which is in this one: MPI_Intercomm_create. Both call it.
     *
     * @param leader rank here that speaks for these
     * @param bridge a communicator that both leaders are in; needed at the leader only
     * @param otherLeader rank in the bridge of who speaks for the others
     * @param tag of the leaders' messages in the bridge
     */
    public JIntercomm createInter(int leader, @Nullable JComm bridge, int otherLeader, int tag) {
        members.requireMember(leader);
        JComm led = rank() == leader ? JIntercomm.requireBridge(bridge, otherLeader, tag) : null;
        return JIntercomm.create(requireNonNull(create(group())), leader, led, otherLeader, tag);
    }

    /** Its ranks. */
    public JGroup group() {
        return members.group();
    }

    /** How alike two communicators are. */
    public JComparison compare(JComm other) {
        var _ = Given.required(other, "compare", "a communicator", "compare with one that is there");
        JComparison groups = group().compare(other.group());
        if (groups != JComparison.IDENTICAL) {
            return groups;
        }
        return members.id() == other.members.id() ? JComparison.IDENTICAL : JComparison.CONGRUENT;
    }

    /**
     * A communicator whose ranks are the points of a grid, in their order here: what MPI does without reordering.
     *
     * @param dims points of each dimension; {@link JCartesian#dims} finds good ones
     * @param periods which dimensions are rings
     * @return null for ranks beyond the grid's last
     */
    public @Nullable JCartesian cartesian(int[] dims, boolean[] periods) {
        var _ = Given.required(
                dims, "cartesian", "dimensions", "give one number for each, or those of JCartesian.dims");
        var _ = Given.required(periods, "cartesian", "periods", "say of each dimension if it is a ring");
        int points = JCartesian.points(dims, periods, size(), name());
        String shape = Arrays.toString(dims) + " points, periods " + Arrays.toString(periods);
        Call call = Call.of("cartesian", new Call.Shape(shape));
        Members grid = members.first(points, "grid of " + name(), agree(call, Partition::agree));
        return grid == null ? null : new JCartesian(grid, mode, priority, dims.clone(), periods.clone());
    }

    /**
     * A communicator whose ranks have neighbours: MPI's adjacent distributed graph. If a rank names another as its source, that
     * one names it as its destination, as many times.
     *
     * @param sources from whom this rank receives
     * @param destinations to whom it sends
     */
    public JGraph graph(int[] sources, int[] destinations) {
        var _ = Given.required(sources, "graph", "sources", "give an array, of no elements if there are none");
        var _ = Given.required(
                destinations, "graph", "destinations", "give an array, of no elements if there are none");
        IntStream.concat(Arrays.stream(sources), Arrays.stream(destinations)).forEach(members::requireMember);
        int id = agree(Call.of("graph", null), exchange -> Partition.agree(exchange, sources, destinations));
        Members graph = requireNonNull(members.first(size(), "graph of " + name(), id));
        return new JGraph(graph, mode, priority, sources.clone(), destinations.clone());
    }

    /**
     * Memory that all ranks reach, zeroes at first: MPI_Win_allocate. Collective.
     *
     * @param type of its elements, the same on all ranks
     * @param count of elements in this rank's part, 0 or more
     * @throws JException on all ranks, if there is no memory for it, a rank cannot map it, or there are more than 2^20 ranks
     */
    public JWindow window(JType type, long count) {
        var _ = Given.required(type, "window", "a type", "name that of its elements, JType.DOUBLE for instance");
        return new Collective<>(Call.of("window", type), exchange -> WindowFounding.found(exchange, type, count))
                .run(exchange());
    }

    // Attributes, and the end.

    /** Keeps something with the communicator, at this rank; what was kept under the key before is deleted. */
    public <T> void setAttribute(JAttribute<T> key, T value) {
        members.setAttribute(
                key(key, "setAttribute"),
                Given.required(value, "setAttribute", "a value", "call deleteAttribute to keep nothing"));
    }

    /** What is kept under a key; null: nothing. */
    @SuppressWarnings("unchecked") // only Ts are kept under this key
    public <T> @Nullable T attribute(JAttribute<T> key) {
        return (T) members.attribute(key(key, "attribute"));
    }

    /** Keeps it no more. */
    public void deleteAttribute(JAttribute<?> key) {
        members.deleteAttribute(key(key, "deleteAttribute"));
    }

    private static <T> JAttribute<T> key(JAttribute<T> key, String call) {
        return Given.required(key, call, "a key", "make one by JAttribute.of, and keep it");
    }

    /**
     * Says that this rank needs the communicator no more: deletes its attributes, and refuses any more calls. What is under way
     * goes on to its end. Not collective.
     */
    public void free() {
        if (members.id() == WORLD || members.id() == SELF) {
            throw new JException(name() + " cannot be freed: it lasts as long as the program");
        }
        members.free();
    }

    /**
     * Ends the whole program, all its ranks, as {@link System#exit} in a rank does: MPI_Abort. Does not return.
     *
     * @param exitCode JRun's; of one that the system would show as 0, which says that all is well, 1 is made
     */
    public void abort(int exitCode) {
        int shown = exitCode & EXIT_CODES;
        System.exit(shown == 0 ? 1 : shown);
    }

    @Override
    public String toString() {
        return "rank " + rank() + " of " + size() + " in " + name();
    }
}
