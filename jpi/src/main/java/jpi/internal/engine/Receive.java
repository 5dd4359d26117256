package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import jpi.JBuffer;
import jpi.JException;
import jpi.JStatus;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** That a rank wants a message: until one has come, or it is given up. */
public sealed class Receive extends Completion permits WatchedReceive {
    /** Any source, any tag. */
    public static final int ANY = -1;

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
    final int context;
    final int source;
    final int tag;
    /** Number of the rank that it is to come from; ANY: not known. */
    final int sender;
    /** Where it is to be put; null: it is returned. */
    private final @Nullable JBuffer sink;

    /** The next one that began. */
    @Nullable
    Receive laterPosted;

    private @Nullable Message message;
    private @Nullable JException misfit;
    private boolean given;
    /** If somebody has been told what has come. */
    private boolean told;

    Receive(Mailbox home, Kind kind, int context, int source, int tag, int sender, @Nullable JBuffer sink) {
        super(home);
        this.kind = kind;
        this.context = context;
        this.source = source;
        this.tag = tag;
        this.sender = sender;
        this.sink = sink;
    }

    @Override
    void happen(Mailbox mailbox) {
        mailbox.begin(this);
    }

    /** Its message. By who tends the mailbox. */
    void take(Message taken) {
        message = taken;
        if (kind == Kind.TAKE) {
            open();
        } else {
            complete();
        }
    }

    /** Looks into the message: puts it where it is to be, and lets its sender go on. */
    private void open() {
        Message taken = message();
        if (taken.body instanceof Incoming incoming) {
            open(incoming);
            return;
        }
        try {
            if (taken.body instanceof Message.Borrowed borrowed) {
                taken.body = sink == null ? borrowed.buffer().toArray() : put(borrowed.buffer());
            } else if (sink != null) {
                taken.body = put(asBuffer(taken));
            }
            complete();
        } catch (JException e) {
            fail(e);
        } catch (IllegalStateException e) {
            fail(gone(e));
        }
        taken.letSenderGo();
    }

    private void open(Incoming incoming) {
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
        if (misfit != null) {
            fail(misfit);
        } else {
            Message taken = message();
            taken.body = requireNonNull(sink).slice(0, taken.status().count());
            complete();
        }
    }

    /** All pieces have come, and this is the message. */
    void filled(@Nullable Object contents) {
        if (misfit != null) {
            fail(misfit);
        } else {
            message().body = contents;
            open();
        }
    }

    private JBuffer asBuffer(Message taken) {
        Object body = taken.body;
        if (JType.ofArray(body) == null) {
            String what = body == null
                    ? "null"
                    : body instanceof Message.Encoded
                            ? "an object"
                            : "a " + body.getClass().getName();
            throw new JException("the message from rank " + taken.source + ", tag " + taken.tag + ", is " + what
                    + ", and was to be put into " + sink + ": receive it as an object");
        }
        return JBuffer.ofArray(requireNonNull(body));
    }

    /** Copies into the sink; what has been put is its part that is filled. */
    private JBuffer put(JBuffer contents) {
        JBuffer into = requireNonNull(sink);
        if (contents.type() != into.type() || contents.count() > into.count()) {
            throw misfit(contents.type(), contents.count(), into);
        }
        JBuffer filled = into.slice(0, contents.count());
        filled.copyFrom(contents);
        return filled;
    }

    /** Whoever closed it: nobody else is to suffer. */
    static JException gone(IllegalStateException e) {
        return new JException(
                "the memory of a message is no more (" + e.getMessage()
                        + "): keep its arena open until the message is there",
                e);
    }

    private static JException misfit(@Nullable JType type, int count, JBuffer into) {
        return new JException((type == null ? "an object" : "a message of " + count + " " + type + "s")
                + " does not fit into " + into);
    }

    /** The message that has come. */
    public Message message() {
        return requireNonNull(message);
    }

    /** What is known of the message. */
    public JStatus status() {
        check();
        return message().status();
    }

    /** The object that has come. */
    public @Nullable Object value() {
        check();
        Message taken = message();
        if (taken.body instanceof Message.Encoded encoded) {
            byte[] bytes = (byte[]) encoded.bytes().heapBase().orElseThrow();
            taken.body = home().world().codec().decode(bytes, 0, bytes.length);
        }
        return taken.body;
    }

    /** It has been given up before a message came. */
    void giveUp() {
        given = true;
        complete();
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
    String description() {
        String verb = kind == Kind.TAKE ? "for a message" : "to see a message";
        return verb
                + (source == ANY ? " from anybody" : " from rank " + source)
                + (tag == ANY ? ", any tag" : ", tag " + tag);
    }
}
