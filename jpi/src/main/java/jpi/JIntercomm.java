package jpi;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import jpi.internal.engine.Rank;
import org.jspecify.annotations.Nullable;

/**
 * Two groups of ranks that pass messages to each other: MPI's intercommunicator, made by {@link JComm#createInter}. Whoever is named,
 * as destination, source or root, is named by the rank in the other group.
 *
 * <p>What is true of the methods of the same names of {@link JComm} is true here. All ranks of both groups call the same
 * collective operations in the same order; in checking mode the calls of each group are compared, and those of one with the other's. To
 * whoever records them they are operations of {@link #local}. For those that are not here {@link #merge} the groups.
 */
public final class JIntercomm implements JPeers {
    private final JComm local;
    /** Has the other group's ranks, and this one's rank in its own: so that each side sees the other's. */
    private final JComm remote;
    /** The same on all ranks of a group, and not on the other's. */
    private final boolean first;

    private JIntercomm(JComm local, JComm remote, boolean first) {
        this.local = local;
        this.remote = remote;
        this.first = first;
    }

    /** Refuses what a leader is wrong to give, before anybody waits for it. */
    static JComm requireBridge(@Nullable JComm bridge, int otherLeader, int tag) {
        JComm given = Given.required(
                bridge, "createInter", "a bridge at the leader", "give a communicator that both leaders are in");
        given.members.requireMember(otherLeader);
        JComm.requireTag(tag);
        return given;
    }

    /**
     * See {@link JComm#createInter}.
     *
     * @param bridge null but at the leader
     */
    static JIntercomm create(JComm local, int leader, @Nullable JComm bridge, int otherLeader, int tag) {
        int[] told = bridge == null ? null : arrange(local, bridge, otherLeader, tag);
        if (!(local.<Object>bcast(told, leader) instanceof int[] agreed)) {
            throw Gathering.mismatch();
        }
        int[] theirs = Arrays.copyOfRange(agreed, 2, agreed.length);
        Members other = local.members.part("others of " + local.name(), agreed[0], theirs, local.rank());
        JGroup common = local.group().intersection(other.group());
        if (common.size() > 0) {
            throw new JException(
                    "rank " + common.numbers()[0] + " of the program is in both groups: they must have none in common");
        }
        return new JIntercomm(local, local.as(other, local.mode, local.priority), agreed[1] != 0);
    }

    /**
     * The leaders tell each other their groups; the one with the lower number draws that of the communicator.
     *
     * @return the communicator's number, 1 in the first group and 0 in the second, and the others' numbers
     */
    private static int[] arrange(JComm local, JComm bridge, int otherLeader, int tag) {
        int[] mine = local.group().numbers();
        boolean isFirst = bridge.rank() < otherLeader;
        int[] offer = new int[1 + mine.length];
        offer[0] = isFirst ? local.members.rank().newCommunicator() : 0;
        System.arraycopy(mine, 0, offer, 1, mine.length);
        if (!(bridge.sendrecv(offer, otherLeader, tag, otherLeader, tag) instanceof int[] answer)
                || answer.length < 2) {
            throw new JException("rank " + otherLeader + " of " + bridge.name() + " has sent something else than its"
                    + " group with tag " + tag + ": let no other messages have this tag while createInter is called");
        }
        int[] told = new int[1 + answer.length];
        told[0] = isFirst ? offer[0] : answer[0];
        told[1] = isFirst ? 1 : 0;
        System.arraycopy(answer, 1, told, 2, answer.length - 1);
        return told;
    }

    /** The rank of who asks, in its own group. */
    public int rank() {
        return local.rank();
    }

    /** How many ranks its own group has. */
    public int size() {
        return local.size();
    }

    /** How many ranks the other group has. */
    public int remoteSize() {
        return remote.size();
    }

    /** Its own group. */
    public JGroup group() {
        return local.group();
    }

    /** A communicator of its own group, which is there for what these ranks do among themselves, and for attributes. */
    public JComm local() {
        return local;
    }

    /** The other group. */
    public JGroup remoteGroup() {
        return remote.group();
    }

    @Override
    public JIntercomm isolated() {
        return new JIntercomm(local.isolated(), remote.isolated(), first);
    }

    @Override
    public JIntercomm priority(int newPriority) {
        return new JIntercomm(local.priority(newPriority), remote.priority(newPriority), first);
    }

    // Messages.

    @Override
    public void send(@Nullable Object message, int destination, int tag) {
        remote.send(message, destination, tag);
    }

    @Override
    public void ssend(@Nullable Object message, int destination, int tag) {
        remote.ssend(message, destination, tag);
    }

    @Override
    public void bsend(@Nullable Object message, int destination, int tag) {
        remote.bsend(message, destination, tag);
    }

    @Override
    public JRequest<@Nullable Void> isend(@Nullable Object message, int destination, int tag) {
        return remote.isend(message, destination, tag);
    }

    @Override
    public JRequest<@Nullable Void> issend(@Nullable Object message, int destination, int tag) {
        return remote.issend(message, destination, tag);
    }

    @Override
    public Object recv(int source, int tag) {
        return remote.recv(source, tag);
    }

    @Override
    public <T> T recv(Class<T> type, int source, int tag) {
        return remote.recv(type, source, tag);
    }

    @Override
    public JStatus recv(JBuffer into, int source, int tag) {
        return remote.recv(into, source, tag);
    }

    @Override
    public JRequest<Object> irecv(int source, int tag) {
        return remote.irecv(source, tag);
    }

    @Override
    public JRequest<JStatus> irecv(JBuffer into, int source, int tag) {
        return remote.irecv(into, source, tag);
    }

    @Override
    public Object sendrecv(@Nullable Object message, int destination, int sendTag, int source, int receiveTag) {
        return remote.sendrecv(message, destination, sendTag, source, receiveTag);
    }

    @Override
    public JStatus sendrecv(JBuffer message, int destination, int sendTag, JBuffer into, int source, int receiveTag) {
        return remote.sendrecv(message, destination, sendTag, into, source, receiveTag);
    }

    @Override
    public JPersistent<@Nullable Void> sendInit(@Nullable Object message, int destination, int tag) {
        return remote.sendInit(message, destination, tag);
    }

    @Override
    public JPersistent<Object> recvInit(int source, int tag) {
        return remote.recvInit(source, tag);
    }

    @Override
    public JPersistent<JStatus> recvInit(JBuffer into, int source, int tag) {
        return remote.recvInit(into, source, tag);
    }

    @Override
    public JStatus probe(int source, int tag) {
        return remote.probe(source, tag);
    }

    @Override
    public @Nullable JStatus iprobe(int source, int tag) {
        return remote.iprobe(source, tag);
    }

    @Override
    public @Nullable JMessage mprobe(int source, int tag) {
        return remote.mprobe(source, tag);
    }

    @Override
    public @Nullable JMessage improbe(int source, int tag) {
        return remote.improbe(source, tag);
    }

    // Collective operations.

    /**
     * The next one: begun, told of and, in checking mode, compared within this group as one of its own is.
     *
     * @param steps what is done, with the messages between the groups and those within this one
     */
    private <T extends @Nullable Object> Collective<T> collective(Call call, BiFunction<Exchange, Exchange, T> steps) {
        Exchange between = remote.exchange();
        between.is(call);
        return new Collective<T>(call, within -> {
            if (local.members.rank().settings().checking()) {
                compare(between, within, call);
            }
            return steps.apply(between, within);
        });
    }

    /** Compares what the groups have called. */
    private void compare(Exchange between, Exchange within, Call call) {
        Object[] mine = {call.name(), call.root() == JHandle.ROOT, call.toString()};
        @Nullable
        Object[] theirs =
                Gathering.array(Broadcast.object(within, speaks() ? between.swap(mine, 0, 0) : null, 0), mine.length);
        boolean haveOneRoot = call.root() == Call.NONE || !mine[1].equals(theirs[1]);
        if (!mine[0].equals(theirs[0]) || !haveOneRoot) {
            throw new JException("collective calls between " + local.name() + " and " + remote.name()
                    + " do not match: this group called " + mine[2] + "; the other called " + theirs[2]
                    + ": let both make the same calls in the same order, with one root");
        }
    }

    private boolean speaks() {
        return rank() == 0;
    }

    private static boolean isNamed(int root) {
        return root != JHandle.ROOT && root != JHandle.PROC_NULL;
    }

    private Call rooted(String name, int root) {
        if (isNamed(root)) {
            remote.members.requireMember(root);
        }
        return Call.rooted(name, isNamed(root) ? root : JHandle.ROOT, null);
    }

    /** Waits until all ranks of both groups have come here. */
    public void barrier() {
        var _ = barrierOf().run(local.exchange());
    }

    /** Begins {@link #barrier}. */
    public JRequest<@Nullable Void> ibarrier() {
        return barrierOf().begin(local.exchange());
    }

    private Collective<@Nullable Void> barrierOf() {
        return this.<@Nullable Void>collective(Call.of("barrier", null), (between, within) -> {
            Barrier.passByMessages(within);
            if (speaks()) {
                var _ = between.swap((Object) null, 0, 0);
            }
            Barrier.passByMessages(within);
            return null;
        });
    }

    /**
     * One rank's message reaches all of the other group.
     *
     * @param message at other ranks anything, null for instance
     * @param root that rank; in its own group {@link JHandle#ROOT} at that rank, {@link JHandle#PROC_NULL} at the others
     * @return the message; null at the others of the root's group
     */
    public <T> @Nullable T bcast(@Nullable T message, int root) {
        return bcastOf(message, root).run(local.exchange());
    }

    /** Begins {@link #bcast}. */
    public <T> JRequest<@Nullable T> ibcast(@Nullable T message, int root) {
        return bcastOf(message, root).begin(local.exchange());
    }

    @SuppressWarnings("unchecked") // what a rank gives is a T
    private <T> Collective<@Nullable T> bcastOf(@Nullable T message, int root) {
        if (root == JHandle.ROOT) {
            Gathering.requireObject(message);
        }
        return this.<@Nullable T>collective(rooted("bcast", root), (between, within) -> {
            if (root == JHandle.ROOT) {
                between.send(message, 0);
                return message;
            }
            return isNamed(root) ? (T) Broadcast.object(within, speaks() ? between.receive(root) : null, 0) : null;
        });
    }

    /**
     * The messages of all ranks of one group reach one rank of the other.
     *
     * @param message at the ranks of the root's group anything, null for instance
     * @param root as in {@link #bcast}
     * @return there the messages in the order of the ranks, not to be changed; elsewhere null
     */
    public <T> @Nullable List<T> gather(T message, int root) {
        return gatherOf(message, root).run(local.exchange());
    }

    /** Begins {@link #gather}. */
    public <T> JRequest<@Nullable List<T>> igather(T message, int root) {
        return gatherOf(message, root).begin(local.exchange());
    }

    @SuppressWarnings("unchecked") // what a rank gives is a T
    private <T> Collective<@Nullable List<T>> gatherOf(T message, int root) {
        if (isNamed(root)) {
            Gathering.requireObject(message);
        }
        return this.<@Nullable List<T>>collective(rooted("gather", root), (between, within) -> {
            if (root == JHandle.ROOT) {
                return (List<T>) Gathering.list(Gathering.array(between.receive(0), remoteSize()));
            }
            List<@Nullable Object> all = isNamed(root) ? Gathering.objects(within, message, 0) : null;
            if (all != null) {
                between.send(all.toArray(), root);
            }
            return null;
        });
    }

    /**
     * Every rank's message reaches all of the other group.
     *
     * @return the other group's messages in the order of its ranks, not to be changed
     */
    public <T> List<T> allgather(T message) {
        return allgatherOf(message).run(local.exchange());
    }

    /** Begins {@link #allgather}. */
    public <T> JRequest<List<T>> iallgather(T message) {
        return allgatherOf(message).begin(local.exchange());
    }

    @SuppressWarnings("unchecked") // what a rank gives is a T
    private <T> Collective<List<T>> allgatherOf(T message) {
        Gathering.requireObject(message);
        return collective(Call.of("allgather", null), (between, within) -> {
            List<@Nullable Object> all = Gathering.objects(within, message, 0);
            Object theirs = all == null ? null : between.swap(all.toArray(), 0, 0);
            return (List<T>) Gathering.list(Gathering.array(Broadcast.object(within, theirs, 0), remoteSize()));
        });
    }

    // Other communicators, and the end.

    /** Another one of the same groups, with those attributes of {@link #local} that are to be copied. */
    public JIntercomm dup() {
        return duplication().run(local.exchange());
    }

    /** Begins {@link #dup}; messages may not be passed over the new one before the request is over. */
    public JRequest<JIntercomm> idup() {
        return duplication().begin(local.exchange());
    }

    private Collective<JIntercomm> duplication() {
        return collective(Call.of("dup", null), this::copy);
    }

    private JIntercomm copy(Exchange between, Exchange within) {
        int[] drawn = null;
        if (speaks()) {
            Rank rank = local.members.rank();
            int ours = rank.newCommunicator();
            int shared = first ? rank.newCommunicator() : 0;
            int[] theirs = Partition.numbers(between.swap(new int[] {shared}, 0, 0), 1);
            drawn = new int[] {ours, first ? shared : theirs[0]};
        }
        int[] numbers = Partition.numbers(Broadcast.object(within, drawn, 0), 2);
        JComm ours = local.as(local.members.copy(numbers[0]), local.mode, local.priority);
        JComm others = local.as(remote.members.copy(numbers[1]), local.mode, local.priority);
        return new JIntercomm(ours, others, first);
    }

    /** How alike two are, both groups of each. */
    public JComparison compare(JIntercomm other) {
        var _ = Given.required(other, "compare", "a communicator of two groups", "compare with one that is there");
        JComparison ours = local.compare(other.local);
        JComparison others = remoteGroup().compare(other.remoteGroup());
        if (ours == JComparison.UNEQUAL || others == JComparison.UNEQUAL) {
            return JComparison.UNEQUAL;
        }
        return others == JComparison.SIMILAR ? others : ours;
    }

    /**
     * A communicator of all ranks of both groups.
     *
     * @param high false: this group's ranks come before those of a group that says true; the same on all ranks of a group
     */
    public JComm merge(boolean high) {
        return this.<JComm>collective(Call.of("merge", null), (between, within) -> merge(between, within, high))
                .run(local.exchange());
    }

    private JComm merge(Exchange between, Exchange within, boolean high) {
        int[] agreed = null;
        if (speaks()) {
            int drawn = first ? local.members.rank().newCommunicator() : 0;
            int[] theirs = Partition.numbers(between.swap(new int[] {drawn, high ? 1 : 0}, 0, 0), 2);
            boolean theirsHigh = theirs[1] != 0;
            boolean lower = high == theirsHigh ? first : theirsHigh;
            agreed = new int[] {first ? drawn : theirs[0], lower ? 1 : 0};
        }
        int[] told = Partition.numbers(Broadcast.object(within, agreed, 0), 2);
        int[] mine = local.group().numbers();
        int[] theirs = remote.group().numbers();
        boolean isLower = told[1] != 0;
        int[] all = isLower ? concat(mine, theirs) : concat(theirs, mine);
        int me = isLower ? rank() : theirs.length + rank();
        Members both = local.members.part(local.name() + " and others", told[0], all, me);
        return local.as(both, local.mode, local.priority);
    }

    private static int[] concat(int[] head, int[] tail) {
        return IntStream.concat(IntStream.of(head), IntStream.of(tail)).toArray();
    }

    /** See {@link JComm#free}. */
    public void free() {
        remote.free();
        local.free();
    }

    @Override
    public String toString() {
        return "rank " + rank() + " of " + size() + ", beside " + remoteSize();
    }
}
