package ayatori.cli.doctor;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Futex;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.MappedMemory;
import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the kernel answers when this process asks for what requests between processes stand on.
 *
 * @param memoryErrno 0, or why memory cannot be sealed
 * @param waitErrno 0, or why a thread cannot wait for several words
 * @param lendErrno 0, or why a thread cannot wait for a word and lend its priority
 * @param lateErrno 0, or why it cannot begin to wait before it is known whose the word will be, as with several servers
 */
record RequestTrial(int memoryErrno, int waitErrno, int lendErrno, int lateErrno) {

    static RequestTrial run() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
            Futex.WaitList words = new Futex.WaitList();
            words.add(word, Futex.Scope.PRIVATE);
            int waited = words.await(System.nanoTime());
            word.set(ValueLayout.JAVA_INT, 0, Sched.gettid());
            int locked = Futex.lockPi(word, System.nanoTime(), Futex.Scope.PRIVATE);
            return new RequestTrial(
                    seal(arena),
                    waited == -Errno.ETIMEDOUT ? 0 : -waited,
                    locked == -Errno.EDEADLK ? 0 : -locked, // the caller has it already
                    bindLate(arena));
        }
    }

    private static int bindLate(Arena arena) {
        MemorySegment plain = arena.allocate(ValueLayout.JAVA_INT);
        MemorySegment owned = arena.allocate(ValueLayout.JAVA_INT);
        int other = 1; // than what the plain word holds: nobody waits, and nobody is moved
        int waited = Futex.waitRequeuePi(plain, other, owned, System.nanoTime(), Futex.Scope.PRIVATE);
        int moved = Futex.cmpRequeuePi(plain, other, owned, 0, Futex.Scope.PRIVATE);
        int refused = waited == -Errno.EAGAIN ? moved : waited;
        return refused == -Errno.EAGAIN ? 0 : -refused;
    }

    private static int seal(Arena arena) {
        try {
            MappedMemory.createSealed("ayatori-doctor", 4096, MappedMemory.Writers.CREATOR, arena)
                    .closeDescriptor();
            return 0;
        } catch (KernelException e) {
            return e.errno();
        } catch (IOException e) {
            return Errno.EINVAL;
        }
    }
}
