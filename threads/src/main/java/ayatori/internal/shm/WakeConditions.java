package ayatori.internal.shm;

/**
 * When who has just registered a request or an answer has to wake whom that is for. Source: Y. Kamo, T. Yamauchi, H. Taniguchi,
 * <i>Evaluation of a Scheduling Mechanism to Suppress Priority Inversion in a Multi-core Environment on AnT</i>, section 2.2.2.
 *
 * <p>The conditions need no look at the other's state, which may change at any moment, only at the queues: if something was in
 * one of them before, whoever put it there has woken the other; if nothing is in it any more, the other is awake, since it has
 * just taken it.
 *
 * <p>In the paper a kernel registers and wakes without being interrupted. Here a thread does, and may be preempted in between:
 * what it has registered counts as having been there <em>before</em> once it has also woken the other.
 */
public final class WakeConditions {
    /**
     * What stands for Ret_prev in {@link #wakesServer} and for Req_prev in {@link #wakesClient} as long as each thread sleeps for one
     * queue only. A process of the paper has one place where it sleeps for requests and for answers alike, so that whatever is in
     * the one queue has woken it for the other. Here a server sleeps for requests, or, when it has called another, for that one's
     * answer; and who hears of a client's answers is a thread that serves nobody. What is in the other queue then has woken
     * another thread, or this one from another sleep, and who relied on it would leave this one asleep.
     */
    public static final int NONE_ELSEWHERE = 0;

    private WakeConditions() {}

    /**
     * If the client has to wake the server.
     *
     * @param requestsBefore Req_prev: requests in the queue before this one
     * @param resultsBefore Ret_prev: answers that wait for the same server, as a client of others, and for which it would have been
     *     woken; {@link #NONE_ELSEWHERE}
     * @param requestsNow Req_current: requests in the queue now
     */
    public static boolean wakesServer(int requestsBefore, int resultsBefore, int requestsNow) {
        return requestsBefore == 0 && resultsBefore == 0 && requestsNow != 0;
    }

    /**
     * If the server has to wake the client: the mirror image.
     *
     * @param resultsBefore Ret_prev: answers in the queue before this one
     * @param requestsBefore Req_prev: requests that wait for the same client, as a server of others, and for which it would have been
     *     woken; {@link #NONE_ELSEWHERE}
     * @param resultsNow Ret_current: answers in the queue now
     */
    public static boolean wakesClient(int resultsBefore, int requestsBefore, int resultsNow) {
        return resultsBefore == 0 && requestsBefore == 0 && resultsNow != 0;
    }
}
