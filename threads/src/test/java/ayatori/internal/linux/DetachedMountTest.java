package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DetachedMountTest {
    @BeforeEach
    void needs() {
        assumeTrue(Sched.geteuid() == 0, "mounting needs CAP_SYS_ADMIN");
    }

    @Test
    void whatIsMountedIsSeenByItsOwnerOnlyAndUntilItIsClosed() throws IOException {
        String before = Files.readString(Path.of("/proc/self/mounts"));
        Path root;
        try (DetachedMount mount = DetachedMount.of("tmpfs")) {
            root = mount.root();
            Files.writeString(root.resolve("file"), "text");
            assertEquals("text", Files.readString(root.resolve("file")));
            assertEquals(before, Files.readString(Path.of("/proc/self/mounts")));
            assertTrue(Files.isDirectory(root));
        }
        assertFalse(Files.exists(root.resolve("file")));
    }

    @Test
    void aFileSystemThatTheKernelHasNot() {
        KernelException refused = assertThrows(KernelException.class, () -> {
            try (DetachedMount mount = DetachedMount.of("no-such-fs")) {
                assertFalse(Files.exists(mount.root()));
            }
        });
        assertEquals("mount of no-such-fs: ENODEV", refused.getMessage());
    }
}
