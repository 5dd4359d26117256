package ayatori.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** The unpacked archive that this command runs from; bin/ayatori says where it is. */
public final class Installation {
    private static final String HOME_PROPERTY = "ayatori.home";

    private Installation() {}

    /**
     * The archive's top folder.
     *
     * @throws UserMistake if this JVM was not started by bin/ayatori
     */
    public static Path home() {
        String home = System.getProperty(HOME_PROPERTY);
        if (home == null) {
            throw new UserMistake("started without bin/ayatori: use that script of the unpacked archive");
        }
        return Path.of(home);
    }

    /**
     * A program of the archive.
     *
     * @throws UserMistake if the archive is not complete
     */
    public static Path program(String name) {
        Path program = home().resolve("lib").resolve(name);
        if (!Files.isExecutable(program)) {
            throw new UserMistake(program + " cannot be executed: unpack the archive again");
        }
        return program;
    }

    /**
     * The agent.
     *
     * @throws UserMistake if the archive is not complete
     */
    public static Path agent() {
        Path agent = home().resolve("lib").resolve(AgentOptions.LIBRARY);
        if (!Files.isReadable(agent)) {
            throw new UserMistake(agent + " cannot be read: unpack the archive again");
        }
        return agent;
    }
}
