package ayatori.server;

import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import ayatori.sched.ChildJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * OS is a process of its own. Under VPSET either the kernel raises it, by AP_r that waits for it, or the process itself when it
 * is rung for, which wakes it as well.
 */
@Timeout(120)
@ParameterizedClass(name = "the server''s process raises it: {0}")
@ValueSource(booleans = {false, true})
class SharedSixCasesTest extends SixCases {
    @TempDir
    private Path directory;

    private final boolean raisesItself;
    private int started;

    SharedSixCasesTest(boolean raisesItself) {
        this.raisesItself = raisesItself;
    }

    private static final class OsThere implements Os {
        private final SharedServerProcess process;
        private final SharedEndpoint client;
        private final LinuxThread thread;

        OsThere(SharedServerProcess process, Path path) throws IOException {
            this.process = process;
            client = SharedEndpoint.connect(path);
            thread = process.threads().getFirst();
        }

        private Area area(int number) {
            Area area = client.allocate(64);
            area.segment().set(ValueLayout.JAVA_INT, 0, number);
            return area;
        }

        @Override
        public void bring(int priority, boolean asleep) throws Exception {
            if (asleep) {
                client.send(priority, area(SharedServerProcess.RANK)).get().close();
                Waiting.until(
                        "OS asleep",
                        () -> new TaskFiles(thread.id()).systemCall().orElse(0) == FUTEX_WAITV);
            } else {
                var _ = client.send(priority, area(SharedServerProcess.HOLD));
                process.awaitHeld();
            }
        }

        @Override
        public Future<Integer> ask(int priority) {
            Operations before = operations();
            CompletableFuture<Integer> id = new CompletableFuture<>();
            FutureTask<Integer> call = new FutureTask<>(() -> {
                id.complete(Sched.gettid());
                LinuxThread.current().set(SchedulingParameters.roundRobin(2 * priority));
                Area answer = client.call(area(SharedServerProcess.RANK));
                int rank = answer.segment().get(ValueLayout.JAVA_INT, 0);
                answer.close();
                return rank;
            });
            Thread.ofPlatform().name("AP_r").priority(priority).start(call);
            Waiting.until(
                    "asked, or failed", () -> call.isDone() || !operations().equals(before));
            TaskFiles caller = new TaskFiles(id.join());
            Waiting.until("AP_r asleep", () -> call.isDone() || sleeps(caller));
            return call;
        }

        private static boolean sleeps(TaskFiles thread) {
            try {
                return thread.state() == 'S';
            } catch (IOException e) {
                return false; // it has had its answer, and ended
            }
        }

        @Override
        public void letGo() throws IOException {
            process.letGo();
        }

        @Override
        public Operations operations() {
            SharedEndpointStatistics now = client.statistics();
            return new Operations(now.wakes(), now.wakesSkipped(), now.raises(), now.raisesSkipped());
        }

        @Override
        public int rank() {
            return thread.effectiveRank();
        }

        @Override
        public void close() {
            client.close();
            process.close();
        }
    }

    @Override
    Os start(PriorityProtocol protocol) throws IOException {
        Path path = directory.resolve("os" + started++);
        ChildJvm jvm = new ChildJvm()
                .with("-Dprotocol=" + protocol)
                .with("-Dladder=STATIC")
                .with("-Dcpu=" + serversCpu());
        if (raisesItself) {
            jvm.with("-DraisesItself=true");
        }
        SharedServerProcess process = new SharedServerProcess(path, 1, jvm);
        try {
            return new OsThere(process, path);
        } catch (IOException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** One of the three: the kernel raises without being asked to by an operation of its own, and who is rung for is woken by that. */
    @Override
    Operations expected(Row row) {
        if (raisesItself && row.raises()) {
            return new Operations(0, 0, 1, 0);
        }
        return new Operations(row.wakes() ? 1 : 0, row.wakes() ? 0 : 1, 0, raisesItself && row.skipsRaise() ? 1 : 0);
    }

    @Override
    int lent(int priority) {
        return raisesItself ? rank(priority) - 1 : rank(priority);
    }

    /** It looks around every 100 ms. */
    @Override
    boolean wasAwakeByChance(Row row, Operations done) {
        return row.wakes() && done.wakesSkipped() == 1;
    }
}
