package jpi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jpi.internal.engine.Completion;
import jpi.internal.engine.Multicast;
import jpi.internal.engine.Operation;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;
import jpi.internal.engine.Sending;
import jpi.internal.engine.Turn;
import jpi.internal.shm.Assembly;
import org.jspecify.annotations.Nullable;

/** The messages of one collective operation, as one rank sends and receives them. Made when the operation is begun. */
final class Exchange {
    /** Of ranks that made the same call, so many are named when calls do not match. */
    private static final int NAMED = 8;

    private final Members members;
    private final Rank.Mode mode;
    private final int priority;
    private final int tag;
    private @Nullable Call call;
    /** The largest temporary memory. */
    private @Nullable JBuffer spare;
    /** What the rank waits, or last waited, for. Another thread may see one that is outdated. */
    private @Nullable Completion awaited;
    /** Where it has left what it gives. Another thread may see that late. */
    private @Nullable Assembly joined;
    /** A bit for each rank whose it needs there. */
    private long needed;

    private boolean left;

    /** The next one of a communicator. */
    Exchange(Members members, Rank.Mode mode, int priority) {
        this.members = members;
        this.mode = mode;
        this.priority = priority;
        tag = members.nextCollective();
    }

    int me() {
        return members.me();
    }

    int size() {
        return members.size();
    }

    Members members() {
        return members;
    }

    /**
     * If few ranks share CPUs: what takes the fewest turns of a rank is then faster than what takes the fewest steps. All ranks say the
     * same.
     */
    boolean isCrowded() {
        return members.rank().settings().crowded() && size() <= Gathering.FEW_RANKS;
    }

    /** If few ranks are all of one JVM. All ranks say the same. */
    boolean isOfFewInOneJvm() {
        if (size() > Gathering.FEW_RANKS) {
            return false;
        }
        int worker = members.worker(0);
        for (int i = 1; i < size(); i++) {
            if (members.worker(i) != worker) {
                return false;
            }
        }
        return true;
    }

    /** If a rank posts what it sends to all. All ranks say the same. */
    boolean posts(int sender, long bytes) {
        int worker = members.worker(sender);
        int readers = 0;
        for (int i = 0; i < size(); i++) {
            readers += members.worker(i) == worker ? 0 : 1;
        }
        return Multicast.pays(members.rank(), readers, bytes);
    }

    /** Among the collective operations of its communicator. */
    int number() {
        return tag;
    }

    /**
     * Comes to where the ranks leave what they give, and waits for those whose it needs. One that has begun many operations first waits for
     * the end of an earlier one there.
     *
     * @param said of the operation
     * @param needs a bit for each whose a rank needs
     */
    void meet(Assembly assembly, long said, JBuffer given, IntToLongFunction needs) {
        if (left) {
            throw new AssertionError(this + ", which has given up its place");
        }
        Turn turn = members.turn(tag);
        if (turn != null) {
            await(turn);
        }
        Rank rank = members.rank();
        if (!rank.looksFor(() -> assembly.hasRoom(tag, me()), () -> true) && assembly.wantsRoom(tag, me())) {
            receive(Barrier.NOTHING, Receive.ANY);
        }
        int cpu = rank.cpu();
        try {
            assembly.leave(tag, me(), cpu, said, given.memory());
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        }
        needed = needs.applyAsLong(me());
        joined = assembly;
        for (long told = assembly.come(tag, me(), needs); told != 0; told &= told - 1) {
            send(Barrier.NOTHING, Long.numberOfTrailingZeros(told));
        }
        if (!rank.looksFor(() -> assembly.areHere(tag, needed), () -> assembly.needCpu(tag, needed, cpu))
                && assembly.waitsFor(tag, me(), needed)) {
            receive(Barrier.NOTHING, Receive.ANY);
        }
    }

    /** Goes from there, and tells those that wait for room. */
    private void go(Assembly assembly) {
        for (long wanting = assembly.go(tag, me()); wanting != 0; wanting &= wanting - 1) {
            int rank = Long.numberOfTrailingZeros(wanting);
            finish(begin(Barrier.NOTHING, rank, assembly.wanted(tag, rank)));
        }
    }

    /** What is told of it. */
    Operation operation(Call call) {
        return new Operation(call.name(), members.name(), size(), call.root(), tag, priority, call.sample());
    }

    /** Memory of the operation's own, until it ends; with anything in it. */
    JBuffer temporary(JType type, long count) {
        JBuffer taken = members.takeSpare(type, count);
        if (spare == null || spare.size() < taken.size()) {
            spare = taken;
        }
        return taken.count() == count ? taken : taken.slice(0, (int) count);
    }

    /** The operation has ended, and nothing of it is under way. */
    void end() {
        if (spare != null) {
            members.leaveSpare(spare);
        }
    }

    /** It needs no place where the ranks leave what they give, or does not any more. */
    void leave() {
        if (!left) {
            left = true;
            Assembly assembly = joined;
            if (assembly != null) {
                go(assembly);
            }
            members.leave(tag);
        }
    }

    /** Refuses a root that is none. */
    void requireRoot(int root) {
        members.requireMember(root);
    }

    /** Refuses lists and arrays that have not one element for each rank. */
    void requireOneEach(String what, int count) {
        if (count != size()) {
            throw new JException(count + " " + what + " for the " + size() + " ranks of " + members.name()
                    + ": must be one for each");
        }
    }

    // For whoever looks for a deadlock.

    /** The operation, and whose. */
    @Override
    public String toString() {
        String operation = "in " + (call == null ? "a collective operation" : call.name()) + " of " + members.name();
        Assembly assembly = joined;
        long absent = assembly == null ? 0 : assembly.absent(tag, needed);
        return absent == 0
                ? operation
                : operation + ", for "
                        + name(IntStream.range(0, size())
                                .filter(i -> (absent >>> i & 1) != 0)
                                .map(members::number)
                                .boxed()
                                .toList());
    }

    /** What the rank does, after the word "waits". */
    String standing() {
        Completion last = awaited;
        return last == null || last.isDone() ? toString() : last.description();
    }

    private void await(Completion wanted) {
        wanted.partOf(this);
        awaited = wanted;
        members.rank().await(wanted);
    }

    // Messages.

    /** Begins to send. */
    @Nullable
    Sending begin(@Nullable Object message, int to) {
        return begin(message, to, tag);
    }

    private @Nullable Sending begin(@Nullable Object message, int to, int someTag) {
        return members.rank()
                .send(members.number(to), members.collectiveContext(), me(), someTag, priority, message, mode);
    }

    /** Waits until what was sent is out of the sender's hands. */
    void finish(@Nullable Sending sending) {
        if (sending != null) {
            await(sending);
            sending.check();
        }
    }

    void send(@Nullable Object message, int to) {
        finish(begin(message, to));
    }

    /** Begins to receive; null: an object. */
    Receive expect(@Nullable JBuffer into, int from) {
        return members.rank()
                .receive(Receive.Kind.TAKE, members.collectiveContext(), from, tag, members.sender(from), into);
    }

    @Nullable
    Object value(Receive receive) {
        await(receive);
        return receive.value();
    }

    /** Waits until a buffer is full. */
    void fill(Receive receive, JBuffer into) {
        await(receive);
        requireFull(receive, into);
    }

    private void requireFull(Receive receive, JBuffer into) {
        int count = receive.count();
        if (count != into.count()) {
            throw misfit(count, into, receive.status().source());
        }
    }

    /** That another count has come than a buffer has. */
    JException misfit(int count, JBuffer into, int from) {
        return new JException("rank " + from + " of " + members.name() + " gave " + count + " "
                + into.type() + "s, but " + into.count() + " were expected: the counts of a collective operation"
                + " must agree");
    }

    private Receive fetch(@Nullable JBuffer into, int from) {
        Receive receive = members.rank().newFetch(members.collectiveContext(), from, tag, members.sender(from), into);
        receive.partOf(this);
        awaited = receive;
        return members.rank().fetch(receive);
    }

    @Nullable
    Object receive(int from) {
        return fetch(null, from).takeValue();
    }

    void receive(JBuffer into, int from) {
        Receive receive = fetch(into, from);
        requireFull(receive, into);
        receive.rest();
    }

    /** Sends and receives at once. */
    @Nullable
    Object swap(@Nullable Object message, int to, int from) {
        Sending sending = begin(message, to);
        Object received = receive(from);
        finish(sending);
        return received;
    }

    /** Sends and receives at once. */
    void swap(JBuffer message, int to, JBuffer into, int from) {
        Sending sending = begin(message, to);
        receive(into, from);
        finish(sending);
    }

    /** Sends to the other one of two ranks and receives from it, and copies what this one keeps while that travels. */
    void swap(JBuffer message, JBuffer into, JBuffer kept, JBuffer keptInto) {
        keptInto.requireTakes(kept); // before anything of it is under way
        int other = 1 - me();
        Sending sending = begin(message, other);
        keptInto.copyFrom(kept);
        receive(into, other);
        finish(sending);
    }

    // Several at once.

    private record Expected(Receive receive, JBuffer into) {}

    /** What has begun together. */
    final class Batch {
        private final List<Sending> sendings = new ArrayList<>();
        private final List<Expected> receives = new ArrayList<>();

        void expect(JBuffer into, int from) {
            receives.add(new Expected(Exchange.this.expect(into, from), into));
        }

        void begin(@Nullable Object message, int to) {
            Sending sending = Exchange.this.begin(message, to);
            if (sending != null) {
                sendings.add(sending);
            }
        }

        /** Begins to send the same to all others. */
        void beginToAll(JBuffer contents) {
            int size = size();
            if (Multicast.pays(members.rank(), size - 1, contents.size())) {
                int[] others = IntStream.range(1, size)
                        .map(i -> members.number((me() + i) % size))
                        .toArray();
                new Multicast(members.rank(), members.collectiveContext(), me(), tag, priority, contents, mode)
                        .send(others, sendings::add);
                return;
            }
            for (int i = 1; i < size; i++) {
                begin(contents, (me() + i) % size);
            }
        }

        /** Waits for all. */
        void finish() {
            receives.forEach(expected -> fill(expected.receive, expected.into));
            sendings.forEach(Exchange.this::finish);
        }
    }

    /**
     * A buffer that comes from another rank in parts. Some are expected ahead, so that what comes while this rank reduces an earlier one
     * goes to its place and nowhere else.
     */
    final class Row {
        private static final int AHEAD = 8;

        private final Parts parts;
        private final JBuffer into;
        private final int from;
        private final Expected[] ahead;
        private int expected;
        private int next;

        Row(Parts parts, JBuffer into, int from) {
            this.parts = parts;
            this.into = into;
            this.from = from;
            ahead = new Expected[parts.count() == 1 ? 0 : Math.min(parts.count(), AHEAD)];
            while (expected < ahead.length) {
                expectOne();
            }
        }

        private void expectOne() {
            JBuffer part = parts.of(into, expected);
            ahead[expected % AHEAD] = new Expected(expect(part, from), part);
            expected++;
        }

        /** Waits for the next part. */
        JBuffer next() {
            if (ahead.length == 0) {
                receive(into, from);
                return into;
            }
            Expected first = ahead[next % AHEAD];
            fill(first.receive, first.into);
            next++;
            if (expected < parts.count()) {
                expectOne();
            }
            return first.into;
        }
    }

    // Checking.

    /** Says what is done here. */
    void is(Call said) {
        call = said;
    }

    /** Says what is done here. In checking mode, compares what the ranks have called. */
    void enter(Call entered) {
        is(entered);
        if (!members.rank().settings().checking()) {
            return;
        }
        Map<@Nullable Object, List<Integer>> callers = new LinkedHashMap<>();
        List<@Nullable Object> calls = Gathering.allObjects(this, entered.toString());
        for (int i = 0; i < calls.size(); i++) {
            callers.computeIfAbsent(calls.get(i), _ -> new ArrayList<>()).add(i);
        }
        if (callers.size() > 1) {
            throw new JException("collective calls in " + members.name() + " do not match: "
                    + callers.entrySet().stream()
                            .map(entry -> name(entry.getValue()) + " called " + entry.getKey())
                            .collect(Collectors.joining("; "))
                    + ": let all ranks make the same calls in the same order");
        }
    }

    private static String name(List<Integer> ranks) {
        String named = ranks.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        int more = ranks.size() - NAMED;
        return (ranks.size() == 1 ? "rank " : "ranks ") + named + (more > 0 ? " and " + more + " more" : "");
    }
}
