package jpi;

import java.lang.reflect.InvocationTargetException;

/**
 * Starts parallel programs: {@code java jpi.JRun options classname arguments}; {@code -h} lists the options.
 *
 * <p>Made for Java 8, so that a JVM that is too old can say so.
 */
public final class JRun {
    private static final int NEEDED = 25;
    private static final int MISTAKE = 2;

    private JRun() {}

    /**
     * The command.
     *
     * @param arguments see {@code -h}
     * @throws ReflectiveOperationException never: what it calls is in the same jar
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        String version = System.getProperty("java.specification.version"); // 1.8, 11, 25
        if (version.startsWith("1.") || Integer.parseInt(version) < NEEDED) {
            System.err.println("jpi: this is Java " + version + " (" + System.getProperty("java.home")
                    + "), and JPI needs Java " + NEEDED + " or later: start it with the java of a newer JDK");
            System.exit(MISTAKE);
        }
        try {
            Class.forName("jpi.internal.launch.Master")
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            if (thrown instanceof NoClassDefFoundError && thrown.getCause() instanceof ClassNotFoundException) {
                System.err.println("jpi: the class " + thrown.getCause().getMessage()
                        + " is missing: put the jars that JPI comes with beside its own");
                System.exit(MISTAKE);
            }
            throw new IllegalStateException(thrown);
        }
    }
}
