package ayatori.bench;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;

/** What the measurements need of the kernel. */
final class RealTime {
    private RealTime() {}

    /** Skips the test, by its name, where the kernel refuses this real-time value. */
    static void assume(int value) throws IOException, InterruptedException {
        assumeTrue(
                new ProcessBuilder("chrt", "-r", Integer.toString(value), "true")
                                .start()
                                .waitFor()
                        == 0,
                "needs SCHED_RR up to " + value + " (root, CAP_SYS_NICE or RLIMIT_RTPRIO)");
    }
}
