package jpi.soak;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JException;
import jpi.JHandle;
import jpi.JMessage;
import jpi.JRequest;
import jpi.JStatus;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a storm: random messages of any size, tag and priority to any rank, as arrays, buffers or objects, by all ways to
 * send; received by name or by wildcard, at once or later, some looked at before, some receives given up. That none is lost,
 * doubled, corrupted, or out of order within its source, tag and priority is what it looks for in all that comes.
 */
public final class StormPlayer {
    /** Messages of this tag may be received into buffers. */
    private static final int INTS = 0;

    private static final int LONGS = 1;
    /** The third one is of objects. */
    private static final int TAGS = 3;

    /** That a rank has sent all its messages of a round, and how many these were. */
    private static final int STOP = TAGS;

    private static final int MOST_SENDS = 16;
    /** Receives that have begun, and what came after them. */
    private static final int MOST_RECEIVES = 24;

    private static final int SHORT = 60;
    private static final int MIDDLE = 5_000;
    /** More than goes to another JVM before it is wanted. */
    private static final int LONG = 40_000;

    private final JComm world;
    private final SplittableRandom random;
    /** By rank, tag and priority: the next number. */
    private final int[][][] sent;

    private final int[][][] received;
    /** By rank: all that has been sent there, and come from there. */
    private final long[] sentInAll;

    private final long[] receivedInAll;
    /** By rank: what it has said that it had sent; less than nothing: has not said so in this round. */
    private final long[] announced;

    private final List<JRequest<?>> sends = new ArrayList<>();
    /** In the order in which the receives began, for in this order messages of one kind come. */
    private final Queue<Coming> receives = new ArrayDeque<>();

    private final Queue<JBuffer> sinks = new ArrayDeque<>();
    private long cancelled;

    /** A message that has come, or is expected. */
    private sealed interface Coming {
        boolean isHere();
    }

    private record Here(Object message, @Nullable JStatus status) implements Coming {
        @Override
        public boolean isHere() {
            return true;
        }
    }

    private record Expected(JRequest<Object> request) implements Coming {
        @Override
        public boolean isHere() {
            return request.test();
        }
    }

    private record ExpectedInto(JBuffer sink, JRequest<JStatus> request) implements Coming {
        @Override
        public boolean isHere() {
            return request.test();
        }
    }

    /** A message that is an object. */
    private record Wrapped(String text, List<Object> parts) {}

    /**
     * A rank.
     *
     * @param seed together with the rank, of what is random
     */
    public StormPlayer(JComm world, long seed) {
        this.world = world;
        random = new SplittableRandom(seed + world.rank());
        sent = new int[world.size()][TAGS][Thread.MAX_PRIORITY + 1];
        received = new int[world.size()][TAGS][Thread.MAX_PRIORITY + 1];
        sentInAll = new long[world.size()];
        receivedInAll = new long[world.size()];
        announced = new long[world.size()];
    }

    /** Sends so many messages, and receives all that are sent to it meanwhile. Nothing is under way when it returns. */
    public void play(int messages) {
        Arrays.fill(announced, -1);
        for (int i = 0; i < messages; i++) {
            sendOne();
            receiveOne();
            while (sends.size() > MOST_SENDS) {
                awaitOne();
                sends.removeIf(JRequest::test);
            }
        }
        for (int other = 0; other < world.size(); other++) {
            sends.add(world.isend(sentInAll[other], other, STOP));
        }
        settleAll();
        while (!isComplete()) {
            JMessage message = Objects.requireNonNull(world.mprobe(JHandle.ANY_SOURCE, JHandle.ANY_TAG));
            check(message.recv(), message.status());
        }
        JRequest.awaitAll(sends);
        sends.clear();
        world.barrier();
        JStatus more = world.iprobe(JHandle.ANY_SOURCE, JHandle.ANY_TAG);
        if (more != null) {
            throw new JException("a message that nobody has sent: " + more);
        }
        world.barrier();
    }

    /** Receives that it has given up. */
    public long cancelled() {
        return cancelled;
    }

    private boolean isComplete() {
        for (int i = 0; i < announced.length; i++) {
            if (announced[i] >= 0 && receivedInAll[i] > announced[i]) {
                throw new JException(
                        receivedInAll[i] + " messages of rank " + i + " have come, which sent " + announced[i]);
            }
        }
        return Arrays.equals(announced, receivedInAll);
    }

    // Sending.

    private int length() {
        int kind = random.nextInt(100);
        return Parcel.LEAST + random.nextInt(kind < 85 ? SHORT : kind < 99 ? MIDDLE : LONG);
    }

    private void sendOne() {
        int destination = random.nextInt(world.size());
        int tag = random.nextInt(TAGS);
        int priority = 1 + random.nextInt(Thread.MAX_PRIORITY);
        int number = sent[destination][tag][priority]++;
        sentInAll[destination]++;
        Parcel parcel = new Parcel(world.rank(), destination, tag, priority, number);
        JComm way = priority == Thread.NORM_PRIORITY ? world : world.priority(priority);
        Object message = message(parcel, length());
        switch (random.nextInt(8)) {
            case 0 -> way.bsend(message, destination, tag);
            case 1 -> sends.add(way.issend(message, destination, tag));
            case 2 -> sends.add(way.isolated().isend(message, destination, tag));
            default -> sends.add(way.isend(message, destination, tag));
        }
    }

    private Object message(Parcel parcel, int length) {
        return switch (parcel.tag()) {
            case INTS -> random.nextBoolean() ? parcel.ints(length) : range(parcel, length);
            case LONGS -> longs(parcel.longs(length));
            default -> object(parcel, length);
        };
    }

    private static JBuffer range(Parcel parcel, int length) {
        int[] array = new int[length + 2];
        parcel.fill(array, 1, length);
        return JBuffer.of(array, 1, length);
    }

    private Object longs(long[] array) {
        return switch (random.nextInt(16)) {
            case 0 -> outside(array);
            case 1, 2, 3, 4, 5, 6, 7 -> JBuffer.of(array);
            default -> array;
        };
    }

    /** The same off the heap. */
    private static JBuffer outside(long[] array) {
        MemorySegment memory = Arena.ofAuto().allocate((long) array.length * Long.BYTES, Long.BYTES);
        MemorySegment.copy(array, 0, memory, ValueLayout.JAVA_LONG, 0, array.length);
        return JBuffer.of(memory, JType.LONG);
    }

    private Object object(Parcel parcel, int length) {
        return switch (random.nextInt(3)) {
            case 0 -> new ArrayList<>(List.of(parcel.ints(length)));
            case 1 -> new Object[] {parcel.longs(length)};
            default -> new Wrapped(parcel.toString(), List.of(parcel.ints(length)));
        };
    }

    // Receiving.

    private int anyOr(int some) {
        return random.nextBoolean() ? JHandle.ANY_SOURCE : some;
    }

    private void receiveOne() {
        int source = anyOr(random.nextInt(world.size()));
        int tag = anyOr(random.nextInt(TAGS));
        switch (random.nextInt(8)) {
            case 0 -> {
                JBuffer sink = sink();
                receives.add(new ExpectedInto(sink, world.irecv(sink, source, INTS)));
            }
            case 1, 2 -> receives.add(new Expected(world.irecv(source, tag)));
            case 3 -> { // to be given up, unless a message is there
                JRequest<Object> request = world.irecv(source, tag);
                if (request.test() || !request.cancel()) {
                    receives.add(new Expected(request));
                } else {
                    cancelled++;
                }
            }
            case 4 -> {
                JStatus there = world.iprobe(source, tag);
                if (there != null) { // but a more important one of the same kind may have come since
                    boolean same = there.tag() == STOP;
                    receives.add(new Here(world.recv(there.source(), there.tag()), same ? there : null));
                }
            }
            default -> take(world.improbe(source, tag));
        }
        settleSome();
    }

    /** Waits until a message is out of its hands, or any has come: who is to take those of this rank may wait for it. */
    private void awaitOne() {
        settleAll();
        JRequest<Object> any = world.irecv(JHandle.ANY_SOURCE, JHandle.ANY_TAG);
        receives.add(new Expected(any));
        List<JRequest<?>> all = new ArrayList<>(sends);
        all.add(any);
        var _ = JRequest.awaitAny(all);
        settleSome();
    }

    private void take(@Nullable JMessage message) {
        if (message == null) {
            return;
        }
        JStatus status = message.status();
        if (status.tag() == INTS && random.nextBoolean()) {
            int[] into = new int[status.count()];
            status = message.recv(JBuffer.of(into));
            receives.add(new Here(into, status));
        } else {
            receives.add(new Here(message.recv(), status));
        }
    }

    private JBuffer sink() {
        JBuffer free = sinks.poll();
        return free == null ? JBuffer.of(new int[Parcel.LEAST + LONG]) : free;
    }

    private void settleSome() {
        while (!receives.isEmpty() && (receives.element().isHere() || receives.size() > MOST_RECEIVES)) {
            settle(receives.remove());
        }
    }

    private void settleAll() {
        while (!receives.isEmpty()) {
            settle(receives.remove());
        }
    }

    private void settle(Coming first) {
        switch (first) {
            case Here(Object message, JStatus status) -> check(message, status);
            case Expected(JRequest<Object> request) -> {
                if (!isGivenUp(request)) {
                    check(request.await(), request.status());
                }
            }
            case ExpectedInto(JBuffer sink, JRequest<JStatus> request) -> {
                if (!isGivenUp(request)) {
                    JStatus status = request.await();
                    check(Parcel.of((int[]) sink.memory().heapBase().orElseThrow(), status.count()), status);
                }
                sinks.add(sink);
            }
        }
    }

    private boolean isGivenUp(JRequest<?> request) {
        boolean givenUp = !request.test() && request.cancel();
        if (givenUp) {
            cancelled++;
        }
        return givenUp;
    }

    /** @param status null: not known */
    private void check(Object message, @Nullable JStatus status) {
        switch (message) {
            case Long count -> announced[Objects.requireNonNull(status).source()] = count;
            case List<?> list -> check(Parcel.of(list.getFirst()), status);
            case Object[] array -> check(Parcel.of(array[0]), status);
            case Wrapped(String text, List<Object> parts) -> {
                Parcel parcel = Parcel.of(parts.getFirst());
                if (!text.equals(parcel.toString())) {
                    throw new JException(parcel + " came with the text of " + text);
                }
                check(parcel, status);
            }
            default -> check(Parcel.of(message), status);
        }
    }

    private void check(Parcel parcel, @Nullable JStatus status) {
        int expected = received[parcel.source()][parcel.tag()][parcel.priority()]++;
        if (parcel.number() != expected) {
            throw new JException(
                    parcel + " has come to rank " + world.rank() + " where number " + expected + " was due");
        }
        boolean isMine = parcel.destination() == world.rank();
        boolean suits = status == null
                || (status.source() == parcel.source()
                        && status.tag() == parcel.tag()
                        && status.priority() == parcel.priority());
        if (!isMine || !suits) {
            throw new JException(parcel + " has come to rank " + world.rank() + " as " + status);
        }
        receivedInAll[parcel.source()]++;
    }
}
