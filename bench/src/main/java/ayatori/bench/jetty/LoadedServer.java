package ayatori.bench.jetty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ayatori.pool.ReusableThreadPool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * A server of two kinds of requests: /urgent and /bulk, which differ in how long they compute. Arguments: "queued" for Jetty's
 * own pool, or "reusable" for ours, which handles urgent requests at priority 8 and bulk at 3; threads at most; microseconds
 * of computing for an urgent request, and for a bulk one. Prints its port, and each 20 ms the number of its threads. Ends with
 * its standard input.
 */
public final class LoadedServer {
    private static final int URGENT = 8;
    private static final int BULK = 3;
    private static final int JETTYS = 9;
    private static final long SAMPLE_MILLIS = 20;
    /** Jetty's default. */
    private static final int MINIMUM = 8;

    private LoadedServer() {}

    @SuppressWarnings("ThreadPriorityCheck") // the sampler is not to wait for what it counts
    public static void main(String[] arguments) throws Exception {
        int maximum = Integer.parseInt(arguments[1]);
        Handler work = new Computing(Long.parseLong(arguments[2]) * 1000, Long.parseLong(arguments[3]) * 1000);
        ThreadPool threads;
        Handler handler;
        if (arguments[0].equals("reusable")) {
            ReusableThreadPool pool = ReusableThreadPool.builder()
                    .name("jetty")
                    .maximumThreads(maximum)
                    .build();
            threads = new PoolForJetty(pool, JETTYS);
            handler = new PriorityHandler(pool, request -> isUrgent(request) ? URGENT : BULK, work);
        } else {
            threads = new QueuedThreadPool(maximum, MINIMUM);
            handler = work;
        }
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
        Thread sampler = new Thread(() -> sample(threads), "sampler");
        sampler.setPriority(Thread.MAX_PRIORITY);
        sampler.setDaemon(true);
        sampler.start();
        System.out.println("result,port," + connector.getLocalPort());
        awaitEndOfInput();
        server.stop();
    }

    private static boolean isUrgent(Request request) {
        return Request.getPathInContext(request).startsWith("/urgent");
    }

    private static void sample(ThreadPool threads) {
        try {
            while (true) {
                System.out.println("result,threads," + System.currentTimeMillis() + "," + threads.getThreads() + ","
                        + threads.getIdleThreads());
                TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // nobody writes
        }
    }

    /** Computes for a time of its CPU, however long it waits for that, and answers with a checksum. */
    private static final class Computing extends Handler.Abstract {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        private static final byte[] CHUNK = new byte[1 << 14];

        private final long urgentNanos;
        private final long bulkNanos;

        Computing(long urgentNanos, long bulkNanos) {
            this.urgentNanos = urgentNanos;
            this.bulkNanos = bulkNanos;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            long end = THREADS.getCurrentThreadCpuTime() + (isUrgent(request) ? urgentNanos : bulkNanos);
            CRC32 sum = new CRC32();
            do {
                sum.update(CHUNK);
            } while (THREADS.getCurrentThreadCpuTime() < end);
            byte[] body = Long.toHexString(sum.getValue()).getBytes(US_ASCII);
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
            response.write(true, ByteBuffer.wrap(body), callback);
            return true;
        }
    }
}
