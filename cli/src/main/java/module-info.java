import org.jspecify.annotations.NullMarked;

/** The command {@code ayatori}: starts JVMs with the agent and shows what the kernel made of their priorities. */
@NullMarked
@SuppressWarnings("requires-automatic") // HdrHistogram has no descriptor; it needs java.base only
module ayatori.cli {
    requires static org.jspecify;
    requires HdrHistogram;
    requires ayatori.threads;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires jdk.attach;
    requires jdk.internal.jvmstat;
    requires jdk.unsupported; // JLine looks for sun.misc.Signal: a window that changes its size
    requires org.jline.terminal;

    opens ayatori.cli to
            info.picocli;
    opens ayatori.cli.aggregate to
            info.picocli;
    opens ayatori.cli.apply to
            info.picocli;
    opens ayatori.cli.demo to
            info.picocli;
    opens ayatori.cli.doctor to
            info.picocli;
    opens ayatori.cli.top to
            info.picocli;
    opens ayatori.cli.why to
            info.picocli;
}
