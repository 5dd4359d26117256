package jpi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import jpi.internal.engine.Completion;
import jpi.internal.engine.FirstOf;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;
import org.jspecify.annotations.Nullable;

/**
 * An operation under way. To be waited for, by a thread of the rank that began it; or, as a {@link java.util.concurrent.CompletionStage}, to
 * be followed by others: these run as the same rank in a virtual thread of their own, or in the caller's if the operation is over by
 * then, and may themselves pass messages; those of methods whose names end in Async run in the common pool, or by the executor that
 * is given, and have the communicators that they know.
 *
 * <p>Thread-safe.
 *
 * @param <T> what it brings: a message, or nothing
 */
public final class JRequest<T extends @Nullable Object> extends JStage<T> {
    private final Rank rank;
    /** Null: it was over at once. */
    private final @Nullable Completion completion;

    private final Supplier<? extends T> result;
    /** Of a receive that is of nobody: what is known of that. */
    private final @Nullable JStatus ofNobody;

    /** Made when somebody asks for it: most are only waited for. */
    private volatile @Nullable CompletableFuture<T> future;

    JRequest(Rank rank, @Nullable Completion completion, Supplier<? extends T> result) {
        this(rank, completion, result, null);
    }

    JRequest(Rank rank, @Nullable Completion completion, Supplier<? extends T> result, @Nullable JStatus ofNobody) {
        this.rank = rank;
        this.completion = completion;
        this.result = result;
        this.ofNobody = ofNobody;
    }

    /**
     * If it is over. Never waits.
     *
     * @throws JException if the program has failed, and it will never be
     */
    public boolean test() {
        if (completion == null || completion.isDone()) {
            return true;
        }
        rank.progress();
        if (completion.isDone()) {
            return true;
        }
        rank.check();
        return false;
    }

    /**
     * Waits until it is over.
     *
     * @return what it has brought
     * @throws JException what it has failed with; or that it was cancelled
     */
    public T await() {
        if (completion != null) {
            rank.await(completion);
            if (isCancelled()) {
                throw cancelled();
            }
        }
        return result.get();
    }

    /**
     * Gives up a receive whose message has not come. Anything else goes on: a message that has been sent cannot be called back.
     *
     * @return if it has been given up
     */
    public boolean cancel() {
        if (completion instanceof Receive receive && !receive.isDone()) {
            rank.giveUp(receive);
        }
        return isCancelled();
    }

    /** If it has been given up. */
    public boolean isCancelled() {
        return completion instanceof Receive receive && receive.isGivenUp();
    }

    /**
     * What is known of the message that has come.
     *
     * @throws JException what it has failed with; or if this is no receive, is not over, or was cancelled
     */
    public JStatus status() {
        if (ofNobody != null) {
            return ofNobody;
        }
        if (!(completion instanceof Receive receive)) {
            throw new JException("a status is asked for of a request that receives no message: ask that of a receive");
        }
        if (!receive.isDone()) {
            throw new JException("a status is asked for of a receive whose message has not come: await it first");
        }
        if (receive.isGivenUp()) {
            throw cancelled();
        }
        return receive.status();
    }

    private static JException cancelled() {
        return new JException(
                "the receive was cancelled before a message came: ask isCancelled first, or begin another");
    }

    /** Waits for all. */
    public static void awaitAll(Collection<? extends JRequest<?>> requests) {
        for (JRequest<?> request : Given.required(requests, "awaitAll", "requests", "give a collection of them")) {
            var _ = Given.required(request, "awaitAll", "requests", "leave out those that are null")
                    .await();
        }
    }

    /**
     * Waits for one of some, any.
     *
     * @param requests at least one, all of one rank
     * @return the place in the list of the first that is over
     * @throws JException if there is none
     */
    public static int awaitAny(List<? extends JRequest<?>> requests) {
        var _ = Given.required(requests, "awaitAny", "requests", "give a list of them");
        if (requests.isEmpty()) {
            throw new JException("awaitAny of no requests would wait for ever: give it one at least");
        }
        while (true) {
            // A new one each time: who looks for deadlocks may still read the last.
            List<@Nullable Completion> wanted = new ArrayList<>();
            for (int i = 0; i < requests.size(); i++) {
                JRequest<?> request = Given.required(requests.get(i), "awaitAny", "requests", "leave it out");
                if (request.test()) {
                    return i;
                }
                wanted.add(request.completion);
            }
            JRequest<?> first = requests.getFirst();
            first.rank.await(new FirstOf(first.rank, wanted));
        }
    }

    /** If all are over. */
    public static boolean testAll(Collection<? extends JRequest<?>> requests) {
        for (JRequest<?> request : Given.required(requests, "testAll", "requests", "give a collection of them")) {
            if (!Given.required(request, "testAll", "requests", "leave out those that are null")
                    .test()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        CompletableFuture<T> made = future;
        return made == null ? makeFuture() : made;
    }

    private CompletableFuture<T> makeFuture() {
        CompletableFuture<T> fresh = new CompletableFuture<>();
        synchronized (this) {
            CompletableFuture<T> made = future;
            if (made != null) {
                return made;
            }
            future = fresh;
        }
        if (completion == null) {
            bring(fresh);
        } else {
            completion.follow(() -> bring(fresh));
        }
        return fresh;
    }

    private void bring(CompletableFuture<T> made) {
        if (isCancelled()) {
            made.cancel(false);
            return;
        }
        try {
            if (completion != null) {
                rank.await(completion); // it is over, and who is to be told of it is; or the program has failed
            }
            made.complete(result.get());
        } catch (RuntimeException | Error e) { // a thread of nobody's runs this
            made.completeExceptionally(e);
        }
    }
}
