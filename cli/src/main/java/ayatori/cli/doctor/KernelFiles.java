package ayatori.cli.doctor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Files below /proc, /sys and /boot, or below a folder that looks like a host's root. What is not there, or hidden from
 * this user, is empty.
 *
 * @param root {@code /}, or the folder of a test
 */
record KernelFiles(Path root) {
    /** Files below /proc/sys give nothing but what the first read asked for. */
    private static final int READ_SIZE = 1 << 20;

    /** A path of the host as a path of this process. */
    Path at(String path) {
        return root.resolve(path.substring(1));
    }

    /** A file, without white space around. */
    Optional<String> text(String path) {
        try (InputStream in = Files.newInputStream(at(path))) {
            return Optional.of(new String(in.readNBytes(READ_SIZE), UTF_8).strip());
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** A file that holds one number. */
    OptionalLong number(String path) {
        try {
            return text(path).map(Long::parseLong).map(OptionalLong::of).orElseGet(OptionalLong::empty);
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Lines of a file; none if it cannot be read. */
    List<String> lines(String path) {
        return text(path).map(text -> text.lines().toList()).orElse(List.of());
    }

    /** Lines of a compressed file; none if it cannot be read. */
    List<String> unzippedLines(String path) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(at(path)))) {
            return new String(in.readAllBytes(), ISO_8859_1).lines().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Where a symbolic link leads to. */
    Optional<String> link(String path) {
        try {
            return Optional.of(Files.readSymbolicLink(at(path)).toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    boolean exists(String path) {
        return Files.exists(at(path));
    }

    /** Names in a folder, sorted; none if it cannot be read. */
    List<String> names(String path) {
        try (Stream<Path> entries = Files.list(at(path))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Names of the folders in a folder, sorted; none if it cannot be read. */
    List<String> folders(String path) {
        List<String> folders = new ArrayList<>(names(path));
        folders.removeIf(name -> !Files.isDirectory(at(path).resolve(name)));
        return folders;
    }
}
