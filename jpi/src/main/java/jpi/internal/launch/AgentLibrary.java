package jpi.internal.launch;

import ayatori.sched.PriorityLadder.Policy;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ayatori's agent, which {@code -policy} loads into the workers. */
final class AgentLibrary {
    private static final String PROPERTY = "ayatori.agent";
    private static final String VARIABLE = "AYATORI_AGENT";
    private static final String FILE = "libayatori.so";

    private AgentLibrary() {}

    /** A policy as the agent and its users write it. */
    static String label(Policy policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The JVM's option that loads the agent.
     *
     * @throws UserMistake if it is nowhere
     */
    static String option(Policy policy) {
        return option(policy, System.getProperty(PROPERTY), System.getenv(VARIABLE), jar());
    }

    /** As above, with what the user says of where it is. */
    static String option(Policy policy, @Nullable String property, @Nullable String variable, Optional<Path> jar) {
        Path library = find(policy, property, variable, jar).toAbsolutePath();
        if (library.toString().indexOf('=') >= 0) { // HotSpot takes what follows the first one as the agent's options
            throw new UserMistake(
                    "the JVM loads no agent from a path with '=': move " + library + " to another folder");
        }
        return "-agentpath:" + library + "=policy=" + label(policy);
    }

    private static Path find(Policy policy, @Nullable String property, @Nullable String variable, Optional<Path> jar) {
        boolean isProperty = property != null && !property.isEmpty();
        String named = isProperty ? property : variable;
        if (named != null && !named.isEmpty()) {
            Path library = Path.of(named);
            if (!Files.isRegularFile(library) || !Files.isReadable(library)) {
                throw new UserMistake((isProperty ? "-D" + PROPERTY : VARIABLE) + " names " + library
                        + " as the agent, which is no file that can be read: name a " + FILE);
            }
            return library;
        }
        return jar.map(Path::getParent).stream()
                .flatMap(folder -> List.of(folder, folder.resolve("lib"), folder.resolve("..")).stream())
                .map(folder -> folder.resolve(FILE).normalize())
                .filter(Files::isReadable)
                .findFirst()
                .orElseThrow(
                        () -> new UserMistake("-policy " + label(policy) + " needs Ayatori's agent, and there is no "
                                + FILE + " beside this jar: name it with -D" + PROPERTY + "= or " + VARIABLE));
    }

    /** The archive has the jar in lib/modules and the agent in lib. */
    private static Optional<Path> jar() {
        CodeSource source = AgentLibrary.class.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? Optional.empty()
                    : Optional.of(Path.of(source.getLocation().toURI()));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
