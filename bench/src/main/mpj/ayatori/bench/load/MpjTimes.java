package ayatori.bench.load;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.MPI;

/**
 * {@code MpjTimes server PLACE} and {@code MpjTimes client PLACE WARM_UP_MILLISECONDS BUDGET_MILLISECONDS BYTES...}: half round trips
 * by MPJ Express 0.44 between two processes of this machine (its device niodev), as {@link PeerTimes} prints them, by the client.
 * What mpjrun does beside starting them, the server does: its daemon has a fixed port, is reached by ssh, and what it has started goes
 * on when mpjrun is ended.
 */
public final class MpjTimes {
    private static final int RANKS = 2;
    private static final int SERVER = 0;
    private static final int CLIENT = 1;
    private static final int MOST_EAGER_BYTES = 128 << 10; // as mpjrun says if not told

    private MpjTimes() {}

    public static void main(String[] arguments) throws IOException {
        Path port = Path.of(arguments[1], "port");
        if (arguments[0].equals("client")) {
            init(CLIENT, Files.readString(port));
            PeerTimes.lead(new MpjRally(SERVER), List.of(arguments).subList(2, arguments.length));
        } else {
            // Both tell it where they listen.
            ServerSocket socket = new ServerSocket(0, RANKS, InetAddress.getLoopbackAddress());
            Files.writeString(port, Integer.toString(socket.getLocalPort()));
            System.out.println("result,ready,1");
            Thread.ofPlatform().daemon().start(() -> introduce(socket));
            init(SERVER, Files.readString(port));
            new MpjRally(CLIENT).follow();
        }
        MPI.Finalize();
        System.exit(0); // whatever threads it has left
    }

    private static void init(int rank, String port) {
        String settings = "#temp line;#Number of Processes;" + RANKS + ";#Protocol Switch Limit;" + MOST_EAGER_BYTES
                + ";#Server Name;localhost;#Server Port;" + port;
        MPI.Init(new String[] {Integer.toString(rank), settings, "niodev"});
    }

    /** Gets the ports of each, and sends those of all to all. */
    private static void introduce(ServerSocket socket) {
        String[] processes = new String[RANKS];
        List<Socket> sockets = new ArrayList<>();
        try (socket) {
            for (int i = 0; i < RANKS; i++) {
                Socket one = socket.accept();
                sockets.add(one);
                DataInputStream in = new DataInputStream(one.getInputStream());
                in.readUTF(); // a greeting
                int writes = in.readInt();
                int reads = in.readInt();
                int rank = in.readInt();
                processes[rank] = ";localhost@" + reads + "@" + writes + "@" + rank + "@0";
            }
            for (Socket one : sockets) {
                try (one) {
                    new DataOutputStream(one.getOutputStream())
                            .writeUTF("#Peer Information" + String.join("", processes));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
