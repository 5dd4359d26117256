package ayatori.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.pcj.PCJ;
import org.pcj.RegisterStorage;
import org.pcj.StartPoint;
import org.pcj.Storage;

/**
 * {@code PcjTimes server PLACE} and {@code PcjTimes client PLACE WARM_UP_MILLISECONDS BUDGET_MILLISECONDS BYTES...}: half round trips
 * by PCJ between two nodes of this machine, as {@link PeerTimes} prints them, by the client. Each starts its own node, so that none
 * is left behind when the other is ended.
 */
@RegisterStorage(PcjTimes.Shared.class)
public final class PcjTimes implements StartPoint {
    private static final int SERVER = 0;
    private static final int CLIENT = 1;

    private static List<String> words = List.of();

    /** What the other puts here; fields below have these names. */
    @Storage(PcjTimes.class)
    enum Shared {
        message,
        order,
        heard
    }

    byte[] message = {};
    int[] order = {};
    boolean heard;

    public static void main(String[] arguments) throws IOException {
        Path ports = Path.of(arguments[1], "ports");
        boolean server = arguments[0].equals("server");
        if (server) {
            Files.write(ports, freePorts());
            System.out.println("result,ready,1");
        } else {
            words = List.of(arguments).subList(2, arguments.length);
        }
        List<String> nodes = Files.readAllLines(ports);
        PCJ.executionBuilder(PcjTimes.class)
                .addProperty("pcj.port", nodes.get(server ? SERVER : CLIENT)) // by it a node knows which one it is
                .addNode("localhost:" + nodes.get(SERVER))
                .addNode("localhost:" + nodes.get(CLIENT))
                .start();
    }

    private static List<String> freePorts() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket one = new ServerSocket(0, 1, here);
                ServerSocket other = new ServerSocket(0, 1, here)) {
            return List.of(Integer.toString(one.getLocalPort()), Integer.toString(other.getLocalPort()));
        }
    }

    @Override
    public void main() {
        if (PCJ.myId() == SERVER) {
            new PcjRally(this, CLIENT).follow();
        } else {
            PeerTimes.lead(new PcjRally(this, SERVER), words);
            System.exit(0); // PCJ may wait for ever to close what the other has closed before
        }
    }
}
