package ayatori.server;

/**
 * At what priority a server works. Source: Y. Kamo, T. Yamauchi, H. Taniguchi, <i>Evaluation of a Scheduling Mechanism to
 * Suppress Priority Inversion in a Multi-core Environment on AnT</i>, section 2.2; CEILING: POSIX, PTHREAD_PRIO_PROTECT.
 */
public enum PriorityProtocol {
    /** At its own, and it takes requests in the order in which they came. */
    NONE,
    /**
     * At that of the request, from when it takes it. A more important request that comes meanwhile is taken next, but while
     * the server is at the one before, anything between the two keeps it from its CPU.
     */
    VPGET,
    /**
     * At that of the request, already from when that has come, if it is more important than what the server does; and at that
     * of who waits for an answer. It goes down when it takes the next request only.
     */
    VPSET,
    /** Always at the endpoint's ceiling, which no request may exceed. */
    CEILING;

    /** If requests are taken in the order of their priorities. */
    boolean orders() {
        return this != NONE;
    }
}
