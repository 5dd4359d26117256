package ayatori.cli.why;

/** The kernel's scheduler trace is not to be had here. */
final class TraceRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    /**
     * A refusal.
     *
     * @param reason what refused, and what the kernel said
     * @param remedy what to do about it
     */
    TraceRefusal(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    String remedy() {
        return remedy;
    }
}
