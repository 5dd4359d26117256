package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.HostilePeer;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.LockFile;
import ayatori.internal.linux.UnixSocket;
import ayatori.sched.ChildJvm;
import ayatori.sched.Needs;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who serves at a place, who is let in there, and what is said of those who are not. */
class EntranceTest {
    private static final int ROUNDS = 40;
    private static final int STARTING = 4;
    private static final int NOBODY = 65534;

    @TempDir
    private Path directory;

    private Path path() {
        return directory.resolve("door");
    }

    private static Endpoint<Area, Area> endpoint() {
        Endpoint<Area, Area> endpoint =
                Endpoint.<Area, Area>builder().name("entrance").build();
        endpoint.serve(1, request -> request.reply(request.body()));
        return endpoint;
    }

    @Test
    void ofServersThatFindALeftBehindFileOneReplacesIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            UnixSocket.listen(path()).close();
            CyclicBarrier start = new CyclicBarrier(STARTING);
            List<FutureTask<Boolean>> servers = new ArrayList<>();
            for (int i = 0; i < STARTING; i++) {
                servers.add(new FutureTask<>(() -> serves(start)));
                Thread.ofPlatform().start(servers.getLast());
            }
            int serving = 0;
            for (FutureTask<Boolean> server : servers) {
                serving += server.get() ? 1 : 0;
            }
            assertEquals(1, serving);
            try (var left = Files.list(directory)) {
                assertEquals(0, left.count(), "files are left");
            }
        }
    }

    /** If it serves, it is found, and by its own clients only: another one would not hand over at once. */
    private boolean serves(CyclicBarrier start) throws Exception {
        try (Endpoint<Area, Area> endpoint = endpoint()) {
            start.await();
            PublishedEndpoint door;
            try {
                door = PublishedEndpoint.at(path()).publish(endpoint);
            } catch (KernelException e) {
                assertEquals(Errno.EADDRINUSE, e.errno(), e::toString);
                start.await();
                return false;
            }
            try (SharedEndpoint client = SharedEndpoint.connect(path(), 4096)) {
                client.call(client.allocate(1)).close();
                assertEquals(1, endpoint.statistics().taken(), "another server is found there");
            } finally {
                start.await(); // nobody goes before all have tried
                door.close();
            }
            return true;
        }
    }

    @Test
    void whatIsNoSocketStays() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "precious");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nowhere"));
        for (Path other : List.of(file, empty, dangling)) {
            try (Endpoint<Area, Area> endpoint = endpoint()) {
                KernelException refused = assertThrows(
                        KernelException.class, () -> PublishedEndpoint.at(other).publish(endpoint));
                assertEquals(Errno.EADDRINUSE, refused.errno());
            }
            assertTrue(Files.exists(other, LinkOption.NOFOLLOW_LINKS), other::toString);
        }
        assertEquals("precious", Files.readString(file));
    }

    @Test
    void aDirectoryThatIsMissingIsTold() throws Exception {
        Path path = directory.resolve("missing").resolve("door");
        try (Endpoint<Area, Area> endpoint = endpoint()) {
            KernelException refused = assertThrows(
                    KernelException.class, () -> PublishedEndpoint.at(path).publish(endpoint));
            assertTrue(refused.toString().contains("publish at \"" + path + "\": ENOENT"), refused::toString);
        }
    }

    @Test
    void aServerThatAcceptsNobodyIsThereAllTheSame() throws Exception {
        List<UnixSocket> waiting = new ArrayList<>();
        try (UnixSocket stopped = UnixSocket.listen(path());
                Endpoint<Area, Area> endpoint = endpoint()) {
            KernelException full = assertThrows(KernelException.class, () -> {
                while (true) {
                    waiting.add(UnixSocket.connect(path(), 1_000_000));
                }
            });
            assertEquals(Errno.EAGAIN, full.errno());
            FutureTask<PublishedEndpoint> publish =
                    new FutureTask<>(() -> PublishedEndpoint.at(path()).publish(endpoint));
            Thread.ofPlatform().start(publish); // no interrupt would end a wait in connect
            Waiting.until("an answer", publish::isDone);
            assertEquals(
                    Errno.EADDRINUSE,
                    assertInstanceOf(KernelException.class, publish.exceptionNow())
                            .errno());
            assertTrue(Files.exists(path()));
            stopped.accept().close();
        } finally {
            waiting.forEach(UnixSocket::close);
        }
    }

    @Test
    void aLockIsOneProcesssAtATimeAndLeavesNothingBehind() throws Exception {
        Path file = directory.resolve(".door.lock");
        LockFile first = LockFile.of(file, 0);
        KernelException held = assertThrows(KernelException.class, () -> LockFile.of(file, 0));
        assertEquals(Errno.EAGAIN, held.errno());
        assertTrue(held.toString().contains("another process of this user"), held::toString);
        FutureTask<LockFile> second = new FutureTask<>(() -> LockFile.of(file, Deadline.FOREVER / 2));
        Thread waiting = Thread.ofPlatform().start(second);
        Waiting.until("a wait", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        first.close();
        second.get().close();
        assertFalse(Files.exists(file));
        assertThrows(KernelException.class, () -> LockFile.of(path().resolve("nowhere"), 0));
    }

    @Test
    void whoLocksTheDirectoryKeepsNobodyOut() throws Exception {
        UnixSocket.listen(path()).close();
        int locked = HostilePeer.locked(directory);
        try (Endpoint<Area, Area> endpoint = endpoint();
                PublishedEndpoint _ = PublishedEndpoint.at(path()).publish(endpoint);
                SharedEndpoint client = SharedEndpoint.connect(path(), 4096)) {
            client.call(client.allocate(1)).close();
        } finally {
            HostilePeer.close(locked);
        }
    }

    @Test
    void aLockThatIsAnotherUsersIsNamed() throws Exception {
        Path file = directory.resolve(".door.lock");
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
        KernelException followed = assertThrows(KernelException.class, () -> LockFile.of(link, 0));
        assertTrue(followed.toString().contains("ELOOP"), followed::toString);
        Needs.root();
        Files.createFile(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.setAttribute(file, "unix:uid", NOBODY);
        KernelException refused = assertThrows(KernelException.class, () -> LockFile.of(file, 0));
        assertTrue(refused.toString().contains("user " + NOBODY + "'s"), refused::toString);
    }

    @Test
    void aPathThatIsTooLongSaysSo() {
        try (Endpoint<Area, Area> endpoint = endpoint()) {
            Path deep = directory
                    .resolve("d".repeat(100 - directory.toString().length()))
                    .resolve("s");
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> PublishedEndpoint.at(deep).publish(endpoint));
            assertTrue(refused.toString().contains("at most 107"), refused::toString);
        }
    }

    @Test
    void anotherUserDoesNotKeepAllOthersOut() throws Exception {
        Needs.root();
        Needs.program("/usr/bin/setpriv");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Endpoint<Area, Area> endpoint = endpoint();
                PublishedEndpoint door =
                        PublishedEndpoint.at(path()).mode("rw-rw-rw-").publish(endpoint)) {
            Process flood = new ChildJvm(ChildJvm.AS_NOBODY.toArray(String[]::new))
                    .start(EntranceTest.class, path().toString());
            try (var output = flood.inputReader(StandardCharsets.UTF_8)) {
                assertEquals("32", output.readLine());
                String refusal = output.readLine();
                assertTrue(refusal.contains("user 65534 has 32 clients"), refusal);
                Waiting.until("the flood", () -> door.clients() == 32);
                try (SharedEndpoint client = SharedEndpoint.connect(path(), 4096)) {
                    client.call(client.allocate(1)).close();
                }
            } finally {
                flood.destroyForcibly().waitFor();
            }
            Waiting.until("the flood gone", () -> door.clients() == 0);
        }
    }

    /** {@code EntranceTest PATH}: connects until it is refused, and says how often it was not and why not once more; and stays. */
    public static void main(String[] arguments) throws IOException {
        List<SharedEndpoint> clients = new ArrayList<>();
        try {
            while (clients.size() < PublishedEndpoint.MOST_CLIENTS) {
                clients.add(SharedEndpoint.connect(Path.of(arguments[0]), 4096));
            }
        } catch (IOException e) {
            System.out.println(clients.size());
            System.out.println(e.getMessage());
        }
        var _ = System.in.read();
    }

    @Test
    void whoIsRefusedAgainAndAgainDoesNotFillTheLog() {
        Lines lines = new Lines();
        PeerLog log = new PeerLog(lines);
        for (int i = 0; i < 10 * PeerLog.MOST; i++) {
            log.say(System.Logger.Level.INFO, "refused");
        }
        // A minute may end meanwhile: then as many again, and a line that tells of those left out.
        assertTrue(
                lines.said.size() >= PeerLog.MOST && lines.said.size() <= 2 * PeerLog.MOST + 1, lines.said::toString);
        assertEquals("refused", lines.said.getFirst());
        assertTrue(lines.said.stream().anyMatch(line -> line.contains("only counted")), lines.said::toString);
    }

    private static final class Lines implements System.Logger {
        final List<String> said = new ArrayList<>();

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            said.add(text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            said.add(format);
        }
    }
}
