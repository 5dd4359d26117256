package ayatori.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is below a folder.
 *
 * @param fileSystem its type
 * @param scheduler of the block device, which puts reads and writes in order; "unknown" if there is no such device
 */
record DiskQueue(String fileSystem, String scheduler) {
    private static final Pattern CHOSEN = Pattern.compile("\\[(.*)]");

    static DiskQueue of(Path folder) throws IOException {
        return new DiskQueue(Files.getFileStore(folder).type(), scheduler(folder));
    }

    private static String scheduler(Path folder) throws IOException {
        // makedev(3).
        long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
        long major = (device >> 8) & 0xfff;
        long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
        Path known = Path.of("/sys/dev/block", major + ":" + minor);
        if (!Files.exists(known)) {
            return "unknown";
        }
        // A partition's queue is that of its disk.
        Path disk = known.toRealPath();
        while (disk != null && !Files.exists(disk.resolve("queue/scheduler"))) {
            disk = disk.getParent();
        }
        if (disk == null) {
            return "unknown";
        }
        String all = Files.readString(disk.resolve("queue/scheduler")).strip();
        Matcher chosen = CHOSEN.matcher(all);
        return chosen.find() ? chosen.group(1) : all;
    }

    /** If it is in memory. */
    boolean isNoDisk() {
        return fileSystem.equals("tmpfs") || fileSystem.equals("ramfs");
    }

    @Override
    public String toString() {
        String heeds = switch (scheduler) {
            case "mq-deadline" -> "which heeds the class of an I/O priority";
            case "bfq" -> "which heeds class and level of an I/O priority";
            case "none", "kyber" -> "which heeds no I/O priority";
            default -> "of which is not known if it heeds I/O priorities";
        };
        return fileSystem + ", I/O scheduler " + scheduler + ", " + heeds;
    }
}
