package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The file of {@code -mf}: the machines that workers run on, one worker a line; {@code #} begins a comment. */
final class MachineFile {
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    /** Some editors begin a file with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final Pattern COMMENT = Pattern.compile("#.*");
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])){3}|::1");

    private MachineFile() {}

    /**
     * How many workers it names.
     *
     * @throws UserMistake if it cannot be read, names none, or names another machine
     */
    static int workers(Path file) {
        try {
            return workers(
                    file.toString(),
                    new String(Files.readAllBytes(file), UTF_8),
                    Files.readString(HOST_NAME).strip());
        } catch (IOException e) {
            throw new UserMistake("the machine file " + file + " cannot be read (" + FileTrouble.reason(e, "file")
                    + "): name another with -mf");
        }
    }

    /** As above, of a file's text on a machine of that name. */
    static int workers(String file, String text, String hostName) {
        List<String> lines =
                text.substring(text.startsWith(BYTE_ORDER_MARK) ? 1 : 0).lines().toList();
        int workers = 0;
        for (int i = 0; i < lines.size(); i++) {
            String name = COMMENT.matcher(lines.get(i)).replaceFirst("").strip();
            if (name.isEmpty()) {
                continue;
            }
            if (!isThisMachine(name, hostName)) {
                throw new UserMistake("line " + (i + 1) + " of " + file + " names '" + name
                        + "', which is not this machine: workers run here only, one for each line, so write localhost or "
                        + hostName);
            }
            workers++;
        }
        if (workers == 0) {
            throw new UserMistake(
                    "the machine file " + file + " names no machine: write one a line, such as localhost");
        }
        return workers;
    }

    private static boolean isThisMachine(String name, String hostName) {
        return name.equalsIgnoreCase("localhost")
                || name.equalsIgnoreCase(hostName)
                || name.equalsIgnoreCase(hostName.split("\\.", 2)[0])
                || LOOPBACK.matcher(name).matches();
    }
}
