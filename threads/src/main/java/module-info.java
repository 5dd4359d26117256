import org.jspecify.annotations.NullMarked;

/**
 * Scheduling policies of Linux threads, for Java, {@link ayatori.sched}, re-usable threads that run each task at its
 * priority, {@link ayatori.pool}, and servers that work at the priority of whoever asks, {@link ayatori.server}.
 *
 * <p>No third-party module is needed at run time. The module calls the kernel through the foreign function interface:
 * start with {@code --enable-native-access=ayatori.threads}.
 */
@NullMarked
@SuppressWarnings("module") // ayatori.cli and jpi are compiled after this module, so javac does not know them yet
module ayatori.threads {
    requires java.management;
    requires jdk.jfr;
    requires static org.jspecify;

    exports ayatori.pool;
    exports ayatori.sched;
    exports ayatori.server;
    exports ayatori.internal.inheritance to
            jpi;
    exports ayatori.internal.linux to
            ayatori.cli,
            jpi;
}
