package ayatori.bench.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * How a request between processes stands in an area: the content first, where O_DIRECT finds it at the beginning of a page, then
 * what is asked. The same area goes from server to server.
 */
final class AreaLayout {
    static final long SIZE = 2 * Block.SIZE;
    /** Memory of one that has few areas at a time. */
    static final long MEMORY = 16 * SIZE;

    private static final long OPERATION = Block.SIZE;
    private static final long NUMBER = OPERATION + 8;
    private static final long NAME = NUMBER + 8;

    private AreaLayout() {}

    /** Asks the file server; the content stays as it is. */
    static void ask(MemorySegment area, Operation operation, String name) {
        area.set(ValueLayout.JAVA_INT, OPERATION, operation.code());
        area.setString(NAME, name);
    }

    /** Asks the block or the disk server, of a block in place of a name; the content stays as it is. */
    static void ask(MemorySegment area, Operation operation, long number) {
        area.set(ValueLayout.JAVA_INT, OPERATION, operation.code());
        area.set(ValueLayout.JAVA_LONG, NUMBER, number);
    }

    static Operation operation(MemorySegment area) {
        return Operation.of(area.get(ValueLayout.JAVA_INT, OPERATION));
    }

    static String name(MemorySegment area) {
        return area.getString(NAME);
    }

    static long number(MemorySegment area) {
        return area.get(ValueLayout.JAVA_LONG, NUMBER);
    }

    /** The content, to be read and to be written. */
    static ByteBuffer content(MemorySegment area) {
        return area.asSlice(0, Block.SIZE).asByteBuffer();
    }
}
