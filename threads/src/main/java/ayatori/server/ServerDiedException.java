package ayatori.server;

/** The server's process ended before it answered, or took the connection back. Its successor can be connected to. */
public final class ServerDiedException extends Exception {
    private static final long serialVersionUID = 1;

    ServerDiedException(String message) {
        super(message);
    }
}
