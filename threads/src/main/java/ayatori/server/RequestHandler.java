package ayatori.server;

/**
 * What a server's threads do with requests.
 *
 * @param <Q> what is asked
 * @param <R> what is answered
 */
@FunctionalInterface
public interface RequestHandler<Q, R> {
    /**
     * Answers a request, now or later, or forwards it.
     *
     * @throws Exception is the client's answer if there is none yet
     */
    void handle(Request<Q, R> request) throws Exception;
}
