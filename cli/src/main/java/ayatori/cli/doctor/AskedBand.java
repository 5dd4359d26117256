package ayatori.cli.doctor;

import ayatori.cli.AgentOptions;
import ayatori.cli.Band;
import ayatori.cli.HostFile;
import ayatori.cli.ProgramName;
import ayatori.cli.Roster;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The band that a JVM was to have, also where it did not get it: an agent that fell back to nice publishes none. */
final class AskedBand {
    private static final Pattern OPTIONS = Pattern.compile(Pattern.quote(AgentOptions.LIBRARY) + "=([^\0 ]*)");

    private AskedBand() {}

    /** As the host file says for its program, the agent in it, or else the options that it was started with. */
    static Optional<Band> of(KernelFiles files, int pid, Optional<HostFile> hostFile) {
        String folder = "/proc/" + pid;
        String environment = files.text(folder + "/environ").orElse("");
        return ProgramName.in(environment)
                .flatMap(name -> hostFile.flatMap(file -> file.program(name)))
                .map(HostFile.Program::values)
                .or(() -> Roster.band(pid))
                .or(() -> inOptions(files.text(folder + "/cmdline").orElse("")))
                .or(() -> inOptions(environment));
    }

    /** Of the agent's options in a command line or an environment; a path of rules, which may be anything, is the last. */
    private static Optional<Band> inOptions(String text) {
        Matcher options = OPTIONS.matcher(text);
        if (!options.find()) {
            return Optional.empty();
        }
        for (String option : options.group(1).split(",", -1)) {
            if (option.startsWith("rules=")) {
                break;
            }
            if (option.startsWith("band=")) {
                return Band.parse(option.substring("band=".length()));
            }
        }
        return Optional.empty();
    }
}
