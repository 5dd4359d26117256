package ayatori.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The file that a command name stands for, found as execvp(3) finds it.
 *
 * @param raw its path for execve, {@linkplain RawText raw}
 * @param path the same for Java; empty if Java cannot name it in this locale
 */
record ProgramFile(String raw, Optional<Path> path) {
    /** What execvp(3) searches when PATH is not set: confstr(_CS_PATH). */
    private static final String DEFAULT_PATH = "/bin:/usr/bin";

    /**
     * Finds the program.
     *
     * @param command a path if it has a slash, else a name to be searched on PATH
     * @param environment {@code NAME=value}; its PATH counts
     * @throws UserMistake if it is not found, a directory or not executable
     */
    static ProgramFile find(String command, List<String> environment) {
        if (command.isEmpty()) {
            throw new UserMistake("the command is an empty string");
        }
        if (command.indexOf('/') >= 0) {
            Optional<Path> path = RawText.toPath(command);
            path.ifPresent(p -> refuseUnlessProgram(p, RawText.display(command)));
            return new ProgramFile(command, path);
        }
        return search(command, environment);
    }

    private static void refuseUnlessProgram(Path path, String shown) {
        if (Files.isDirectory(path)) {
            throw new UserMistake("'" + shown + "' is a directory, not a program");
        }
        if (!Files.exists(path)) {
            throw new UserMistake("'" + shown + "' does not exist");
        }
        if (!Files.isExecutable(path)) {
            throw new UserMistake("'" + shown + "' is not executable (chmod +x?)");
        }
    }

    private static ProgramFile search(String command, List<String> environment) {
        String searched = environment.stream()
                .filter(v -> v.startsWith("PATH="))
                .findFirst()
                .map(v -> v.substring("PATH=".length()))
                .orElse(DEFAULT_PATH);
        Optional<String> refused = Optional.empty();
        for (String folder : searched.split(":", -1)) {
            // An empty element is the current folder, environ(7).
            String raw = (folder.isEmpty() ? "." : folder) + "/" + command;
            Optional<Path> path = RawText.toPath(raw);
            if (path.isEmpty() || !Files.isRegularFile(path.get())) {
                continue;
            }
            if (Files.isExecutable(path.get())) {
                return new ProgramFile(raw, path);
            }
            refused = refused.isPresent() ? refused : Optional.of(RawText.display(raw));
        }
        throw new UserMistake(refused.map(found -> "'" + found + "' is not executable (chmod +x?)")
                .orElseGet(() -> "'" + RawText.display(command) + "' is not on PATH"));
    }
}
