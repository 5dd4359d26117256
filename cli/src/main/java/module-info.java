import org.jspecify.annotations.NullMarked;

/** The command {@code ayatori}: starts JVMs with the agent and shows what the kernel made of their priorities. */
@NullMarked
module ayatori.cli {
    requires static org.jspecify;
    requires ayatori.threads;
    requires info.picocli;
    requires jdk.attach;

    opens ayatori.cli to
            info.picocli;
    opens ayatori.cli.demo to
            info.picocli;
}
