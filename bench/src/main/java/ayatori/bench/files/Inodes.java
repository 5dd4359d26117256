package ayatori.bench.files;

import java.io.FileNotFoundException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What FS of the paper knows: in which block a file is. A file that is written for the first time gets a block. Thread-safe. */
final class Inodes {
    private final Map<String, Long> blocks = new ConcurrentHashMap<>();
    private final AtomicLong free = new AtomicLong();

    /** Of the file that something is asked of. */
    long block(Operation operation, String name) throws FileNotFoundException {
        return switch (operation) {
            case WRITE -> blocks.computeIfAbsent(name, unused -> free.getAndIncrement());
            case FORGET -> 0;
            case READ -> {
                Long block = blocks.get(name);
                if (block == null) {
                    throw new FileNotFoundException(name);
                }
                yield block;
            }
        };
    }
}
