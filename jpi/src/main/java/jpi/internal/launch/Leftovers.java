package jpi.internal.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a master has left that was killed, by a signal at which nobody clears up, before its workers had joined. The next master of
 * the same user removes it.
 */
final class Leftovers {
    /** As {@link MeetingPlace} has it: the master's pid, and the many digits of {@link Files#createTempFile}. */
    private static final Pattern NAME = Pattern.compile("jpi-([1-9]\\d{0,8})-\\d{9,20}");
    /** A process of another container may have no number here, and yet be alive. Its workers join within seconds. */
    private static final Duration AGE = Duration.ofMinutes(10);

    private Leftovers() {}

    /** Those of a kind in a folder; none if that cannot be read. */
    static List<Path> in(Path folder, Predicate<BasicFileAttributes> kind, UserPrincipal owner) {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.filter(Leftovers::isOfADeadProcess)
                    .filter(path -> isOldAndOwn(path, kind, owner))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static boolean isOfADeadProcess(Path path) {
        Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
        return name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty();
    }

    private static boolean isOldAndOwn(Path path, Predicate<BasicFileAttributes> kind, UserPrincipal owner) {
        try {
            PosixFileAttributes found =
                    Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Instant changed = found.lastModifiedTime().toInstant();
            return kind.test(found)
                    && found.owner().equals(owner)
                    && changed.plus(AGE).isBefore(Instant.now());
        } catch (IOException e) {
            return false; // another master has removed it
        }
    }
}
