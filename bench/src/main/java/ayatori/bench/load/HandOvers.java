package ayatori.bench.load;

import ayatori.internal.linux.Sched;
import ayatori.server.Endpoint;
import java.util.BitSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;

/**
 * {@code HandOvers WAY CLIENT_CPU SERVER_CPU WARM_UP CALLS}: a client calls a server thread of the same JVM, which does nothing
 * but answer. WAY: {@code Endpoint}; or {@code SynchronousQueue} or {@code LinkedTransferQueue}, one for requests and one for
 * answers. For each call it tells how many nanoseconds it took.
 */
public final class HandOvers {
    private static final Integer REQUEST = 1;

    private HandOvers() {}

    private static void moveTo(String cpu) {
        BitSet one = new BitSet();
        one.set(Integer.parseInt(cpu));
        if (Sched.setAffinity(0, one) != 0) {
            throw new IllegalArgumentException("CPU " + cpu + " is not there for this process");
        }
    }

    /** The server thread stands where the thread is that starts it. */
    private static CallTimes.Call serve(String way) {
        return switch (way) {
            case "Endpoint" -> endpoint();
            case "SynchronousQueue" -> queues(new SynchronousQueue<>(), new SynchronousQueue<>());
            case "LinkedTransferQueue" -> queues(new LinkedTransferQueue<>(), new LinkedTransferQueue<>());
            default -> throw new IllegalArgumentException("way " + way);
        };
    }

    private static CallTimes.Call endpoint() {
        Endpoint<Integer, Integer> endpoint =
                Endpoint.<Integer, Integer>builder().build();
        endpoint.serve(1, request -> request.reply(request.body()));
        return () -> endpoint.call(REQUEST);
    }

    private static CallTimes.Call queues(BlockingQueue<Integer> requests, BlockingQueue<Integer> answers) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    answers.put(requests.take());
                }
            } catch (InterruptedException e) {
                // the end
            }
        });
        return () -> {
            requests.put(REQUEST);
            answers.take();
        };
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        moveTo(arguments[2]);
        CallTimes.Call call = serve(arguments[0]);
        moveTo(arguments[1]);
        CallTimes.print(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]), call);
        System.exit(0); // an endpoint's servers wait for more
    }
}
