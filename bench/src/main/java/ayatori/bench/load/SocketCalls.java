package ayatori.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/**
 * {@code SocketCalls server PLACE}, {@code SocketCalls client PLACE WARM_UP CALLS}: eight bytes there and eight back through a
 * Unix socket, as {@code socket.c} does it, in Java.
 */
public final class SocketCalls {
    private final SocketChannel channel;
    private final ByteBuffer body = ByteBuffer.allocateDirect(Long.BYTES);

    private SocketCalls(SocketChannel channel) {
        this.channel = channel;
    }

    private void read() throws IOException {
        body.clear();
        while (body.hasRemaining()) {
            if (channel.read(body) < 0) {
                throw new EOFException("the other side has ended");
            }
        }
    }

    private void write() throws IOException {
        body.flip();
        while (body.hasRemaining()) {
            channel.write(body);
        }
    }

    private void call() throws ExecutionException {
        try {
            body.clear().putLong(0);
            write();
            read();
        } catch (IOException e) {
            throw new ExecutionException(e);
        }
    }

    private static void serve(UnixDomainSocketAddress address) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(address);
            System.out.println("result,ready,1");
            try (SocketChannel channel = listener.accept()) {
                SocketCalls server = new SocketCalls(channel);
                while (true) {
                    server.read();
                    server.write();
                }
            } catch (EOFException e) {
                // the client's end is ours
            }
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        var address = UnixDomainSocketAddress.of(Path.of(arguments[1], "socket"));
        if (arguments[0].equals("server")) {
            serve(address);
            return;
        }
        try (SocketChannel channel = SocketChannel.open(address)) {
            SocketCalls client = new SocketCalls(channel);
            CallTimes.print(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), client::call);
        }
    }
}
