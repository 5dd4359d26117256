package ayatori.server;

import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/** OS is a thread of this process, which raises it by its ladder: RR 2p lends RR 2p - 1. */
class SixCasesTest extends SixCases {
    private final class OsHere implements Os {
        private final Endpoint<Boolean, Integer> endpoint;
        private final AtomicReference<LinuxThread> thread = new AtomicReference<>();
        private final AtomicReference<Thread> javaThread = new AtomicReference<>();
        private volatile boolean released;

        OsHere(PriorityProtocol protocol) {
            endpoint = Endpoint.<Boolean, Integer>builder()
                    .protocol(protocol)
                    .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                    .build();
            endpoint.serve(1, request -> {
                if (thread.get() == null) {
                    moveToServersCpu();
                    javaThread.set(Thread.currentThread());
                    thread.set(LinuxThread.current());
                }
                if (request.body()) {
                    compute(() -> released);
                }
                request.reply(LinuxThread.current().effectiveRank());
            });
        }

        @Override
        public void bring(int priority, boolean asleep) throws InterruptedException {
            Reply<Integer> first = endpoint.send(priority, !asleep);
            Waiting.until("the server at its first request", () -> thread.get() != null);
            if (asleep) {
                Waiting.until("the answer", first::isDone);
                Waiting.until("the server asleep", () -> javaThread.get().getState() == Thread.State.TIMED_WAITING);
            }
        }

        @Override
        public Future<Integer> ask(int priority) throws InterruptedException {
            return endpoint.send(priority, false);
        }

        @Override
        public void letGo() {
            released = true;
        }

        @Override
        public Operations operations() {
            EndpointStatistics now = endpoint.statistics();
            return new Operations(now.wakes(), now.wakesSkipped(), now.raises(), now.raisesSkipped());
        }

        @Override
        public int rank() {
            return thread.get().effectiveRank();
        }

        @Override
        public void close() {
            letGo();
            endpoint.close();
        }
    }

    @Override
    Os start(PriorityProtocol protocol) {
        return new OsHere(protocol);
    }

    /** Who is woken is raised before, where it is queued nowhere. */
    @Override
    Operations expected(Row row) {
        return new Operations(row.wakes() ? 1 : 0, row.wakes() ? 0 : 1, row.raises() ? 1 : 0, row.skipsRaise() ? 1 : 0);
    }

    @Override
    int lent(int priority) {
        return rank(priority) - 1;
    }
}
