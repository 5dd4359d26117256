package ayatori.pool;

import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Prints what two tasks of one worker find in thread-locals. Argument: whether the pool is to clear them. */
public final class ThreadLocalsProbe {
    private static final ThreadLocal<@Nullable String> ORDINARY = new ThreadLocal<>();
    private static final InheritableThreadLocal<@Nullable String> INHERITABLE = new InheritableThreadLocal<>();
    private static final InheritableThreadLocal<@Nullable String> OF_THE_SUBMITTER = new InheritableThreadLocal<>();

    private ThreadLocalsProbe() {}

    public static void main(String[] arguments) throws ExecutionException, InterruptedException {
        OF_THE_SUBMITTER.set("main's");
        ReusableThreadPoolBuilder builder =
                ReusableThreadPool.builder().maximumThreads(1).clearThreadLocals(Boolean.parseBoolean(arguments[0]));
        try (ReusableThreadPool pool = builder.build()) {
            String first = pool.submit(ThreadLocalsProbe::findAndLeave).get();
            String second = pool.submit(ThreadLocalsProbe::findAndLeave).get();
            String threads = pool.statistics().started() == 1 ? "one thread" : "several threads";
            System.out.println(threads + ": " + first + ", then " + second);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }

    private static String findAndLeave() {
        String found = ORDINARY.get() + " " + INHERITABLE.get() + ", inherited " + OF_THE_SUBMITTER.get();
        ORDINARY.set("first");
        INHERITABLE.set("second");
        return found;
    }
}
