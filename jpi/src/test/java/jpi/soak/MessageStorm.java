package jpi.soak;

import jpi.JApplication;
import jpi.JComm;

/**
 * {@code jpi.JRun OPTIONS jpi.soak.MessageStorm MESSAGES ROUNDS SEED}: a storm of so many messages in all. Rank 0 prints
 * {@code progress,MESSAGES} after each round, and one rank of each JVM {@code result,heap,RANK,ROUND,BYTES}: what is in use after a
 * collection while nothing is under way.
 */
public final class MessageStorm extends JApplication {
    /** After one of them what finds objects that are weakly held has been seen to; after the other these are gone. */
    private static final int COLLECTIONS = 2;

    private final JComm world = JPI.COMM_WORLD;

    @Override
    public void Jmain(String[] arguments) {
        long messages = Long.parseLong(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        StormPlayer player = new StormPlayer(world, Long.parseLong(arguments[2]));
        JComm jvm = world.splitByJvm();
        for (int round = 1; round <= rounds; round++) {
            player.play(Math.toIntExact(messages / rounds / world.size()));
            if (jvm.rank() == 0) {
                System.out.println("result,heap," + world.rank() + "," + round + "," + heap());
            }
            world.barrier();
            if (world.rank() == 0) {
                System.out.println("progress," + messages / rounds * round);
            }
        }
        System.out.println("result,count,receives given up," + player.cancelled());
    }

    private static long heap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
