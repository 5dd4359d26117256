package ayatori.server;

/**
 * An endpoint's counters. Wakes by clients in other processes are those clients' to count: {@link SharedEndpoint#statistics}.
 *
 * @param name of the endpoint
 * @param requests that have come, forwarded ones included
 * @param taken requests that a server has taken
 * @param waiting requests that no server has taken yet
 * @param servers threads that serve
 * @param wakes how many times a request has woken a server
 * @param wakesSkipped how many times a request needed not: the server was awake, or another request had just woken it
 * @param raises how many times the kernel was told to raise a server before that took the request because of which it was, or
 *     because a more important thread waits for an answer
 * @param raisesSkipped how many requests under {@link PriorityProtocol#VPSET} needed no raise when they came: the server that was to
 *     take them, or would be ready first, was high enough or had taken them already, or there was none
 * @param replyWakes how many answers have woken a thread of the client's: one that waited for that very answer, or, between
 *     processes, the one that hears of answers for which nobody need wait
 * @param replyWakesSkipped how many needed not: no thread waited for it, or the one that hears of them had been woken for
 *     another answer and not looked yet, or had looked already
 */
public record EndpointStatistics(
        String name,
        long requests,
        long taken,
        int waiting,
        int servers,
        long wakes,
        long wakesSkipped,
        long raises,
        long raisesSkipped,
        long replyWakes,
        long replyWakesSkipped) {}
