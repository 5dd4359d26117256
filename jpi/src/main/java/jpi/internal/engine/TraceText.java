package jpi.internal.engine;

/**
 * Text in the Trace Event Format: elements of its JSON array, each on a line of its own and with the comma that parts it from the one
 * before, so that parts which several workers have written may follow each other.
 *
 * @see <a href="https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU">Trace Event Format</a>
 */
public final class TraceText {
    private static final int NANOS = 1000;
    private static final int FIRST_PRINTABLE = 0x20;

    private final StringBuilder text = new StringBuilder();
    /** If what comes next is the first of its object. */
    private boolean first;

    /** Tells what a process is called. */
    public void processName(long pid, String name) {
        named("process_name", pid);
        string("name", name);
        endArgs();
        end();
    }

    /** Tells where a process is shown among the others. */
    void processOrder(long pid, int place) {
        named("process_sort_index", pid);
        number("sort_index", place);
        endArgs();
        end();
    }

    /** Tells what a track is called, and where it is shown among the others of its process. */
    void track(long pid, int track, String name, long place) {
        named("thread_name", pid);
        string("name", name);
        endArgs();
        number("tid", track);
        end();
        named("thread_sort_index", pid);
        number("sort_index", place);
        endArgs();
        number("tid", track);
        end();
    }

    private void named(String what, long pid) {
        open();
        string("name", what);
        string("ph", "M");
        number("pid", pid);
        args();
    }

    /** Begins an event. */
    void begin(String phase, String name, String category, long pid, int track, long nanos) {
        open();
        string("name", name);
        string("cat", category);
        string("ph", phase);
        micros("ts", nanos);
        number("pid", pid);
        number("tid", track);
    }

    private void open() {
        text.append(",\n{");
        first = true;
    }

    void end() {
        text.append('}');
    }

    /** Begins what viewers show of it. */
    void args() {
        key("args");
        text.append('{');
        first = true;
    }

    void endArgs() {
        text.append('}');
        first = false;
    }

    private void key(String name) {
        if (!first) {
            text.append(',');
        }
        first = false;
        quote(name);
        text.append(':');
    }

    void number(String key, long value) {
        key(key);
        text.append(value);
    }

    /** A time in nanoseconds, of either sign; the format has it in microseconds. */
    void micros(String key, long nanos) {
        key(key);
        if (nanos < 0) {
            text.append('-');
        }
        long rest = Math.abs(nanos % NANOS);
        text.append(Math.abs(nanos / NANOS)).append('.');
        text.append((char) ('0' + rest / 100))
                .append((char) ('0' + rest / 10 % 10))
                .append((char) ('0' + rest % 10));
    }

    void string(String key, String value) {
        key(key);
        quote(value);
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    int length() {
        return text.length();
    }

    /** Takes out what has been written. */
    public String take() {
        String taken = text.toString();
        text.setLength(0);
        return taken;
    }
}
