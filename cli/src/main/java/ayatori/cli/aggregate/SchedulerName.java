package ayatori.cli.aggregate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which scheduler ordinary threads are under. */
final class SchedulerName {
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");
    /** The first kernel whose fair scheduler is EEVDF: 6.6. */
    private static final int EEVDF_MAJOR = 6;

    private static final int EEVDF_MINOR = 6;

    private SchedulerName() {}

    /** Now, on this host. */
    static String now() {
        return of(
                read(Path.of("/sys/kernel/sched_ext/state")),
                read(Path.of("/sys/kernel/sched_ext/root/ops")),
                read(Path.of("/proc/sys/kernel/osrelease")));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return ""; // this kernel has no sched_ext, or nothing is loaded
        }
    }

    /**
     * By what the kernel says.
     *
     * @param state of sched_ext; empty: there is none
     * @param operations name of the scheduler that is loaded
     * @param release the kernel's
     */
    static String of(String state, String operations, String release) {
        String kernel = " (kernel " + release + ")";
        if (state.equals("enabled")) {
            return "the sched_ext scheduler " + operations + kernel;
        }
        Matcher version = RELEASE.matcher(release);
        if (!version.matches()) {
            return "the kernel's own scheduler" + kernel;
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        boolean eevdf = major > EEVDF_MAJOR || (major == EEVDF_MAJOR && minor >= EEVDF_MINOR);
        return (eevdf ? "EEVDF" : "CFS") + kernel;
    }
}
