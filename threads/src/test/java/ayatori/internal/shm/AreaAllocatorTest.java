package ayatori.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AreaAllocatorTest {
    @Test
    void whatIsFreedComesTogetherAgain() {
        AreaAllocator allocator = new AreaAllocator(4096);
        long first = allocator.allocate(1);
        long second = allocator.allocate(1000);
        assertEquals(256 + 1024, allocator.used());
        assertEquals(-1, allocator.allocate(4096));
        assertEquals(-1, allocator.allocate(4097));
        allocator.free(first);
        allocator.free(second);
        assertEquals(0, allocator.allocate(4096));
        assertThrows(IllegalStateException.class, () -> allocator.free(256));
        assertThrows(IllegalArgumentException.class, () -> new AreaAllocator(5000));
    }

    @Test
    void noTwoAreasEverOverlap() {
        AreaAllocator allocator = new AreaAllocator(1 << 20);
        TreeMap<Long, Long> taken = new TreeMap<>();
        Random random = new Random(5);
        for (int i = 0; i < 100_000; i++) {
            if (random.nextInt(3) > 0) {
                long size = random.nextLong(1, 20_000);
                long offset = allocator.allocate(size);
                if (offset >= 0) {
                    Map.Entry<Long, Long> below = taken.floorEntry(offset + size - 1);
                    assertTrue(below == null || below.getKey() + below.getValue() <= offset);
                    taken.put(offset, size);
                }
            } else if (!taken.isEmpty()) {
                Long some = taken.ceilingKey(random.nextLong(1 << 20));
                if (some != null) {
                    taken.remove(some);
                    allocator.free(some);
                }
            }
        }
        taken.keySet().forEach(allocator::free);
        assertEquals(0, allocator.used());
        assertEquals(0, allocator.allocate(1 << 20));
    }
}
