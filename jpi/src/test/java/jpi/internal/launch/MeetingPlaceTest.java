package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import jpi.internal.engine.Layout;
import jpi.internal.engine.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeetingPlaceTest {
    private static final String DIGITS = "-1234567890123456789";
    /** Linux gives none so high. */
    private static final String DEAD = "jpi-99999999" + DIGITS;

    @TempDir
    Path temporary;

    @TempDir
    Path shared;

    private static List<Path> contents(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void itIsForThisUserAlone() throws IOException {
        MeetingPlace place = MeetingPlace.create(temporary, shared, 12_345, 12_345);
        assertEquals("rwx------", permissions(contents(temporary).getFirst()));
        assertEquals("rw-------", permissions(place.memory().orElseThrow()));
        assertEquals(12_345, Files.size(place.memory().orElseThrow()));
        assertEquals(place, MeetingPlace.ofArguments(place.arguments()));
        assertEquals(contents(temporary).getFirst(), place.socket().getParent());
    }

    @Test
    void moreIsSharedWhereThereIsPlenty() throws IOException {
        long free = Files.getFileStore(shared).getUsableSpace();
        MeetingPlace narrow = MeetingPlace.create(temporary, shared, 1, free / 2);
        assertEquals(1, Files.size(narrow.memory().orElseThrow()));
        MeetingPlace roomy = MeetingPlace.create(temporary, shared, 1, 12_345);
        assertEquals(12_345, Files.size(roomy.memory().orElseThrow()));
    }

    @Test
    void nothingStaysBehind() throws IOException {
        MeetingPlace place = MeetingPlace.create(temporary, shared, 1, 1);
        Files.createFile(place.socket());
        place.delete();
        place.delete();
        assertEquals(List.of(), contents(temporary));
        assertEquals(List.of(), contents(shared));
    }

    private static Path aged(Path path, Duration age) throws IOException {
        return Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(age)));
    }

    private static Path leftFolder(Path where, String name, Duration age) throws IOException {
        Path folder = Files.createDirectory(where.resolve(name));
        Files.createFile(folder.resolve("control"));
        return aged(folder, age);
    }

    private static Path leftMemory(Path where, String name, Duration age) throws IOException {
        return aged(Files.createFile(where.resolve(name)), age);
    }

    @Test
    void whatAKilledMasterHasLeftGoes() throws IOException {
        leftFolder(temporary, DEAD, Duration.ofHours(1));
        leftMemory(shared, DEAD, Duration.ofHours(1));
        MeetingPlace.create(temporary, shared, 1, 1).delete();
        assertEquals(List.of(), contents(temporary));
        assertEquals(List.of(), contents(shared));
    }

    /** Young, of a process that lives, of another kind, or with another name. */
    @Test
    void whatMayNotBeLeftOverStays() throws IOException {
        String living = "jpi-" + ProcessHandle.current().pid() + DIGITS;
        Path link = Files.createSymbolicLink(shared.resolve(DEAD + "3"), temporary);
        Set<Path> folders = Set.of(
                leftFolder(temporary, DEAD, Duration.ofMinutes(5)),
                leftFolder(temporary, living, Duration.ofHours(1)),
                leftFolder(temporary, "jpi-99999999-2026", Duration.ofHours(1)),
                leftMemory(temporary, DEAD + "1", Duration.ofHours(1)));
        Set<Path> files = Set.of(
                link,
                leftMemory(shared, DEAD, Duration.ofMinutes(5)),
                leftMemory(shared, living, Duration.ofHours(1)),
                leftMemory(shared, DEAD + ".txt", Duration.ofHours(1)),
                leftFolder(shared, DEAD + "1", Duration.ofHours(1)));
        MeetingPlace.create(temporary, shared, 1, 1).delete();
        assertEquals(folders, Set.copyOf(contents(temporary)));
        assertEquals(files, Set.copyOf(contents(shared)));
    }

    @Test
    void oneWorkerSharesNoMemory() throws IOException {
        MeetingPlace place = MeetingPlace.create(temporary, shared, 0, 0);
        assertTrue(place.memory().isEmpty());
        assertEquals(List.of(), contents(shared));
        assertEquals(place, MeetingPlace.ofArguments(place.arguments()));
    }

    @Test
    void whatCannotBeHadIsToldAndNothingStaysBehind() throws IOException {
        Path deep = Files.createDirectories(temporary.resolve("d".repeat(100)));
        assertTrue(refusal(deep, shared, 0).contains("is too long for a socket"));
        assertEquals(List.of(), contents(deep));
        assertTrue(refusal(Path.of("/nowhere"), shared, 0).startsWith("no folder can be made in /nowhere"));
        assertTrue(refusal(temporary, shared, Long.MAX_VALUE).contains("and the workers share 9223372036854775807"));
        assertTrue(refusal(temporary, Path.of("/nowhere"), 1).startsWith("no memory can be shared through /nowhere"));
        assertEquals(List.of(deep), contents(temporary));
        assertEquals(List.of(), contents(shared));
    }

    @Test
    void moreWorkersThanCanBeCountedAreTooManyToo() throws IOException {
        for (int workers : new int[] {5_000_000, 6_000_000, 10_000_000, 123_456_789, 999_999_999}) {
            long size = World.memorySize(new Layout(workers, workers, 0), true);
            assertTrue(refusal(temporary, shared, size).contains("and the workers share "), "" + size);
        }
        assertEquals(List.of(), contents(temporary));
        assertEquals(List.of(), contents(shared));
    }

    private static String refusal(Path temporary, Path shared, long size) {
        return assertThrows(UserMistake.class, () -> MeetingPlace.create(temporary, shared, size, size))
                .sentence();
    }
}
