package ayatori.bench.files;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * What a block, or a file of one block, contains. Immutable.
 *
 * @param bytes from 0 to its limit; nobody moves its position
 */
record Block(ByteBuffer bytes) {
    static final int SIZE = 4096;
    static final Block NONE = new Block(ByteBuffer.allocate(0));

    /** What the file of a name contains in these measurements. */
    static Block of(String name) {
        byte[] bytes = new byte[SIZE];
        new SplittableRandom(name.hashCode()).nextBytes(bytes);
        return new Block(ByteBuffer.wrap(bytes));
    }
}
