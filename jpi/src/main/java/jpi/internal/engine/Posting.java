package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jpi.JBuffer;
import jpi.internal.shm.Board;

/** That what another worker has {@linkplain Board posted} is read by one of the ranks that are to have it. */
final class Posting extends Sending {
    private final Board board;
    private final int place;
    private final Message.Borrowed body;

    /**
     * What is said of it has come.
     *
     * @param home of the rank that is to have it
     */
    Posting(Mailbox home, int tag, Board board, MemorySegment said, Wire.Kind kind) {
        super(home, home.rank(), tag);
        this.board = board;
        place = (int) said.get(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES);
        long bytes = said.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        body = new Message.Borrowed(JBuffer.of(board.contents(place, bytes), requireNonNull(kind.type())));
    }

    /** What is said of it. */
    static MemorySegment said(long bytes, int place) {
        return MemorySegment.ofArray(new long[] {bytes, place});
    }

    /** See {@link Message#body}. */
    Message.Borrowed body() {
        return body;
    }

    @Override
    void complete() {
        super.complete();
        board.leave(place, 1);
    }
}
