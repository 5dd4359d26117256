package jpi.internal.launch;

import java.io.Serial;

/** A mistake of the user's: told in one sentence on standard error, exit code 2. */
final class UserMistake extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** @param sentence what is wrong, with the value that is wrong, and the remedy; without prefix and full stop */
    UserMistake(String sentence) {
        super(sentence);
    }

    /** The sentence. */
    String sentence() {
        return String.valueOf(getMessage());
    }
}
