package ayatori.internal.shm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a client and a server tell each other by their socket; the first byte says what it is. A connection begins with WELCOME
 * from the server, MEMORY from the client, READY from the server. When the socket ends, so does the connection.
 */
public final class Messages {
    /** From the server, with the descriptor of its {@link ServerPage}. */
    public static final byte WELCOME = 1;
    /** From the client, with the descriptor of its {@link ConnectionMemory}. */
    public static final byte MEMORY = 2;
    /** From the server: requests may come. */
    public static final byte READY = 3;
    /** From the server, with a text: there is no connection, or none any more. */
    public static final byte REFUSAL = 4;
    /** From the client: look at my requests, and raise who is to answer them. */
    public static final byte RING = 5;
    /** From the server: look at what I have given back. */
    public static final byte RETURNED = 6;

    /**
     * From a client that is a server itself, with a number and the descriptor of one of its own clients' memory: requests of that
     * one may be delegated from now on, once {@link #KNOWN} has come back, or {@link #UNKNOWN}, and they may not.
     */
    public static final byte GUEST = 7;
    /** From the server, with a guest's number. */
    public static final byte KNOWN = 8;
    /** From the client, with a guest's number: that one is gone. */
    public static final byte FORGET = 9;
    /** From the server, with a guest's number: have it look at what has been given back. */
    public static final byte RELAY = 10;
    /** From the server, with a guest's number and a text: that one is not let in, and why. */
    public static final byte UNKNOWN = 11;

    /** The longest message, bytes. */
    public static final int LONGEST = 512;

    private static final byte[] ELLIPSIS = "…".getBytes(StandardCharsets.UTF_8);
    /** What a byte of UTF-8 has in its two highest bits that begins no character. */
    private static final int CONTINUATION = 0x80;

    private static final int CONTINUATION_MASK = 0xC0;

    private Messages() {}

    /** One that is its kind only. */
    public static byte[] of(byte kind) {
        return new byte[] {kind};
    }

    /** One with a number. */
    public static byte[] of(byte kind, int number) {
        return ByteBuffer.allocate(1 + Integer.BYTES).put(kind).putInt(number).array();
    }

    /** The number of such a message; −1: it has none. */
    public static int number(byte[] message, int length) {
        return length < 1 + Integer.BYTES ? -1 : ByteBuffer.wrap(message).getInt(1);
    }

    /** A {@link #REFUSAL}. */
    public static byte[] refusal(String text) {
        return withText(of(REFUSAL), text);
    }

    /** An {@link #UNKNOWN}. */
    public static byte[] unknown(int number, String text) {
        return withText(of(UNKNOWN, number), text);
    }

    private static byte[] withText(byte[] beginning, String text) {
        byte[] words = cut(text, LONGEST - beginning.length);
        byte[] message = Arrays.copyOf(beginning, beginning.length + words.length);
        System.arraycopy(words, 0, message, beginning.length, message.length - beginning.length);
        return message;
    }

    /** A text in UTF-8, its end an ellipsis if it is longer than so many bytes. */
    static byte[] cut(String text, int most) {
        byte[] words = text.getBytes(StandardCharsets.UTF_8);
        if (words.length <= most) {
            return words;
        }
        int end = most - ELLIPSIS.length;
        while (end > 0 && (words[end] & CONTINUATION_MASK) == CONTINUATION) { // not within a character
            end--;
        }
        byte[] kept = Arrays.copyOf(words, end + ELLIPSIS.length);
        System.arraycopy(ELLIPSIS, 0, kept, end, ELLIPSIS.length);
        return kept;
    }

    /** The text of a {@link #REFUSAL}. */
    public static String text(byte[] message, int length) {
        return text(message, 1, length);
    }

    /** The text of an {@link #UNKNOWN}. */
    public static String textBehindNumber(byte[] message, int length) {
        return text(message, 1 + Integer.BYTES, length);
    }

    private static String text(byte[] message, int from, int length) {
        return new String(message, from, Math.max(0, length - from), StandardCharsets.UTF_8);
    }
}
