package ayatori.bench.load;

import ayatori.server.Area;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** What is in the areas of a {@link SharedStorm}: each byte of an answer follows from the request's seed, its place and the size. */
final class StormAreas {
    private StormAreas() {}

    private static byte[] asked(long seed, int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) ((seed >>> ((i & 7) << 3)) + 13L * i);
        }
        return bytes;
    }

    private static void makeAnswer(byte[] asked) {
        for (int i = 0; i < asked.length; i++) {
            asked[i] = (byte) (asked[i] * 31 + 7 + asked.length);
        }
    }

    private static void write(Area area, byte[] bytes) {
        MemorySegment.copy(bytes, 0, area.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    private static long length(byte first, long size) {
        return (first & 16) == 0 ? size : (size + 1) / 2;
    }

    /** The request. */
    static void ask(Area area, long seed) {
        write(area, asked(seed, (int) area.size()));
    }

    /** What the server is to do: 0 to 15. */
    static int wish(Area area) {
        return area.segment().get(ValueLayout.JAVA_BYTE, 0) & 15;
    }

    /** Makes the answer of the request. */
    static void answer(Area area) {
        byte[] bytes = area.segment().toArray(ValueLayout.JAVA_BYTE);
        area.length(length(bytes[0], bytes.length));
        makeAnswer(bytes);
        write(area, bytes);
    }

    /** If it is the answer to the request with this seed and of this size. */
    static boolean isAnswer(Area area, long seed, long size) {
        byte[] expected = asked(seed, (int) size);
        long length = length(expected[0], size);
        makeAnswer(expected);
        return area.length() == length && Arrays.equals(area.segment().toArray(ValueLayout.JAVA_BYTE), expected);
    }
}
