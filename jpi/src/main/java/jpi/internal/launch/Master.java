package jpi.internal.launch;

/** The JVM that the user starts: it starts the workers, brings them together, and outlives them. It runs none of the ranks. */
public final class Master {
    private Master() {}

    /** @param arguments see {@link RunOptions} */
    public static void main(String[] arguments) {
        System.exit(RunOptions.commandLine(Session::run).execute(arguments));
    }
}
