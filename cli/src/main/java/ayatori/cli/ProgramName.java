package ayatori.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name by which a {@linkplain HostFile host file} knows a program. A process that was started by it bears it in its
 * environment, where others read it, and hands it on to what it starts: these are of the same program.
 */
public final class ProgramName {
    /** Begins with a letter: what begins with a digit is a band. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9._@-]{0,62}");

    private static final String VARIABLE = "AYATORI_PROGRAM=";

    private ProgramName() {}

    static boolean isOne(String word) {
        return FORM.matcher(word).matches();
    }

    /** An environment with this name, or with none. */
    static List<String> put(List<String> environment, Optional<String> name) {
        List<String> changed = new ArrayList<>(environment);
        changed.removeIf(variable -> variable.startsWith(VARIABLE));
        name.ifPresent(it -> changed.add(VARIABLE + it));
        return changed;
    }

    /** That of a process; empty if it has none, or this user may not look into it. */
    public static Optional<String> of(int pid) {
        try {
            return in(Files.readString(Path.of("/proc", Integer.toString(pid), "environ"), ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** That in the text of /proc/PID/environ. */
    public static Optional<String> in(String environ) {
        return Arrays.stream(environ.split("\0", -1))
                .filter(variable -> variable.startsWith(VARIABLE))
                .map(variable -> variable.substring(VARIABLE.length()))
                .filter(ProgramName::isOne) // what is none comes from somewhere else
                .findFirst();
    }
}
