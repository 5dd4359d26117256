package jpi;

/** A program of many ranks: {@link JRun} makes one object of its class for each rank, and calls {@link #Jmain} in the rank's thread. */
public abstract class JApplication {
    /** What this rank knows of its surroundings. */
    protected final JHandle JPI = JHandle.current();

    /**
     * For JRun.
     *
     * @throws JException in a thread that is no rank
     */
    protected JApplication() {}

    /**
     * What a rank does. When it returns, the rank has ended.
     *
     * @param arguments those of the command line behind the class
     */
    @SuppressWarnings("checkstyle:MethodName") // the paper's name
    public abstract void Jmain(String[] arguments);
}
