package jpi.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** When a place of a board is free, and where its contents are. */
class BoardTest {
    private static final int MOST = 4 << 10;

    private static Board board(MemorySegment memory) {
        return new Board(memory, MOST);
    }

    @Test
    void aPlaceIsFreeWhenAllHaveLeftIt() {
        MemorySegment memory = Arena.ofAuto().allocate(Board.size(MOST), 4096);
        Board posts = board(memory);
        Board reads = board(memory);
        int first = posts.take(MOST, 3);
        int second = posts.take(1, 2);
        assertNotEquals(first, second);
        assertEquals(Board.FULL, posts.take(1, 2));
        posts.contents(first, MOST).fill((byte) 1);
        posts.contents(second, MOST).fill((byte) 2);
        reads.leave(first, 1);
        reads.leave(first, 1);
        assertEquals(Board.FULL, posts.take(1, 2));
        MemorySegment expected = MemorySegment.ofArray(new byte[MOST]).fill((byte) 1);
        assertEquals(-1, expected.mismatch(reads.contents(first, MOST)));
        reads.leave(first, 1);
        assertEquals(first, posts.take(MOST, 2));
    }

    @Test
    void whatIsLongerThanAPlaceHasNone() {
        Board board = board(Arena.ofAuto().allocate(Board.size(MOST), 4096));
        assertEquals(Board.FULL, board.take(MOST + 1, 2));
        assertNotEquals(Board.FULL, board.take(MOST, 2));
    }

    @Test
    void boardsLieApartAndApartFromAllElse() {
        for (boolean crowded : new boolean[] {false, true}) {
            for (int workers : new int[] {3, 5}) {
                MemorySegment memory = Arena.ofAuto().allocate(SharedLayout.size(workers, workers, crowded), 4096);
                SharedLayout layout = new SharedLayout(workers, workers, crowded, memory);
                long most = SharedLayout.mostPosted(workers);
                List<MemorySegment> places = new ArrayList<>();
                for (int worker = 0; worker < workers; worker++) {
                    Board board = Objects.requireNonNull(layout.board(worker));
                    for (int place = board.take(most, 2); place != Board.FULL; place = board.take(most, 2)) {
                        places.add(board.contents(place, most).fill((byte) places.size()));
                    }
                }
                assertEquals(2 * workers, places.size());
                for (int i = 0; i < places.size(); i++) {
                    MemorySegment expected =
                            MemorySegment.ofArray(new byte[(int) most]).fill((byte) i);
                    assertEquals(-1, expected.mismatch(places.get(i)));
                    places.get(i).fill((byte) 0);
                }
                for (int worker = 0; worker < workers; worker++) {
                    for (int to = 0; to < workers; to++) {
                        if (to != worker) {
                            assertEquals(Ring.FULL, layout.messages(worker, to).next());
                            assertEquals(Ring.FULL, layout.pieces(worker, to).next());
                        }
                    }
                }
            }
        }
    }

    @Test
    void twoWorkersHaveNone() {
        MemorySegment memory = Arena.ofAuto().allocate(SharedLayout.size(2, 2, true), 4096);
        assertNull(new SharedLayout(2, 2, true, memory).board(0));
        assertEquals(0, SharedLayout.mostPosted(2));
    }
}
