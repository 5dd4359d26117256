package ayatori.bench.files;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * What BLK of the paper knows: the blocks that have been read or written, of which none goes before it is told to. Asks for the
 * others; writes go through. Thread-safe if what keeps the blocks is.
 *
 * @param <B> what keeps a block
 */
final class BlockCache<B> {
    /** Where the blocks come from: the disk server. */
    interface Disk<B> {
        B read(long number) throws InterruptedException, ExecutionException;

        /** Writes a block, and keeps its content. */
        B write(long number, Block content) throws InterruptedException, ExecutionException;

        /** A block that has been kept is needed no more. */
        void release(B block);
    }

    private final Disk<B> disk;
    private final Map<Long, B> blocks = new ConcurrentHashMap<>();

    BlockCache(Disk<B> disk) {
        this.disk = disk;
    }

    B read(long number) throws InterruptedException, ExecutionException {
        B block = blocks.get(number);
        if (block == null) {
            block = disk.read(number);
            keep(number, block);
        }
        return block;
    }

    void write(long number, Block content) throws InterruptedException, ExecutionException {
        keep(number, disk.write(number, content));
    }

    private void keep(long number, B block) {
        B before = blocks.put(number, block);
        if (before != null) {
            disk.release(before);
        }
    }

    void forget() {
        blocks.values().forEach(disk::release);
        blocks.clear();
    }
}
