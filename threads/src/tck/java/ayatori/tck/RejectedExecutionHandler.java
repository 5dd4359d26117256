package ayatori.tck;

/** Stands in for java.util.concurrent.RejectedExecutionHandler in the TCK's sources, since that names the real ThreadPoolExecutor. */
public interface RejectedExecutionHandler {
    void rejectedExecution(Runnable task, ThreadPoolExecutor executor);
}
