package ayatori.cli.top;

import java.io.IOException;
import java.io.Reader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes keys of the characters that a terminal sends: ECMA-48 control sequences, as xterm and its like write them. */
final class KeyReader {
    private static final char ESCAPE = 0x1b;
    private static final char DELETE = 0x7f;
    private static final char BACKSPACE = 0x08;
    /** Ctrl-C and Ctrl-D: the screen takes signals from the terminal as keys. */
    private static final char INTERRUPT = 0x03;

    private static final char END_OF_FILE = 0x04;
    /** The rest of a sequence comes at once; the key Escape comes alone. */
    private static final int SEQUENCE_MILLIS = 50;

    private final Reader reader;

    KeyReader(Reader reader) {
        this.reader = reader;
    }

    /** Waits for the next key. */
    Key next() throws IOException {
        int c = reader.read();
        if (c < 0) {
            return Key.of(Key.Name.GONE);
        }
        return switch ((char) c) {
            case ESCAPE -> sequence();
            case '\r', '\n' -> Key.of(Key.Name.ENTER);
            case DELETE, BACKSPACE -> Key.of(Key.Name.BACKSPACE);
            case INTERRUPT, END_OF_FILE -> Key.of('q');
            default -> Key.of((char) c);
        };
    }

    private Key sequence() throws IOException {
        for (int i = 0; i < SEQUENCE_MILLIS && !reader.ready(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        if (!reader.ready()) {
            return Key.of(Key.Name.ESCAPE);
        }
        int introducer = reader.read();
        if (introducer != '[' && introducer != 'O') {
            return Key.of(Key.Name.ESCAPE);
        }
        StringBuilder parameters = new StringBuilder();
        int last = reader.read();
        while (last >= 0x20 && last < 0x40) {
            parameters.append((char) last);
            last = reader.read();
        }
        return Key.of(
                switch (last) {
                    case 'A' -> Key.Name.UP;
                    case 'B' -> Key.Name.DOWN;
                    case 'H' -> Key.Name.HOME;
                    case 'F' -> Key.Name.END;
                    case '~' ->
                        switch (parameters.toString()) {
                            case "1", "7" -> Key.Name.HOME;
                            case "4", "8" -> Key.Name.END;
                            case "5" -> Key.Name.PAGE_UP;
                            case "6" -> Key.Name.PAGE_DOWN;
                            default -> Key.Name.RESIZED; // nothing but a new drawing
                        };
                    default -> Key.Name.RESIZED;
                });
    }
}
