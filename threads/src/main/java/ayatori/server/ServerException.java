package ayatori.server;

/**
 * What a server in another process says why it has no result: what its handler threw, in words; of
 * more than 168 bytes the beginning, and an ellipsis.
 */
public final class ServerException extends Exception {
    private static final long serialVersionUID = 1;

    ServerException(String message) {
        super(message);
    }
}
