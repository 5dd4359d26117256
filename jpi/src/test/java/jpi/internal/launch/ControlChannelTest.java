package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import jpi.internal.engine.Timeline;
import jpi.internal.engine.Usage;
import jpi.internal.launch.ControlMessage.Exiting;
import jpi.internal.launch.ControlMessage.Standing;
import jpi.internal.launch.ControlMessage.Task;
import jpi.internal.launch.ControlMessage.Wait;
import jpi.internal.objects.Serialisation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlChannelTest {
    private static final List<ControlMessage> ALL = List.of(
            new ControlMessage.Hello(3),
            new Task(
                    5,
                    2,
                    true,
                    false,
                    true,
                    false,
                    true,
                    Serialisation.FORY,
                    true,
                    "a.B$C",
                    List.of("", "-x", "日本", "a\nb")),
            new Task(1, 1, false, true, false, true, false, Serialisation.JAVA, false, "B", List.of()),
            new ControlMessage.Joined(),
            new ControlMessage.Unable("no class X"),
            new ControlMessage.Start(),
            new ControlMessage.Failed(7, "ended with an exception"),
            new Exiting(Exiting.NO_RANK, false, 4, List.of()),
            new Exiting(2, true, 1, List.of(new Usage(2, 1, 2, 3, 4, 5))),
            new ControlMessage.Ended(),
            new ControlMessage.CensusRequest(),
            new Standing(1, 2, List.of(new Wait(0, "recv"), new Wait(9, "")), Long.MAX_VALUE, -1),
            new ControlMessage.Done(),
            new ControlMessage.Bye(List.of(new Usage(3, 1, 2, 3, 4, Long.MAX_VALUE), new Usage(4, 0, 0, 0, 0, 0))),
            new ControlMessage.Trace(new Timeline.Part("x".repeat(100_000), 1L << 40)), // more than writeUTF can
            new ControlMessage.Abort("why\nso"));

    private SocketChannel left;
    private SocketChannel right;

    @BeforeEach
    void connect(@TempDir Path folder) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            left = SocketChannel.open(address);
            right = server.accept();
        }
    }

    @AfterEach
    void disconnect() throws IOException {
        left.close();
        right.close();
    }

    @Test
    void everyMessageArrivesAsItWas() throws IOException {
        ControlChannel sender = new ControlChannel(left);
        ControlChannel receiver = new ControlChannel(right);
        for (ControlMessage message : ALL) {
            sender.send(message);
            assertEquals(message, receiver.receive());
        }
        assertEquals(
                ControlMessage.class.getPermittedSubclasses().length,
                ALL.stream().map(Object::getClass).distinct().count(),
                "every kind of message is tried");
    }

    @Test
    void theEndOfTheOtherSideIsTheEnd() throws IOException {
        left.write(ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 2, 0, 0})); // the third is cut off
        left.close();
        ControlChannel receiver = new ControlChannel(right);
        assertEquals(new ControlMessage.Joined(), receiver.receive());
        assertNull(receiver.receive());
    }

    @Test
    void whatIsNoMessageIsRefused() throws IOException {
        left.write(ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 99, -1, 0, 0, 0}));
        ControlChannel receiver = new ControlChannel(right);
        assertThrows(IOException.class, receiver::receive);
        assertThrows(IOException.class, receiver::receive);
    }
}
