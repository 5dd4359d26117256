package ayatori.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A stage that depends on a task. Like the task's own, its dependents that are told no executor run in the pool. */
final class Stage<T> extends CompletableFuture<T> {
    private final Executor pool;

    Stage(Executor pool) {
        this.pool = pool;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new Stage<>(pool);
    }

    @Override
    public Executor defaultExecutor() {
        return pool;
    }
}
