package ayatori.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Clients of a server with /urgent and /bulk, over connections that stay open. Four send an urgent request each 20 ms, in turn.
 * At the begin of each second of the measurement all bulk clients send one at once: a burst, and then quiet. Arguments: port,
 * bulk clients, seconds of warm-up, seconds with bursts, seconds without after that.
 *
 * <p>A latency counts from when the request was due, so that a late answer is not forgiven those that it kept from being
 * asked. Priorities: urgent clients 10, so that what is measured is the server's part.
 */
public final class HttpClients {
    private static final int URGENT_CLIENTS = 4;
    private static final long PERIOD_NANOS = 20_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long HIGHEST_NANOS = 100 * SECOND_NANOS;
    private static final int DIGITS = 3;
    private static final int TICKS_A_HALF = 5;

    private final int port;
    private final long measured;
    private final long quiet;
    private final long end;
    private final AtomicInteger bulkUnderWay = new AtomicInteger();
    /** When a bulk request was last answered. */
    private volatile long bulkAnswered;

    private final Histogram besideBulk = new ConcurrentHistogram(HIGHEST_NANOS, DIGITS);
    private final Histogram alone = new ConcurrentHistogram(HIGHEST_NANOS, DIGITS);
    private final Histogram bulk = new ConcurrentHistogram(HIGHEST_NANOS, DIGITS);

    private HttpClients(int port, long begin, int[] seconds) {
        this.port = port;
        bulkAnswered = begin;
        measured = begin + seconds[0] * SECOND_NANOS;
        quiet = measured + seconds[1] * SECOND_NANOS;
        end = quiet + seconds[2] * SECOND_NANOS;
    }

    public static void main(String[] arguments) throws Exception {
        int bulkClients = Integer.parseInt(arguments[1]);
        int[] seconds = new int[3];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = Integer.parseInt(arguments[2 + i]);
        }
        long begin = System.nanoTime();
        HttpClients clients = new HttpClients(Integer.parseInt(arguments[0]), begin, seconds);
        List<Client> all = new ArrayList<>();
        for (int i = 0; i < bulkClients; i++) {
            all.add(clients.new Client("bulk", begin, SECOND_NANOS, clients.quiet, Thread.NORM_PRIORITY));
        }
        for (int i = 0; i < URGENT_CLIENTS; i++) {
            long offset = (2 * i + 1) * PERIOD_NANOS / (2 * URGENT_CLIENTS); // none with a burst
            all.add(clients.new Client("urgent", begin + offset, PERIOD_NANOS, clients.end, Thread.MAX_PRIORITY));
        }
        long wallMinusNano = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
        for (Client client : all) {
            client.start();
        }
        int failed = 0;
        for (Client client : all) {
            client.join();
            failed += client.failed;
        }
        Result.print("span", millis(clients.measured + wallMinusNano), millis(clients.end + wallMinusNano));
        Result.print("failed", failed);
        clients.print("beside", clients.besideBulk);
        clients.print("alone", clients.alone);
        clients.print("bulk", clients.bulk);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private void print(String kind, Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return;
        }
        for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
            Result.print("percentile", kind, percentile, histogram.getValueAtPercentile(percentile));
        }
        for (HistogramIterationValue value : histogram.percentiles(TICKS_A_HALF)) {
            Result.print(
                    "raw", kind, value.getPercentile(), value.getValueIteratedTo(), value.getTotalCountToThisValue());
        }
    }

    /** One connection, which asks again and again at its times. */
    private final class Client extends Thread {
        private final boolean isBulk;
        private final byte[] request;
        private final long firstDue;
        private final long period;
        private final long until;
        int failed;

        Client(String kind, long firstDue, long period, long until, int priority) {
            super(kind);
            isBulk = kind.equals("bulk");
            request = ("GET /" + kind + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(ISO_8859_1);
            this.firstDue = firstDue;
            this.period = period;
            this.until = until;
            setPriority(priority);
        }

        @Override
        public void run() {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                OutputStream out = socket.getOutputStream();
                InputStream in = new BufferedInputStream(socket.getInputStream());
                for (long due = firstDue; due < until; due += period) {
                    awaitTime(due);
                    ask(out, in, due);
                }
            } catch (IOException e) {
                System.out.println(getName() + ": " + e);
                failed++;
            }
        }

        private void ask(OutputStream out, InputStream in, long due) throws IOException {
            boolean beside = !isBulk && (bulkUnderWay.get() > 0 || bulkAnswered >= due);
            if (isBulk) {
                bulkUnderWay.incrementAndGet();
            }
            try {
                out.write(request);
                if (!readAnswer(in)) {
                    failed++;
                }
            } finally {
                if (isBulk) {
                    bulkAnswered = System.nanoTime();
                    bulkUnderWay.decrementAndGet();
                }
            }
            if (due >= measured) {
                long latency = Math.min(System.nanoTime() - due, HIGHEST_NANOS);
                (isBulk ? bulk : beside ? besideBulk : alone).recordValue(latency);
            }
        }
    }

    private static void awaitTime(long due) {
        long left = due - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = due - System.nanoTime();
        }
    }

    /** Reads a whole answer; whether it is a good one. */
    private static boolean readAnswer(InputStream in) throws IOException {
        String status = readLine(in);
        int length = 0;
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).trim());
            }
        }
        in.skipNBytes(length);
        return status.startsWith("HTTP/1.1 200") && length > 0;
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
