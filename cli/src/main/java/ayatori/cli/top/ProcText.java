package ayatori.cli.top;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The text of a file of /proc as bytes, good until the next is read; picks numbers without making strings. */
final class ProcText {
    private static final int LARGEST = 16 * 1024;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LARGEST);
    private final byte[] bytes = new byte[LARGEST];
    private int length;

    /** Reads a file from its beginning: the kernel writes it anew each time. */
    void readFrom(FileChannel channel) throws IOException {
        buffer.clear();
        length = Math.max(0, channel.read(buffer, 0));
        if (length == 0) {
            throw new IOException("nothing to read");
        }
        buffer.get(0, bytes, 0, length);
    }

    /** The index of the last such character; -1 without one. */
    int lastIndexOf(char character) {
        int i = length - 1;
        while (i >= 0 && bytes[i] != character) {
            i--;
        }
        return i;
    }

    char at(int index) {
        return (char) bytes[index];
    }

    /** The index behind a line's start such as {@code "Tgid:\t"}, given with the line feed before it. */
    int behind(byte[] lineStart) throws IOException {
        for (int i = 0; i + lineStart.length <= length; i++) {
            int matched = 0;
            while (matched < lineStart.length && bytes[i + matched] == lineStart[matched]) {
                matched++;
            }
            if (matched == lineStart.length) {
                return i + matched;
            }
        }
        throw new IOException("a line is missing");
    }

    /**
     * A decimal number.
     *
     * @param start where fields, separated by single blanks, begin
     * @param field which of them, from 0
     */
    long number(int start, int field) {
        int i = start;
        for (int blanks = 0; blanks < field; i++) {
            if (bytes[i] == ' ') {
                blanks++;
            }
        }
        boolean negative = bytes[i] == '-';
        long value = 0;
        for (i += negative ? 1 : 0; i < length && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
            value = value * 10 + bytes[i] - '0';
        }
        return negative ? -value : value;
    }
}
