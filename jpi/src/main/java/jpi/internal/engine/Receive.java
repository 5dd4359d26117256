package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import jpi.JBuffer;
import jpi.JException;
import jpi.JStatus;
import jpi.JType;
import jpi.internal.objects.EncodedBytes;
import org.jspecify.annotations.Nullable;

/** That a rank wants a message: until one has come, or it is given up. */
public sealed class Receive extends Completion implements Event permits RepeatedReceive, WatchedReceive {
    /** Any source, any tag. */
    public static final int ANY = -1;

    /** A count, or a size: that of the value, if it is asked for. */
    private static final int OF_VALUE = -2;

    /** What is done with the message. */
    public enum Kind {
        /** It is taken. */
        TAKE,
        /** It is taken, but not looked into yet: matched probe. */
        CLAIM,
        /** It stays. */
        PROBE
    }

    final Kind kind;

    // Of a RepeatedReceive not always the same.
    int context;
    int source;
    int tag;
    /** Number of the rank that it is to come from; ANY: not known. */
    int sender;
    /** Where it is to be put; null: it is returned. */
    private @Nullable JBuffer sink;

    /** The next one that began. */
    @Nullable
    Receive laterPosted;

    /** Where it is. Numbers: to write a reference into an old object takes the collector's barrier, a fence. */
    static final class Standing {
        /** What has come already has not been looked through. */
        static final int NEW = 0;
        /** Only the thread that waits for it knows of it. */
        static final int ALONE = 1;
        /** It is among those that wait for a message. */
        static final int POSTED = 2;
        /** Its message has been found, and may still be on its way into its memory. */
        static final int MATCHED = 3;

        private Standing() {}
    }

    int standing = Standing.NEW;

    // What has come; of who ends it, and then of who waited.
    private int fromSource;
    private int fromTag;
    private int fromPriority;
    private int count;
    private long size;
    /** What is returned; of an {@link Message.Encoded} what it says. */
    private @Nullable Object value;
    /** Of those who want it, as several threads may. */
    private @Nullable Object decoded;

    private boolean isDecoded;
    /** The message that has been claimed. */
    private @Nullable Message claimed;
    /** Why what comes cannot be taken. */
    private @Nullable JException misfit;

    private boolean given;
    /** If somebody has been told what has come. */
    private boolean told;

    /** @throws JException if the sink cannot be written to */
    Receive(Mailbox home, Kind kind, int context, int source, int tag, int sender, @Nullable JBuffer sink) {
        super(home);
        if (sink != null) {
            requireWritable(sink);
        }
        this.kind = kind;
        this.context = context;
        this.source = source;
        this.tag = tag;
        this.sender = sender;
        this.sink = sink;
    }

    /** It begins once more. By the thread that it is {@linkplain #isFree free} for. */
    final void renew(int someContext, int someSource, int someTag, int someSender, @Nullable JBuffer into) {
        if (into != null) {
            requireWritable(into);
        }
        renew();
        context = someContext;
        source = someSource;
        tag = someTag;
        sender = someSender;
        standing = Standing.NEW;
        sink = into;
    }

    /** It has ended, and may be renewed: it keeps nothing that the program may drop. */
    public final void rest() {
        sink = null;
        value = null;
        partOf(null);
    }

    /** If it may begin again, by the thread that has begun it: what is made of a message while it is decoded may receive others. */
    final boolean isFree() {
        return isForgotten() && sink == null && value == null;
    }

    private static void requireWritable(JBuffer sink) {
        if (sink.memory().isReadOnly()) {
            throw new JException(sink + " is to take a message, and its memory is read-only: receive into another");
        }
    }

    @Override
    public void happen(Mailbox mailbox) {
        mailbox.begin(this);
    }

    /** If a message is one for it. */
    boolean wants(int someContext, int someSource, int someTag) {
        return context == someContext && (tag == someTag || tag == ANY) && (source == someSource || source == ANY);
    }

    // What has come.

    private void describe(int someSource, int someTag, int priority, int someCount, long someSize) {
        standing = Standing.MATCHED;
        fromSource = someSource;
        fromTag = someTag;
        fromPriority = priority;
        count = someCount;
        size = someSize;
    }

    /** A message has been found for it, in the order in which messages are sent. By who tends the mailbox. */
    void meet() {
        // Nobody wants to know.
    }

    /** Its message. By who tends the mailbox. */
    void take(Message taken) {
        if (kind == Kind.TAKE && !(taken.body instanceof Incoming)) {
            take(taken.source, taken.tag, taken.priority, taken.body, taken.sending);
            return;
        }
        describe(taken.source, taken.tag, taken.priority, taken.count(), taken.bytes());
        if (kind != Kind.PROBE) {
            meet();
        }
        if (taken.body instanceof Incoming incoming && kind == Kind.TAKE) {
            open(incoming);
        } else {
            claimed = taken;
            completeAtHome();
        }
    }

    /** A message that is there in this JVM. By who tends the mailbox. */
    void take(int someSource, int someTag, int priority, @Nullable Object body, @Nullable Sending sending) {
        boolean isReturned = sink == null && !(body instanceof Message.Encoded);
        describe(
                someSource,
                someTag,
                priority,
                isReturned ? OF_VALUE : Message.count(body),
                isReturned ? OF_VALUE : Message.bytes(body));
        if (body instanceof Message.Borrowed borrowed && borrowed.buffer().size() > Copying.PIECE) {
            copyInPieces(borrowed.buffer(), sending);
            return;
        }
        JException failure = open(body);
        meet();
        if (failure == null) {
            completeAtHome();
        } else {
            failAtHome(failure);
        }
        if (sending != null) {
            sending.complete();
        }
    }

    private void copyInPieces(JBuffer from, @Nullable Sending sending) {
        makeKnown();
        MemorySegment into = null;
        JException failure = null;
        if (sink == null) {
            try {
                into = ownMemory(from.type(), from.count());
            } catch (OutOfMemoryError e) {
                failure = noMemory(from.size(), e);
            }
        } else if (from.type() == sink.type() && from.size() <= sink.size()) {
            into = sink.memory();
        } else {
            failure = misfit(from.type(), from.count(), sink);
        }
        meet();
        if (into != null) {
            home().copy(new Copying(this, fromPriority, home().world().tick(), from.memory(), into, sending));
            return;
        }
        failAtHome(requireNonNull(failure));
        if (sending != null) {
            sending.complete();
        }
    }

    /** That of the array that is to be returned. */
    private MemorySegment ownMemory(JType type, int elements) {
        Object array = type.newArray(elements);
        value = array;
        return JType.memoryOf(array);
    }

    /** That of the bytes of the object that is to be returned. */
    private MemorySegment ownBytes(int length) {
        Message.Encoded encoded = room(length);
        value = encoded;
        return encoded.bytes().memory();
    }

    /** Where so many bytes of an object are put. */
    Message.Encoded room(int length) {
        return new Message.Encoded(new EncodedBytes(new byte[length]));
    }

    /** A message that has been claimed. By any thread, as long as nobody waits for this. */
    void takeClaimed(Message taken) {
        describe(taken.source, taken.tag, taken.priority, taken.count(), taken.bytes());
        if (taken.body instanceof Incoming incoming) {
            open(incoming);
            return;
        }
        end(open(taken.body));
        taken.letSenderGo();
    }

    private void end(@Nullable JException failure) {
        if (failure == null) {
            complete();
        } else {
            fail(failure);
        }
    }

    /** Elements, or an encoded object, that are the next message of another JVM, and lie in its ring. By who tends the mailbox. */
    void take(int someSource, int someTag, int priority, Wire.Kind what, int bytes, Peer peer, long slot) {
        describe(someSource, someTag, priority, what.count(bytes), bytes);
        meet();
        JType type = what.type();
        JException failure = null;
        if (sink == null) {
            try {
                failure = peer.copy(slot, bytes, type == null ? ownBytes(bytes) : ownMemory(type, count));
            } catch (OutOfMemoryError e) {
                failure = noMemory(bytes, e);
            }
        } else if (type == null) {
            failure = noBuffer("an object");
        } else if (type != sink.type() || bytes > sink.size()) {
            failure = misfit(type, count, sink);
        } else {
            try {
                failure = peer.copy(slot, bytes, sink.memory());
            } catch (IllegalStateException e) {
                failure = gone(e);
            } catch (InternalError e) {
                failure = Fault.of(e);
            }
        }
        if (failure == null) {
            completeAtHome();
        } else {
            failAtHome(failure);
        }
    }

    private @Nullable JException copy(JBuffer from, JBuffer into) {
        if (from.type() != into.type() || from.size() > into.size()) {
            return misfit(from.type(), count, into);
        }
        try {
            Fault.copy(from.memory(), 0, into.memory(), 0, from.size());
            return null;
        } catch (IllegalStateException e) {
            return gone(e);
        }
    }

    /** Looks into what has come: puts it where it is to be. */
    private @Nullable JException open(@Nullable Object body) {
        try {
            if (body instanceof Place contents) {
                return open(contents);
            }
            if (body instanceof Message.Borrowed borrowed) {
                return open(borrowed.buffer());
            }
            if (body instanceof Message.Copy copy) {
                return open(copy);
            }
            if (sink == null) {
                value = body;
                return null;
            }
            return copy(asBuffer(body), sink);
        } catch (JException e) {
            return e;
        } catch (IllegalStateException e) {
            return gone(e);
        } catch (InternalError e) {
            return Fault.of(e);
        } catch (OutOfMemoryError e) {
            return noMemory(bytes(), e);
        }
    }

    /** The sender's own memory. */
    private @Nullable JException open(JBuffer borrowed) {
        if (sink != null) {
            return copy(borrowed, sink);
        }
        value = borrowed.toArray();
        Fault.settle(borrowed.memory(), borrowed.memory()); // it is not small
        return null;
    }

    private @Nullable JException open(Message.Copy copy) {
        if (sink == null) {
            value = copy.array();
            return null;
        }
        JException failure = copy(copy.buffer(), sink);
        home().copies().keep(copy);
        return failure;
    }

    private @Nullable JException open(Place contents) {
        if (sink == null) {
            value = contents.toArray();
            return null;
        }
        if (contents.type() != sink.type() || contents.size() > sink.size()) {
            return misfit(contents.type(), count, sink);
        }
        contents.copyTo(sink.memory());
        return null;
    }

    private void open(Incoming incoming) {
        makeKnown();
        if (sink == null || incoming.fits(sink)) {
            incoming.take(this, sink, true);
        } else {
            misfit = misfit(incoming.type(), incoming.count(), sink);
            incoming.take(this, null, false);
        }
    }

    /** The message cannot come any more. */
    void spoil(JException reason) {
        misfit = reason;
        filled();
    }

    /** All pieces of the message have come, and are in the sink; or are not wanted. */
    void filled() {
        end(misfit);
    }

    /** All pieces have come, and this is the message. */
    void filled(@Nullable Object contents) {
        end(misfit == null ? open(contents) : misfit);
    }

    private JBuffer asBuffer(@Nullable Object body) {
        if (JType.ofArray(body) == null) {
            throw noBuffer(
                    body == null
                            ? "null"
                            : body instanceof Message.Encoded
                                    ? "an object"
                                    : "a " + body.getClass().getTypeName());
        }
        return JBuffer.ofArray(requireNonNull(body));
    }

    private JException noBuffer(String what) {
        if (Rank.isCollective(context)) {
            return new JException("rank " + fromSource + " gave " + what + ", which was to be put into " + sink
                    + ": the calls of a collective operation must agree");
        }
        return new JException("the message from rank " + fromSource + ", tag " + fromTag + ", is " + what
                + ", and was to be put into " + sink + ": receive it as an object");
    }

    /** Whoever closed it: nobody else is to suffer. */
    public static JException gone(IllegalStateException e) {
        return new JException(
                "the memory of a message is no more (" + e.getMessage()
                        + "): keep its arena open until the message is there",
                e);
    }

    /** Who receives it is to learn of it, rather than who happens to bring it here. */
    static JException noMemory(long bytes, OutOfMemoryError e) {
        return new JException(
                "there is no memory for a message of " + bytes + " bytes (" + e.getMessage()
                        + "): give the JVMs more by -J-Xmx, or receive it into a buffer",
                e);
    }

    private JException misfit(@Nullable JType type, int elements, JBuffer into) {
        if (type == null) {
            return noBuffer("an object");
        }
        String what = elements + " " + type + (elements == 1 ? "" : "s");
        if (Rank.isCollective(context)) { // whose tag nobody has chosen
            return new JException("rank " + fromSource + " gave " + what + ", which do not fit into " + into
                    + ": the types and counts of a collective operation must agree");
        }
        return new JException("the message from rank " + fromSource + ", tag " + fromTag + ", of " + what
                + " does not fit into " + into + ": receive it into "
                + (type == into.type() ? "a larger one" : "one of " + type + "s") + ", or as an object");
    }

    /** What is known of the message, with its context. */
    Envelope envelope() {
        return new Envelope(context, fromSource, fromTag, fromPriority);
    }

    /** How much has come, see {@link Message#bytes}. */
    long bytes() {
        return size == OF_VALUE ? Message.bytes(value) : size;
    }

    /** The message that has been claimed. */
    Message claimed() {
        return requireNonNull(claimed);
    }

    /** How many elements have come into a buffer. */
    public int count() {
        check();
        return count;
    }

    /** What is known of the message. */
    public JStatus status() {
        check();
        return new JStatus(fromSource, fromTag, fromPriority, count == OF_VALUE ? Message.count(value) : count);
    }

    /** If that is what is known of the message, of one that was put into a buffer. */
    final boolean is(JStatus status) {
        return status.source() == fromSource
                && status.tag() == fromTag
                && status.priority() == fromPriority
                && status.count() == count;
    }

    /** The object that has come; null if it was put into a buffer. */
    public @Nullable Object value() {
        check();
        return value instanceof Message.Encoded encoded ? decoded(encoded) : value;
    }

    /** The same, and puts it to rest. */
    public final @Nullable Object takeValue() {
        try {
            return value();
        } finally {
            rest();
        }
    }

    /** The same each time. */
    @Nullable
    Object decoded(Message.Encoded encoded) {
        synchronized (this) {
            if (!isDecoded) {
                decoded = decode(encoded);
                isDecoded = true;
            }
            return decoded;
        }
    }

    final @Nullable Object decode(Message.Encoded encoded) {
        EncodedBytes bytes = encoded.bytes();
        return home().world().codec().decode(bytes.array(), 0, bytes.length());
    }

    /** It has been given up before a message came. */
    void giveUp() {
        given = true;
        completeAtHome();
    }

    /** If it was given up before a message came. */
    public boolean isGivenUp() {
        return given;
    }

    /** If a message has come and has been received, and this has not been asked since. */
    final boolean isNews() {
        boolean news = kind == Kind.TAKE && isDone() && !given && !told;
        told |= news;
        return news;
    }

    /** See {@link Slice}. */
    long flow() {
        return 0;
    }

    @Override
    public String description() {
        Object larger = whole();
        if (larger != null) {
            return larger + (sender == ANY ? "" : ", for rank " + sender);
        }
        String verb = kind == Kind.TAKE ? "for a message" : "to see a message";
        return verb
                + (source == ANY ? " from anybody" : " from rank " + sender)
                + (tag == ANY ? ", any tag" : ", tag " + tag);
    }
}
