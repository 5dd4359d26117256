package jpi;

import java.io.Serial;

/**
 * Something went wrong in passing messages. The message says what, with which value, and what to do. Unchecked: a program in the
 * paper's manner may catch it, one that does not ends with all its ranks.
 */
public class JException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** One with a message. */
    public JException(String message) {
        super(message);
    }

    /** One with a message and what it comes from. */
    public JException(String message, Throwable cause) {
        super(message, cause);
    }
}
