package ayatori.bench.load;

/**
 * Time to create, start and join a thread that does nothing. Arguments: the parent's priority, the child's, blocks,
 * threads a block. Prints the mean of each block in nanoseconds; as many blocks before are not printed.
 */
public final class Births {
    private Births() {}

    public static void main(String[] arguments) throws InterruptedException {
        int parentPriority = Integer.parseInt(arguments[0]);
        int childPriority = Integer.parseInt(arguments[1]);
        int blocks = Integer.parseInt(arguments[2]);
        int threads = Integer.parseInt(arguments[3]);
        Thread parent = new Thread(
                () -> {
                    for (int block = -blocks; block < blocks; block++) {
                        double nanos = block(childPriority, threads);
                        if (block >= 0) {
                            Result.print("birth", nanos);
                        }
                    }
                },
                "parent");
        parent.setPriority(parentPriority);
        parent.start();
        parent.join();
    }

    private static double block(int childPriority, int threads) {
        long start = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            Thread child = new Thread(() -> {});
            child.setPriority(childPriority);
            child.start();
            try {
                child.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return (double) (System.nanoTime() - start) / threads;
    }
}
