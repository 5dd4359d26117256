package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class MappedMemoryTest {
    private static final String NAME = "ayatori-test-" + Sched.getpid();

    @Test
    void anonymousMemoryIsReachedThroughItsDescriptor() throws Exception {
        Path file;
        MemorySegment kept;
        try (Arena arena = Arena.ofShared()) {
            MappedMemory first = MappedMemory.createAnonymous("ayatori-test", 8192, arena);
            file = Path.of("/proc/" + Sched.getpid() + "/fd/" + first.descriptor());
            assertEquals(
                    "/memfd:ayatori-test (deleted)",
                    Files.readSymbolicLink(file).toString());
            MappedMemory second = MappedMemory.open(file, arena);
            assertEquals(8192, second.segment().byteSize());
            first.segment().set(ValueLayout.JAVA_LONG, 4096, 4711);
            assertEquals(4711, second.segment().get(ValueLayout.JAVA_LONG, 4096));
            assertEquals(0, second.segment().get(ValueLayout.JAVA_LONG, 0));
            kept = first.segment();
        }
        assertThrows(IllegalStateException.class, () -> kept.get(ValueLayout.JAVA_BYTE, 0));
        assertFalse(
                Files.exists(file) && Files.readSymbolicLink(file).toString().contains("ayatori-test"),
                "the descriptor is still open");
        assertFalse(Files.readString(Path.of("/proc/self/maps")).contains("memfd:ayatori-test"), "still mapped");
    }

    @Test
    void namedMemoryIsFoundByItsNameAndIsThisUsersOnly() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MappedMemory made = MappedMemory.createNamed(NAME, 100, arena);
            Path file = MappedMemory.DIRECTORY.resolve(NAME);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            assertEquals(
                    Errno.EEXIST,
                    assertThrows(KernelException.class, () -> MappedMemory.createNamed(NAME, 100, arena))
                            .errno());
            MappedMemory found = MappedMemory.openNamed(NAME, arena);
            assertEquals(100, found.segment().byteSize());
            found.segment().set(ValueLayout.JAVA_BYTE, 99, (byte) 7);
            assertEquals(7, made.segment().get(ValueLayout.JAVA_BYTE, 99));
            MappedMemory.removeNamed(NAME);
            assertFalse(Files.exists(file));
            assertEquals(7, made.segment().get(ValueLayout.JAVA_BYTE, 99));
            assertEquals(
                    Errno.ENOENT,
                    assertThrows(KernelException.class, () -> MappedMemory.openNamed(NAME, arena))
                            .errno());
        } finally {
            MappedMemory.removeNamed(NAME);
        }
    }

    @Test
    void aLinkInPlaceOfNamedMemoryIsNotFollowed() throws Exception {
        Path link = MappedMemory.DIRECTORY.resolve(NAME + "-link");
        Files.createSymbolicLink(link, Path.of("/etc/passwd"));
        try (Arena arena = Arena.ofShared()) {
            assertThrows(KernelException.class, () -> MappedMemory.openNamed(NAME + "-link", arena));
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void whatTheKernelRefusesLeavesNothingBehind() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            String name = NAME + "-huge";
            assertThrows(KernelException.class, () -> MappedMemory.createNamed(name, Long.MAX_VALUE, arena));
            assertFalse(Files.exists(MappedMemory.DIRECTORY.resolve(name)));
            Path empty = Files.createTempFile("ayatori", "");
            assertThrows(KernelException.class, () -> MappedMemory.open(empty, arena));
            Files.delete(empty);
        }
    }

    @Test
    void thereIsRoomForWhatIsReserved() throws Exception {
        long all = Files.getFileStore(MappedMemory.DIRECTORY).getTotalSpace();
        try (Arena arena = Arena.ofShared()) {
            MappedMemory memory = MappedMemory.createNamed(NAME + "-room", all + 8192, arena);
            try {
                memory.reserve(4096, 4096);
                KernelException refusal =
                        assertThrows(KernelException.class, () -> memory.reserve(0, all + 8192)); // at once
                assertEquals(Errno.ENOSPC, refusal.errno());
            } finally {
                MappedMemory.removeNamed(NAME + "-room");
            }
        }
    }

    @Test
    void thereIsRoomForWhatIsPopulatedAndItStaysAsItIs() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MappedMemory memory = MappedMemory.createNamed(NAME + "-pages", 3 * 4096, arena);
            Path file = MappedMemory.DIRECTORY.resolve(NAME + "-pages");
            try {
                memory.segment().set(ValueLayout.JAVA_INT, 4096, 7);
                MappedMemory.populate(memory.segment().asSlice(4096, 4096));
                assertEquals(7, memory.segment().get(ValueLayout.JAVA_INT, 4096));
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    var _ = channel.truncate(8192);
                }
                KernelException refusal = assertThrows(
                        KernelException.class,
                        () -> MappedMemory.populate(memory.segment().asSlice(8192, 4096)));
                assertEquals(Errno.EFAULT, refusal.errno());
            } finally {
                MappedMemory.removeNamed(NAME + "-pages");
            }
        }
    }

    @Test
    void badNamesAndSizesAreRefused() {
        try (Arena arena = Arena.ofShared()) {
            for (String name : new String[] {"", "a/b", "..", ".hidden"}) {
                String message = assertThrows(
                                IllegalArgumentException.class, () -> MappedMemory.createNamed(name, 1, arena))
                        .getMessage();
                assertTrue(String.valueOf(message).contains("\"" + name + "\""), message);
            }
            assertThrows(IllegalArgumentException.class, () -> MappedMemory.createAnonymous("zero", 0, arena));
        }
    }
}
