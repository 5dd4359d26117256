package ayatori.cli;

/** A mistake of the user's: told in one line on standard error, exit code 2, and nothing has been changed. */
public final class UserMistake extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param line what is wrong, with the value that is wrong, without prefix and full stop */
    public UserMistake(String line) {
        super(line);
    }
}
