package jpi.internal.launch;

import java.lang.foreign.ValueLayout;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JException;
import jpi.JOperation;
import jpi.JType;
import jpi.JWindow;

/** What ranks do with windows in {@link WindowIT}. */
final class WindowPrograms {
    private WindowPrograms() {}

    /** Every rank counts in the part of rank 0, in every way and kind of epoch, and tells its neighbour its rank. */
    static final class Counts extends JApplication {
        private static final int TURNS = 50;

        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            int me = world.rank();
            int size = world.size();
            int left = (me + size - 1) % size;
            int right = (me + 1) % size;
            try (JWindow window = world.window(JType.LONG, me == 0 ? 4 : 1)) {
                long[] one = {1};
                long[] number = new long[1];
                for (int turn = 0; turn < TURNS; turn++) {
                    window.lock(0);
                    window.get(JBuffer.of(number), 0, 1);
                    number[0]++;
                    window.put(JBuffer.of(number), 0, 1);
                    window.unlock(0);
                    window.lockShared(0);
                    window.accumulate(JBuffer.of(one), 0, 2, JOperation.SUM);
                    window.unlock(0);
                }
                window.fence();
                var _ = window.fetchAndOp(1, 0, 3, JOperation.SUM);
                window.fence();
                window.post(left);
                window.start(right);
                window.put(JBuffer.of(new long[] {me + 1}), right, 0);
                window.complete();
                window.await();
                if (window.memory().get(ValueLayout.JAVA_LONG, 0) != left + 1) {
                    throw new AssertionError("rank " + left + " has not put what it should");
                }
                world.barrier();
                if (me == 0) {
                    long[] all =
                            (long[]) JBuffer.of(window.memory(), JType.LONG).toArray();
                    System.out.println(all[1] / TURNS + " " + all[2] / TURNS + " " + all[3]);
                }
            }
        }
    }

    /** Each has a lock that the one before it wants. */
    static final class Circle extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            try (JWindow window = world.window(JType.INT, 1)) {
                window.lock(world.rank());
                world.barrier();
                window.lock((world.rank() + 1) % world.size());
            }
        }
    }

    /** Each waits in an epoch of its own kind. */
    static final class Mixed extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            try (JWindow window = world.window(JType.INT, 1)) {
                switch (world.rank()) {
                    case 0 -> window.fence();
                    case 1 -> window.start(2);
                    case 2 -> {
                        window.post(0);
                        window.await();
                    }
                    default -> world.barrier();
                }
            }
        }
    }

    /** Says its process, and writes for as long as it can. */
    static final class Writes extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            try (JWindow window = world.window(JType.INT, 1000)) {
                System.out.println("pid " + ProcessHandle.current().pid() + " of rank " + world.rank());
                window.fence();
                while (true) {
                    window.put(JBuffer.of(new int[1000]), 1 - world.rank(), 0);
                    window.flushAll();
                }
            }
        }
    }

    /** Wants very much, and is content with less. */
    static final class Large extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            try {
                world.window(JType.BYTE, world.rank() == 0 ? 100_000_000_000L : 0)
                        .close();
            } catch (JException e) {
                try (JWindow window = world.window(JType.BYTE, 1)) {
                    System.out.println(
                            "rank " + world.rank() + " learns: " + e.getMessage() + "; then " + window.count());
                }
            }
        }
    }
}
