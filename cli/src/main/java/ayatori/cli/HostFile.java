package ayatori.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The programs of one host, JVMs and native ones, ranked against each other. In the form of systemd's unit files; every
 * mistake is refused with its line.
 *
 * @param path where it was read
 * @param programs in the order of the file; none overlaps another
 */
public record HostFile(Path path, List<Program> programs) {
    /** Where it is unless the user says otherwise. */
    public static final Path USUAL = Path.of("/etc/ayatori/host.conf");

    private static final Pattern HEADING = Pattern.compile("\\[Program\\s+(.*)\\]");
    private static final Pattern SETTING = Pattern.compile("([^=]*?)\\s*=\\s*(.*)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,2}");
    /** /dev/zero would take all memory. */
    private static final int LONGEST = 1 << 20;

    private static final List<String> KEYS = List.of("Band", "Priority", "Policy");
    /** The kernel's own migration threads have 99. */
    private static final int HIGHEST_PRIORITY = 98;

    /**
     * A program.
     *
     * @param line of its heading
     * @param values between which it stands
     * @param level of a native program, what it is started with; empty for one that the agent places, or that places its
     *     threads itself
     */
    public record Program(String name, int line, Band values, Optional<SchedulingParameters> level) {}

    /**
     * Reads a host file.
     *
     * @throws UserMistake if it cannot be read, or something in it is wrong
     */
    public static HostFile read(Path path) {
        String text;
        try {
            text = text(path);
        } catch (NoSuchFileException e) {
            throw new UserMistake("there is no host file " + path);
        } catch (AccessDeniedException e) {
            throw new UserMistake("the host file " + path + " cannot be read: permission denied");
        } catch (IOException e) {
            throw new UserMistake("the host file " + path + " cannot be read: " + e.getMessage());
        }
        return new Reading(path).all(text);
    }

    private static String text(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new UserMistake("the host file " + path + " is longer than " + LONGEST + " bytes: is it one?");
            }
            return new String(bytes, UTF_8);
        }
    }

    /**
     * The program of that name in a host file.
     *
     * @param path null for the usual one
     * @throws UserMistake if there is none, or the file is of no use
     */
    static Program program(@Nullable Path path, String name) {
        HostFile file = read(path == null ? USUAL : path);
        return file.program(name)
                .orElseThrow(() ->
                        new UserMistake("no program '" + name + "' in " + file.path() + ": it has " + file.names()));
    }

    /** The program of that name. */
    public Optional<Program> program(String name) {
        return programs.stream().filter(each -> each.name.equals(name)).findFirst();
    }

    /** The options of {@code ayatori run} that start a program of this file. */
    public String runOptions(String name) {
        return (path.equals(USUAL) ? "" : "--host-file " + path + " ") + "--band " + name;
    }

    /** For messages. */
    String names() {
        return programs.isEmpty()
                ? "none"
                : String.join(", ", programs.stream().map(Program::name).toList());
    }

    /** Goes through the lines. */
    private static final class Reading {
        private final Path path;
        private final List<Program> programs = new ArrayList<>();
        private int number;

        private String name = "";
        private int heading;
        private final Map<String, Setting> settings = new HashMap<>();

        Reading(Path path) {
            this.path = path;
        }

        private record Setting(String value, int line) {}

        HostFile all(String text) {
            for (String line : text.lines().toList()) {
                number++;
                // No value has either of these characters in it.
                String said = line.replaceFirst("[#;].*", "").strip();
                if (said.startsWith("[")) {
                    end();
                    begin(said);
                } else if (!said.isEmpty()) {
                    set(said);
                }
            }
            end();
            return new HostFile(path, List.copyOf(programs));
        }

        private void begin(String said) {
            Matcher matcher = HEADING.matcher(said);
            if (!matcher.matches()) {
                throw mistake(number, "unknown section '" + said + "': a section is [Program NAME]");
            }
            name = matcher.group(1).strip();
            heading = number;
            if (!ProgramName.isOne(name)) {
                throw mistake(
                        number,
                        "no name for a program '" + name
                                + "': a letter, then up to 62 letters, digits and any of . _ @ -");
            }
            programs.stream().filter(each -> each.name.equals(name)).findFirst().ifPresent(other -> {
                throw mistake(number, "program " + name + " stands in line " + other.line + " already");
            });
        }

        private void set(String said) {
            Matcher matcher = SETTING.matcher(said);
            if (!matcher.matches()) {
                throw mistake(number, "'" + said + "' is neither [Program NAME] nor KEY=VALUE");
            }
            String key = matcher.group(1);
            if (heading == 0) {
                throw mistake(number, key + "= stands before the first [Program NAME]");
            }
            if (!KEYS.contains(key)) {
                throw mistake(number, "unknown key '" + key + "': it is one of " + String.join(", ", KEYS));
            }
            Setting earlier = settings.put(key, new Setting(matcher.group(2), number));
            if (earlier != null) {
                throw mistake(number, key + "= stands in line " + earlier.line + " already");
            }
        }

        /** Of the program whose lines these were, if there was one. */
        private void end() {
            if (heading == 0) {
                return;
            }
            Setting band = settings.get("Band");
            Setting priority = settings.get("Priority");
            Setting policy = settings.get("Policy");
            if (band != null && priority == null && policy == null) {
                add(new Program(name, heading, band(band), Optional.empty()), band.line);
            } else if (band == null && priority != null) {
                int value = priority(priority);
                SchedulingParameters level =
                        isFifo(policy) ? SchedulingParameters.fifo(value) : SchedulingParameters.roundRobin(value);
                add(new Program(name, heading, new Band(value, value), Optional.of(level)), priority.line);
            } else {
                throw mistake(
                        heading, "program " + name + " has to have either Band=, or Priority= and, if wanted, Policy=");
            }
            settings.clear();
        }

        private void add(Program program, int line) {
            for (Program other : programs) {
                if (other.values.overlaps(program.values)) {
                    throw mistake(
                            line,
                            program.values + " of program " + program.name + " overlaps " + other.values
                                    + " of program " + other.name + " (line " + other.line + ")");
                }
            }
            programs.add(program);
        }

        private Band band(Setting setting) {
            return Band.parse(setting.value)
                    .orElseThrow(() -> mistake(setting.line, "no band '" + setting.value + "': it is " + Band.FORM));
        }

        private int priority(Setting setting) {
            int value = NUMBER.matcher(setting.value).matches() ? Integer.parseInt(setting.value) : 0;
            if (value < 1 || value > HIGHEST_PRIORITY) {
                throw mistake(
                        setting.line,
                        "no priority '" + setting.value + "': it is a real-time value from 1 to " + HIGHEST_PRIORITY);
            }
            return value;
        }

        private boolean isFifo(@Nullable Setting policy) {
            if (policy == null || policy.value.equals("rr")) {
                return false;
            }
            if (!policy.value.equals("fifo")) {
                throw mistake(policy.line, "unknown policy '" + policy.value + "': it is rr or fifo");
            }
            return true;
        }

        private UserMistake mistake(int line, String what) {
            return new UserMistake(path + ":" + line + ": " + CellText.printable(what));
        }
    }
}
