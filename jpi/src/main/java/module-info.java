import org.jspecify.annotations.NullMarked;

/**
 * JPI, the Java-object Passing Interface: programs of many ranks, threads in one JVM or in several, that pass each other objects.
 *
 * <p>{@link jpi.JRun} starts them, a subclass of {@link jpi.JApplication} is what each rank runs, and {@link jpi.JComm} is
 * how they talk.
 */
@NullMarked
@SuppressWarnings("requires-automatic") // Fory has no module descriptor
module jpi {
    requires ayatori.threads;
    requires info.picocli;
    requires jdk.jfr;
    requires jdk.unsupported; // what Fory takes its lookup from unless java.lang.invoke is open to it
    requires org.apache.fory.core;
    requires static transitive org.jspecify; // says of parameters if they may be null

    exports jpi;

    opens jpi.internal.launch to
            info.picocli;
}
