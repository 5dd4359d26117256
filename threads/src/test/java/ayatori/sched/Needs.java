package ayatori.sched;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a test needs of the machine; without it, the test is skipped by name. */
public final class Needs {
    private Needs() {}

    public static void realTime() throws IOException {
        String effective = new TaskFiles(Sched.gettid()).status("CapEff").orElse("0");
        assumeTrue(((Long.parseUnsignedLong(effective, 16) >> 23) & 1) != 0, "SKIP: needs CAP_SYS_NICE");
    }

    public static void root() {
        assumeTrue(Sched.geteuid() == 0, "SKIP: needs root, to become another user");
    }

    public static void program(String path) {
        assumeTrue(Files.isExecutable(Path.of(path)), "SKIP: needs " + path);
    }

    public static void twoCpus() throws IOException {
        assumeTrue(Sched.getAffinity(0).cardinality() >= 2, "SKIP: needs two CPUs");
    }
}
