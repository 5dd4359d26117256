package ayatori.bench.load;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * {@code AeronTimes server PLACE} and {@code AeronTimes client PLACE WARM_UP_MILLISECONDS BUDGET_MILLISECONDS BYTES...}: half round
 * trips by Aeron IPC, as {@link PeerTimes} prints them, by the client. The driver is part of the server and sleeps mostly, so that
 * both CPUs are for those who send and receive: between processes of one machine it moves no messages.
 */
public final class AeronTimes {
    private static final String CHANNEL = "aeron:ipc";
    // Streams.
    private static final int TO_SERVER = 1;
    private static final int TO_CLIENT = 2;

    /** A message is an eighth of it at most; and the driver may sleep while half of it is sent. */
    private static final int TERM_BYTES = 16 << 20;
    /** As large as the pieces of JPI; with those of 1.4 KB that it has by default, each message of 4 KB would be several. */
    private static final int FRAGMENT_BYTES = 32 << 10;

    private static final long LOOK_NANOS = 1_000_000;

    private AeronTimes() {}

    public static void main(String[] arguments) {
        String directory = Path.of(arguments[1], "aeron").toString();
        if (arguments[0].equals("client")) {
            List<String> words = List.of(arguments).subList(2, arguments.length);
            try (Aeron aeron = connect(directory)) {
                PeerTimes.lead(rally(aeron, TO_SERVER, TO_CLIENT), words);
            }
            return;
        }
        try (MediaDriver driver = MediaDriver.launch(driver(directory));
                Aeron aeron = connect(driver.aeronDirectoryName())) {
            System.out.println("result,ready,1");
            rally(aeron, TO_CLIENT, TO_SERVER).follow();
        }
    }

    private static MediaDriver.Context driver(String directory) {
        return new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                .ipcTermBufferLength(TERM_BYTES)
                .ipcMtuLength(FRAGMENT_BYTES)
                .termBufferSparseFile(false);
    }

    private static Aeron connect(String directory) {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
    }

    private static AeronRally rally(Aeron aeron, int outStream, int inStream) {
        Subscription in = aeron.addSubscription(CHANNEL, inStream);
        ExclusivePublication out = aeron.addExclusivePublication(CHANNEL, outStream);
        while (!in.isConnected() || !out.isConnected()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return new AeronRally(out, in);
    }
}
