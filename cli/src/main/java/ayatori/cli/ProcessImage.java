package ayatori.cli;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Exec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The end of this JVM: the process goes on as the user's program. */
final class ProcessImage {
    private static final int LAST_STANDARD_STREAM = 2;

    private ProcessImage() {}

    /**
     * Becomes the program, with the signal mask and the ignored signals that the user gave us. Handlers of signals that
     * this JVM set fall back to the default by execve(2) itself.
     *
     * @return only if the kernel refused: why, in one line
     */
    static String replace(Launch launch, Invocation invocation) {
        closeOwnFiles();
        Exec.ignore(invocation.ignoredSignals());
        int result = Exec.replaceProcess(
                RawText.bytes(launch.path()),
                RawText.bytesOfAll(launch.arguments()),
                RawText.bytesOfAll(launch.environment()),
                invocation.blockedSignals());
        String shown = RawText.display(launch.path());
        String why = switch (Errno.name(result)) {
            case "ENOEXEC" -> "is no program: neither an ELF file nor a script that begins with #!";
            case "ENOENT" -> "cannot start: the interpreter after its #!, or its loader, does not exist";
            case "EACCES" -> "may not be executed: permission denied to it or its interpreter";
            case "E2BIG" -> "cannot start: arguments and environment are too long";
            default -> "cannot start";
        };
        return "'" + shown + "' " + why + " (" + Errno.name(result) + ")";
    }

    /**
     * Files below the runtime and the archive are open because of this JVM, and most of them without close-on-exec. All
     * others are the user's, who may have opened them for the program.
     */
    private static void closeOwnFiles() {
        List<Path> own = Stream.of("java.home", "ayatori.home")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .map(Path::of)
                .toList();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                int number = Integer.parseInt(descriptor.getFileName().toString());
                if (number > LAST_STANDARD_STREAM && isBelow(own, descriptor)) {
                    Exec.closeOnExec(number);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list /proc/self/fd", e);
        }
    }

    private static boolean isBelow(List<Path> folders, Path descriptor) {
        try {
            Path file = Files.readSymbolicLink(descriptor);
            return folders.stream().anyMatch(file::startsWith);
        } catch (IOException e) {
            return false; // the listing's own
        }
    }
}
